package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardMapTest {
  private final Samples samples = new Samples(5);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, ShardMap.MAX_SHARDS})
  @Spec("V-16")
  void everySerialHasExactlyOneOwner(int shards) {
    ShardMap map = ShardMap.equal(shards);
    int[] owned = new int[shards];
    for (int i = 0; i < 2000; i++) {
      SerialNumber serial = samples.serial();
      List<Integer> owners = new java.util.ArrayList<>();
      for (int s = 0; s < shards; s++) {
        if (map.ranges().get(s).contains(serial)) {
          owners.add(s);
        }
      }
      assertThat(owners).containsExactly(map.owner(serial));
      owned[map.owner(serial)]++;
    }
    if (shards <= 7) {
      // parts of [0, r), not of [0, 2^256), so that load is even
      for (int count : owned) {
        assertThat(count).isBetween(1600 / shards, 2400 / shards);
      }
    }
  }

  @Test
  void boundsBelongToTheUpperShard() {
    ShardMap map = ShardMap.equal(3);
    for (int i = 1; i < 3; i++) {
      FieldElement bound = map.ranges().get(i).lo();
      FieldElement below = FieldElement.of(bound.toBigInteger().subtract(java.math.BigInteger.ONE));
      assertThat(map.owner(new SerialNumber(bound))).isEqualTo(i);
      assertThat(map.owner(new SerialNumber(below))).isEqualTo(i - 1);
    }
    assertThat(map.owner(new SerialNumber(FieldElement.ZERO))).isZero();
    FieldElement last = FieldElement.of(FieldElement.MODULUS.subtract(java.math.BigInteger.ONE));
    assertThat(map.owner(new SerialNumber(last))).isEqualTo(2);
  }

  @Test
  void refusesGapsOverlapsAndOpenEnds() {
    FieldElement a = FieldElement.ofLong(10);
    FieldElement b = FieldElement.ofLong(20);
    for (List<ShardRange> ranges :
        List.of(
            List.<ShardRange>of(),
            List.of(new ShardRange(a, null)),
            List.of(new ShardRange(FieldElement.ZERO, a)),
            List.of(new ShardRange(FieldElement.ZERO, a), new ShardRange(b, null)),
            List.of(new ShardRange(FieldElement.ZERO, b), new ShardRange(a, null)),
            List.of(new ShardRange(b, null), new ShardRange(FieldElement.ZERO, a)),
            List.of(new ShardRange(FieldElement.ZERO, a), new ShardRange(FieldElement.ZERO, null)),
            List.of(new ShardRange(FieldElement.ZERO, null), new ShardRange(a, null)))) {
      Rejected.malformed(() -> new ShardMap(1, 1, ranges));
    }
    Rejected.malformed(() -> new ShardRange(a, a));
    Rejected.malformed(() -> ShardMap.equal(0));
    Rejected.malformed(() -> ShardMap.equal(ShardMap.MAX_SHARDS + 1));
  }

  /**
   * After any number of splits each serial number has one owner, and only the split range moved.
   */
  @Test
  void splitsGiveTheUpperPartToANewShard() {
    Random random = new Random(11);
    ShardMap map = ShardMap.equal(3, 1, 2);
    while (map.shards() < ShardMap.MAX_SHARDS) {
      int cut = random.nextInt(map.shards());
      FieldElement at = map.ranges().get(cut).middle();
      ShardMap next = map.split(cut, at);
      assertThat(next.version()).isEqualTo(map.version() + 1);
      assertThat(next.authority()).isEqualTo(3);
      assertThat(next.shards()).isEqualTo(map.shards() + 1);
      for (int i = 0; i < 50; i++) {
        SerialNumber serial = samples.serial();
        int before = map.owner(serial);
        boolean moves = before == cut && serial.value().compareTo(at) >= 0;
        assertThat(next.owner(serial)).isEqualTo(moves ? map.shards() : before);
        assertThat(next.ranges().stream().filter(range -> range.contains(serial))).hasSize(1);
      }
      assertThat(next.owner(new SerialNumber(at))).isEqualTo(map.shards());
      map = next;
    }
    assertThat(ShardMap.parse(Samples.NETWORK, map.toNoteText(Samples.NETWORK))).isEqualTo(map);
    ShardMap full = map;
    Rejected.malformed(() -> full.split(0, full.ranges().get(0).middle()));
  }

  @Test
  void splitsOnlyInsideARange() {
    ShardMap map = ShardMap.equal(2);
    ShardRange upper = map.ranges().get(1);
    Rejected.malformed(() -> map.split(1, upper.lo()));
    Rejected.malformed(() -> map.split(0, upper.lo()));
    Rejected.malformed(() -> map.split(1, FieldElement.ZERO));
    Rejected.malformed(() -> map.split(2, upper.middle()));
    Rejected.malformed(() -> map.split(-1, upper.middle()));
    FieldElement last = FieldElement.of(FieldElement.MODULUS.subtract(java.math.BigInteger.ONE));
    ShardMap narrow = map.split(1, last);
    assertThat(narrow.ranges().get(2).middle()).as("a range of one element").isEqualTo(last);
    Rejected.malformed(() -> narrow.split(2, last));
  }

  @Test
  void theLargestMapFitsASignedNote() {
    NoteSigner signer = signer(7);
    ShardMap map = ShardMap.equal(Committee.MAX_MEMBERS, Long.MAX_VALUE, ShardMap.MAX_SHARDS);
    String note = map.sign(Samples.NETWORK, signer);
    assertThat(ShardMap.signed(Samples.NETWORK, Committee.MAX_MEMBERS, signer.publicKey(), note))
        .isEqualTo(map);
  }

  @Test
  void acceptsOnlyASignatureOfItsAuthority() {
    NoteSigner signer = signer(7);
    String note = ShardMap.equal(2, 5, 4).sign(Samples.NETWORK, signer);
    assertThat(ShardMap.signed(Samples.NETWORK, 2, signer.publicKey(), note))
        .isEqualTo(ShardMap.equal(2, 5, 4));
    Rejected.with(
        RejectionCode.SIGNATURE_INVALID,
        () -> ShardMap.signed(Samples.NETWORK, 2, signer(8).publicKey(), note));
    Rejected.malformed(() -> ShardMap.signed(Samples.NETWORK, 3, signer.publicKey(), note));
    Rejected.with(
        RejectionCode.WRONG_NETWORK,
        () -> ShardMap.signed(new NetworkId("other-net"), 2, signer.publicKey(), note));
  }

  /** Changes each character of a note. */
  @Test
  void everyAlteredNoteIsRefused() {
    NoteSigner signer = signer(7);
    String note = ShardMap.equal(2, 5, 2).sign(Samples.NETWORK, signer);
    for (int i = 0; i < note.length(); i++) {
      for (char other : new char[] {'0', '1', 'p', '\n', ' '}) {
        if (note.charAt(i) != other) {
          String altered = note.substring(0, i) + other + note.substring(i + 1);
          ProtocolException refusal =
              catchThrowableOfType(
                  ProtocolException.class,
                  () -> ShardMap.signed(Samples.NETWORK, 2, signer.publicKey(), altered));
          assertThat(refusal).as("at %s: %s", i, altered).isNotNull();
        }
      }
    }
  }

  /** With two texts for one map, two readers of a signed text could differ. */
  @Test
  void everyMapHasExactlyOneText() {
    String text = ShardMap.equal(2, 5, 2).toNoteText(Samples.NETWORK);
    String bound = ShardMap.equal(2).ranges().get(1).lo().hex();
    Rejected.malformed(() ->
        ShardMap.parse(
            Samples.NETWORK, text.replace(bound, bound.toUpperCase(java.util.Locale.ROOT))));
    Rejected.malformed(() -> ShardMap.parse(Samples.NETWORK, text + "more: 1\n"));
  }

  private static NoteSigner signer(int seed) {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) seed;
    return NoteSigner.fromSeed(CommitteeMember.noteName(2), bytes);
  }

  @Test
  void textRoundTrips() {
    ShardMap map = ShardMap.equal(2, 5, 4);
    assertThat(ShardMap.parse(Samples.NETWORK, map.toNoteText(Samples.NETWORK))).isEqualTo(map);
    Rejected.malformed(() ->
        ShardMap.parse(
            Samples.NETWORK, map.toNoteText(Samples.NETWORK).replace("shards: 4", "shards: 3")));
    Rejected.malformed(
        () -> ShardMap.parse(Samples.NETWORK, map.toNoteText(Samples.NETWORK).replace("..", "-")));
  }

  @Test
  void sanctionListRoundTripsAndItsDigestBindsTheNetwork() {
    List<SanctionKey> keys =
        java.util.stream.Stream.generate(() -> SanctionKey.of(new Apk(samples.field())))
            .limit(50)
            .sorted()
            .toList();
    SanctionList list = new SanctionList(keys);
    assertThat(SanctionList.fromBytes(list.toBytes())).isEqualTo(list);
    assertThat(list.digest(Samples.NETWORK)).isNotEqualTo(list.digest(new NetworkId("other-net")));
    Rejected.malformed(() -> SanctionList.fromBytes(new byte[21]));
  }
}
