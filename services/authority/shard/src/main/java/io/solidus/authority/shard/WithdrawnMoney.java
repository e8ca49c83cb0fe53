package io.solidus.authority.shard;

import io.solidus.authority.shard.SubmittedRequest.Transfer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Counts withdrawals when they are reserved for the first time, in the same transaction. */
class WithdrawnMoney implements SqlSpendStore.FirstTime<Transfer> {

  private final JdbcClient jdbc;
  private final Clock clock;

  WithdrawnMoney(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  @Override
  public void count(List<SpendRequest<Transfer>> requests) {
    List<SpendRequest<Transfer>> withdrawals =
        requests.stream().filter(request -> withdrawn(request) > 0).toList();
    if (withdrawals.isEmpty()) {
      return;
    }
    // a core whose range moved here was counted before the move
    Set<TxCore> known = known(withdrawals);
    long amount =
        withdrawals.stream()
            .filter(request -> !known.contains(request.core()))
            .mapToLong(WithdrawnMoney::withdrawn)
            .sum();
    if (amount > 0) {
      jdbc.sql("INSERT INTO authority.withdrawn_batches (day, amount_minor) VALUES (:day, :amount)")
          .param("day", LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC))
          .param("amount", amount)
          .update();
    }
  }

  private Set<TxCore> known(List<SpendRequest<Transfer>> withdrawals) {
    Set<TxCore> known = new HashSet<>();
    jdbc.sql("SELECT core FROM cores WHERE core = ANY (:cores::bytea[])")
        .param(
            "cores",
            withdrawals.stream().map(request -> request.core().bytes()).toArray(byte[][]::new))
        .query(rs -> {
          known.add(TxCore.of(rs.getBytes(1)));
        });
    return known;
  }

  private static long withdrawn(SpendRequest<Transfer> request) {
    return request.content().request().statement().withdrawn().minor();
  }
}
