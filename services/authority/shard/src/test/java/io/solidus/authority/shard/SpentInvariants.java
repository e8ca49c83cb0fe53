package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.Submitted.Transfer;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SerialState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What has to hold of an authority's shards however often its ranges were split. */
final class SpentInvariants {

  private final LocalAuthority authority;

  SpentInvariants(LocalAuthority authority) {
    this.authority = authority;
  }

  /**
   * @param acknowledged every answer that a client got
   */
  void hold(Map<Spend<Transfer>, PartialSignature> acknowledged) {
    noSerialHasTwoCores();
    everyAnswerIsAtItsOwner(acknowledged);
    everySignatureOnTheTapIsStored(acknowledged.keySet());
    everySignedCoreIsCountedOnce();
    everyRowOfARangeIsAtItsOwner();
    everyOtherSpendIsRefused(acknowledged.keySet());
  }

  private void noSerialHasTwoCores() {
    assertThat(
            count(
                "SELECT count(*) FROM (SELECT serial FROM ("
                    + union("serials", "serial, core")
                    + ") AS rows"
                    + " GROUP BY serial HAVING count(DISTINCT core) > 1) AS doubled"))
        .as("serial numbers with two cores")
        .isZero();
  }

  private void everyAnswerIsAtItsOwner(Map<Spend<Transfer>, PartialSignature> acknowledged) {
    acknowledged.forEach((spend, answer) -> {
      LocalShard owner = authority.ownerOf(spend.lead());
      assertThat(owner.lookUps.core(spend.core(), spend.lead())).isEqualTo(answer);
      for (SerialNumber serial : spend.serials()) {
        SerialState state = authority.ownerOf(serial).lookUps.serials(List.of(serial)).getFirst();
        assertThat(TxCore.of(state.getCore().toByteArray())).isEqualTo(spend.core());
        if (serial.equals(spend.lead())) {
          assertThat(state.getSigned()).isEqualTo(answer);
        }
      }
      othersRefuse(spend.lead(), owner);
    });
  }

  private void othersRefuse(SerialNumber serial, LocalShard owner) {
    for (LocalShard shard : authority.shards()) {
      if (shard != owner) {
        assertThat(LocalAuthority.isMoved(tried(() -> shard.lookUps.serials(List.of(serial)))))
            .isTrue();
      }
    }
  }

  /** A signature that left for a client who never heard of it is there when he asks again. */
  private void everySignatureOnTheTapIsStored(Collection<Spend<Transfer>> acknowledged) {
    Map<TxCore, Spend<Transfer>> known =
        acknowledged.stream().collect(Collectors.toMap(Spend::core, s -> s));
    assertThat(known.keySet()).containsAll(authority.tap.signed.keySet());
  }

  private void everySignedCoreIsCountedOnce() {
    long counted = authority.shards().stream().mapToLong(shard -> shard.cores.signedCount()).sum();
    assertThat(counted).isEqualTo(authority.tap.signed.size());
  }

  private void everyRowOfARangeIsAtItsOwner() {
    ShardMap map = authority.newestMap();
    for (LocalShard shard : authority.shards()) {
      if (shard.number < map.shards()) {
        String lo = hex(map.ranges().get(shard.number).lo().hex());
        var end = map.ranges().get(shard.number).hiExclusive();
        String within =
            " WHERE serial >= " + lo + (end == null ? "" : " AND serial < " + hex(end.hex()));
        assertThat(
                count(
                    "SELECT count(*) FROM ((SELECT serial, core FROM ("
                        + union("serials", "serial, core")
                        + ") AS rows"
                        + within
                        + ") EXCEPT SELECT serial, core FROM "
                        + ShardSchema.name(shard.number)
                        + ".serials) AS lost"))
            .as("rows of the range of shard %s that it does not have", shard.number)
            .isZero();
      }
    }
  }

  private void everyOtherSpendIsRefused(Collection<Spend<Transfer>> acknowledged) {
    for (Spend<Transfer> spend : acknowledged.stream().limit(200).toList()) {
      SerialNumber fresh = authority.transfers.serial(s -> true);
      for (SerialNumber again : spend.serials()) {
        Spend<Transfer> asLead =
            authority.spend(
                authority.transfers.spending(again, fresh, authority.transfers.serial(s -> true)));
        Outcome<PartialSignature> outcome = authority.submit(asLead);
        assertThat(LocalAuthority.hasCode(outcome, RejectionCode.SERIAL_CONFLICT))
            .as("%s", outcome)
            .isTrue();
      }
    }
  }

  private String union(String table, String columns) {
    return authority.shards().stream()
        .map(shard -> "SELECT " + columns + " FROM " + ShardSchema.name(shard.number) + "." + table)
        .collect(Collectors.joining(" UNION ALL "));
  }

  private long count(String sql) {
    return authority.jdbc.sql(sql).query(Long.class).single();
  }

  private static String hex(String value) {
    return "'\\x" + value + "'::bytea";
  }

  private static Outcome<Object> tried(java.util.function.Supplier<Object> work) {
    try {
      return Outcome.done(work.get());
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }
}
