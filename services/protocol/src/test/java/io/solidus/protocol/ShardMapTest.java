package io.solidus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardMapTest {
  private final Samples samples = new Samples(5);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 1024})
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
      // parts of [0, p), not of [0, 2^384): no hot shard
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
            List.of(new ShardRange(FieldElement.ZERO, null), new ShardRange(a, null)))) {
      Rejected.malformed(() -> new ShardMap(1, 1, ranges));
    }
    Rejected.malformed(() -> new ShardRange(a, a));
    Rejected.malformed(() -> ShardMap.equal(0));
  }

  @Test
  void textRoundTrips() {
    ShardMap map = ShardMap.equal(2, 5, 4);
    assertThat(ShardMap.parse(Samples.NETWORK, map.toNoteText(Samples.NETWORK))).isEqualTo(map);
    Rejected.malformed(
        () -> ShardMap.parse(Samples.NETWORK, map.toNoteText(Samples.NETWORK).replace("shards: 4", "shards: 3")));
    Rejected.malformed(
        () -> ShardMap.parse(Samples.NETWORK, map.toNoteText(Samples.NETWORK).replace("..", "-")));
  }

  @Test
  void sanctionListRoundTripsAndItsDigestBindsTheNetwork() {
    List<SanctionKey> keys =
        java.util.stream.Stream.generate(() -> SanctionKey.of(new Apk(samples.field()))).limit(50).sorted().toList();
    SanctionList list = new SanctionList(keys);
    assertThat(SanctionList.fromBytes(list.toBytes())).isEqualTo(list);
    assertThat(list.digest(Samples.NETWORK)).isNotEqualTo(list.digest(new NetworkId("other-net")));
    Rejected.malformed(() -> SanctionList.fromBytes(new byte[21]));
  }
}
