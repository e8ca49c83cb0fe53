package io.solidus.loadtest.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.SerialState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One authority lies in look-ups and in its status. */
@Tag("process")
class LyingReadsTest {
  private static final long KEPT_MILLIS = 1100;
  private static GatewayRig rig;

  @BeforeAll
  static void start() {
    rig = new GatewayRig(4, 2);
  }

  @AfterAll
  static void stop() throws IOException {
    rig.close();
  }

  @BeforeEach
  void endAttacks() {
    rig.endAttacks();
    rig.authorities.forEach(authority -> {
      authority.lookUps = UnaryOperator.identity();
      authority.statuses = UnaryOperator.identity();
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aSpentCoinStaysSpentAndAnUnspentOneUnspent(int liar) {
    TransferRequest paid = paidEverywhere();
    TransferRequest unpaid = rig.network.transfer();
    rig.authority(liar).lookUps =
        reply -> changed(reply, s -> s.clear().setStatus(SerialState.Status.STATUS_UNSPENT));
    assertThat(rig.wallet.state(paid)).contains("signed");
    ByteString core = ByteString.copyFrom(paid.statement().core(ForgedNetwork.NETWORK).bytes());
    rig.authority(liar).lookUps =
        reply -> changed(reply, s -> s.setStatus(SerialState.Status.STATUS_SIGNED).setCore(core));
    assertThat(rig.wallet.state(unpaid)).contains("unspent");
    rig.authority(liar).attack(Attack.WITHHOLDS);
    assertThat(rig.wallet.state(paid)).contains("signed");
    assertThat(rig.wallet.state(unpaid)).contains("unspent");
  }

  /**
   * The liar returns a well-formed request that was never submitted, instead of the one that the
   * others hold.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void theTrueRequestIsFoundBehindAForgedOne(int liar) {
    List<TransferRequest> pair = rig.network.conflict();
    TransferRequest paid = pair.getFirst();
    TransferRequest forged = pair.getLast();
    rig.authority(liar).lookUps =
        reply ->
            changed(
                reply,
                s ->
                    s.setStatus(SerialState.Status.STATUS_SIGNED)
                        .setCore(
                            ByteString.copyFrom(
                                forged.statement().core(ForgedNetwork.NETWORK).bytes()))
                        .setRequest(Codecs.toWire(forged)));
    rig.wallet.pay(paid);
    RestProbe.Answer answer = rig.rest.get(path(paid));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("core").asString(""))
        .isEqualTo(paid.statement().core(ForgedNetwork.NETWORK).hex());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void neitherAStaleNorAForgedPolicyIsServed(int liar) throws InterruptedException {
    HonestAuthority honest = rig.authority(liar).honest;
    Policy now = HonestAuthority.POLICY;
    for (long version : List.of(now.version() - 1, now.version() + 1)) {
      Policy own =
          new Policy(
              version,
              now.period(),
              now.maxHeld(),
              now.maxHeld(),
              now.maxHeld(),
              now.maxEscrow(),
              now.maxTransfersPerPeriod(),
              now.maxHeld(),
              60);
      GetStatusReply lie = honest.status(own, ShardMap.equal(liar, 1, 2));
      rig.authority(liar).statuses =
          truth -> lie.toBuilder().setPolicyVersion(Long.MAX_VALUE).build();
      Thread.sleep(KEPT_MILLIS); // the gateway caches the authorities' status for a second
      RestProbe.Answer answer = rig.rest.get("/v1/policy");
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      assertThat(Policy.parse(ForgedNetwork.NETWORK, SignedNote.parse(answer.body()).text()))
          .isEqualTo(now);
    }
  }

  private static TransferRequest paidEverywhere() {
    return Round.run(rig, Map.of(), 1).getFirst();
  }

  private static String path(TransferRequest request) {
    String lead = Base64Url.encode(request.statement().leadSerial().bytes());
    return "/v1/transfers/"
        + request.statement().core(ForgedNetwork.NETWORK).hex()
        + "?lead="
        + lead;
  }

  private static LookUpSerialsReply changed(
      LookUpSerialsReply reply, UnaryOperator<SerialState.Builder> change) {
    LookUpSerialsReply.Builder changed = LookUpSerialsReply.newBuilder();
    reply
        .getStatesList()
        .forEach(state ->
            changed.addStates(change.apply(state.toBuilder()).setSerial(state.getSerial())));
    return changed.build();
  }
}
