package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Spec("W-09")
class SignedStatesTest {
  private static final NetworkId NETWORK = new NetworkId("states");
  private static final G2Point G2 = new Samples(1).g2();
  private static final G1Point G1 = new Samples(1).g1();
  private static final Instant UNTIL = Instant.ofEpochSecond(1_800_000_000L);

  private final Samples samples = new Samples(9);
  private final List<byte[]> seeds =
      IntStream.rangeClosed(0, 4).mapToObj(i -> samples.bytes(32)).toList();
  private final Committee committee = committee(1, List.of());
  private final Digest32 nonce = Digest32.of(samples.bytes(32));
  private final SerialNumber free = samples.serial();
  private final SerialNumber held = samples.serial();
  private final TxCore core = new TxCore(Digest32.of(samples.bytes(32)));
  private final StateFloors floors = new StateFloors(3, 14, new Period(202611));
  private final SerialStates states =
      new SerialStates(
          7,
          floors,
          List.of(
              SerialStates.State.free(free),
              SerialStates.State.held(held, core, Optional.of(Digest32.of(samples.bytes(32))))));

  private NoteSigner signer(int authority, int seed) {
    return NoteSigner.fromSeed(CommitteeMember.noteName(authority), seeds.get(seed));
  }

  /** Authority 4 has the key of a seed of its own in each epoch. */
  private Committee committee(int epoch, List<FormerCommittee> former) {
    List<CommitteeMember> members = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      Ed25519PublicKey key = signer(i, i == 4 && epoch == 1 ? 0 : i).publicKey().publicKey();
      members.add(new CommitteeMember(i, G2, G2, G1, key));
    }
    return new Committee(NETWORK, epoch, 1, G2, G2, G1, members, former);
  }

  private SignedStates signed(int authority, SerialStates what) {
    return SignedStates.sign(signer(authority, authority), authority, NETWORK, nonce, what);
  }

  @Test
  void aSignatureBindsNonceNetworkAuthorityAndEveryState() {
    SignedStates signed = signed(2, states);
    assertThat(signed.isSigned(committee, nonce, UNTIL)).isTrue();
    assertThat(signed.isSigned(committee, Digest32.of(new byte[32]), UNTIL)).isFalse();

    List<SerialStates.State> both = states.states();
    List<SerialStates> altered =
        List.of(
            new SerialStates(8, floors, both),
            new SerialStates(7, new StateFloors(4, 14, floors.period()), both),
            new SerialStates(7, new StateFloors(3, 15, floors.period()), both),
            new SerialStates(7, new StateFloors(3, 14, new Period(202612)), both),
            new SerialStates(7, floors, both.subList(0, 1)),
            new SerialStates(7, floors, both.reversed()),
            new SerialStates(7, floors, List.of(both.get(0), SerialStates.State.free(held))),
            new SerialStates(
                7,
                floors,
                List.of(both.get(0), SerialStates.State.held(held, core, Optional.empty()))));
    for (SerialStates other : altered) {
      assertThat(new SignedStates(2, other, signed.signature()).isSigned(committee, nonce, UNTIL))
          .as("%s", other)
          .isFalse();
    }
    for (int other : List.of(1, 3, 4, 5)) {
      assertThat(
              new SignedStates(other, states, signed.signature()).isSigned(committee, nonce, UNTIL))
          .isFalse();
    }
  }

  @Test
  void aFormerKeyCountsUntilItsTime() {
    Committee now =
        committee(
            2,
            List.of(new FormerCommittee(committee, Digest32.of(samples.bytes(32)), UNTIL, UNTIL)));
    SignedStates old = SignedStates.sign(signer(4, 0), 4, NETWORK, nonce, states);
    assertThat(old.isSigned(now, nonce, UNTIL.minusMillis(1))).isTrue();
    assertThat(old.isSigned(now, nonce, UNTIL)).isFalse();
    assertThat(signed(4, states).isSigned(now, nonce, UNTIL)).isTrue();
    assertThat(signed(4, states).isSigned(committee, nonce, UNTIL)).isFalse();
  }

  @Test
  void theSignedBytesAreThoseOfTheSpecification() {
    HexFormat hex = HexFormat.of();
    String expected =
        hex.formatHex("solidus/state/v1\0".getBytes(StandardCharsets.US_ASCII))
            + NETWORK.digest().hex()
            + nonce.hex()
            + "0000000000000007"
            + "0000000000000003"
            + "000000000000000e"
            + hex.formatHex(new byte[] {0, 3, 0x17, 0x73})
            + "02"
            + free.hex()
            + "00"
            + "00".repeat(64)
            + held.hex()
            + "01"
            + core.hex()
            + states.states().get(1).request().orElseThrow().hex();
    assertThat(hex.formatHex(SignedStates.message(NETWORK, nonce, states))).isEqualTo(expected);
  }

  @Test
  void countsAreBounded() {
    assertThatThrownBy(() -> new SerialStates(1, floors, List.of()))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() ->
            new SerialStates(1, floors, Collections.nCopies(2, SerialStates.State.free(free))))
        .isInstanceOf(ProtocolException.class);
    List<SerialStates.State> many =
        IntStream.range(0, 65).mapToObj(i -> SerialStates.State.free(samples.serial())).toList();
    assertThat(new SerialStates(1, floors, many.subList(0, 64)).serials()).hasSize(64);
    assertThatThrownBy(() -> new SerialStates(1, floors, many))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> new StateFloors(-1, 0, Period.NONE))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void floorsRiseKindByKindAndAdmitWhatIsNotBelow() {
    assertThat(floors.max(new StateFloors(5, 2, new Period(202612))))
        .isEqualTo(new StateFloors(5, 14, new Period(202612)));
    assertThat(floors.max(StateFloors.NONE)).isEqualTo(floors);
    assertThat(floors.admit(3, 14, new Period(202611))).isTrue();
    assertThat(floors.admit(2, 14, new Period(202611))).isFalse();
    assertThat(floors.admit(3, 13, new Period(202611))).isFalse();
    assertThat(floors.admit(3, 14, new Period(202610))).isFalse();
  }
}
