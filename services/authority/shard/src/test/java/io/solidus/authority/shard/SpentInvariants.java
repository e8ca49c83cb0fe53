package io.solidus.authority.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.TxCore;
import io.solidus.wire.v1.PartialSignature;
import io.solidus.wire.v1.SerialState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The invariants of an authority's shards, whatever number of splits there was. */
final class SpentInvariants {

  private final LocalAuthority authority;

  SpentInvariants(LocalAuthority authority) {
    this.authority = authority;
  }

  /**
   * Checks all invariants.
   *
   * @param acknowledged every answer that a client received
   */
  void hold(Map<SpendRequest<Transfer>, PartialSignature> acknowledged) {
    noSerialHasTwoCores();
    everyAnswerIsAtItsOwner(acknowledged);
    everySignatureThatLeftIsAcknowledged(acknowledged.keySet());
    everySignedCoreIsCountedOnce();
    everyRowOfARangeIsAtItsOwner();
    everyOtherRequestIsRejected(acknowledged.keySet());
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

  private void everyAnswerIsAtItsOwner(Map<SpendRequest<Transfer>, PartialSignature> acknowledged) {
    acknowledged.forEach((request, answer) -> {
      LocalShard owner = authority.ownerOf(request.lead());
      assertThat(owner.lookUps.core(request.core(), request.lead())).isEqualTo(answer);
      for (SerialNumber serial : request.serials()) {
        SerialState state = authority.ownerOf(serial).lookUps.serials(List.of(serial)).getFirst();
        assertThat(TxCore.of(state.getCore().toByteArray())).isEqualTo(request.core());
        if (serial.equals(request.lead())) {
          assertThat(state.getSigned()).isEqualTo(answer);
        }
      }
      otherShardsReject(request.lead(), owner);
    });
  }

  private void otherShardsReject(SerialNumber serial, LocalShard owner) {
    for (LocalShard shard : authority.shards()) {
      if (shard != owner) {
        assertThat(LocalAuthority.isMoved(outcomeOf(() -> shard.lookUps.serials(List.of(serial)))))
            .isTrue();
      }
    }
  }

  /** A signature whose client did not receive it is there for the next request. */
  private void everySignatureThatLeftIsAcknowledged(
      Collection<SpendRequest<Transfer>> acknowledged) {
    Map<TxCore, SpendRequest<Transfer>> known =
        acknowledged.stream().collect(Collectors.toMap(SpendRequest::core, s -> s));
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
            .as("rows of the range of shard %s that it lacks", shard.number)
            .isZero();
      }
    }
  }

  private void everyOtherRequestIsRejected(Collection<SpendRequest<Transfer>> acknowledged) {
    for (SpendRequest<Transfer> request : acknowledged.stream().limit(200).toList()) {
      SerialNumber fresh = authority.transfers.serial(s -> true);
      for (SerialNumber again : request.serials()) {
        SpendRequest<Transfer> asLead =
            authority.request(
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

  private static Outcome<Object> outcomeOf(Supplier<Object> work) {
    try {
      return Outcome.done(work.get());
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }
}
