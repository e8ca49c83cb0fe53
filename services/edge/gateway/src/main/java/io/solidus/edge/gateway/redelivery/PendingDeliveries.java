package io.solidus.edge.gateway.redelivery;

import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
import io.solidus.protocol.TxCore;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The bounded table of requests that some authority has not answered. */
@Repository
class PendingDeliveries {
  /**
   * Beyond this many rows nothing is added: redelivery helps a returning authority catch up, safety
   * does not need it. Each authority has an equal part, so that one that never signs does not take
   * the places of one that was away.
   */
  static final int MAX_ROWS = 200_000;

  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofMinutes(5);
  private static final int MAX_DOUBLINGS = 10;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final int maxOfOne;
  private final Map<Integer, AtomicLong> rows = new ConcurrentHashMap<>();

  @Autowired
  PendingDeliveries(JdbcClient jdbc, Clock clock, Committee committee) {
    this(jdbc, clock, MAX_ROWS / committee.n());
  }

  /**
   * @param maxOfOne rows of one authority
   */
  PendingDeliveries(JdbcClient jdbc, Clock clock, int maxOfOne) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.maxOfOne = maxOfOne;
  }

  /**
   * @param request canonical bytes with the certificate
   */
  record Row(byte[] core, int authority, int family, byte[] request, int attempts) {}

  void add(TxCore core, Family family, byte[] request, List<Integer> authorities) {
    for (int authority : authorities) {
      if (rows(authority).get() >= maxOfOne) {
        continue;
      }
      int added =
          jdbc.sql(
                  "INSERT INTO pending_delivery (core, authority, family, request, next_attempt_at)"
                      + " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
              .params(core.bytes(), authority, family.code(), request, in(FIRST_DELAY))
              .update();
      rows(authority).addAndGet(added);
    }
  }

  List<Row> due(int authority, int limit) {
    return jdbc.sql(
            "SELECT core, authority, family, request, attempts FROM pending_delivery"
                + " WHERE authority = ? AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?")
        .params(authority, in(Duration.ZERO), limit)
        .query((set, n) ->
            new Row(set.getBytes(1), set.getInt(2), set.getInt(3), set.getBytes(4), set.getInt(5)))
        .list();
  }

  void done(Row row) {
    jdbc.sql("DELETE FROM pending_delivery WHERE core = ? AND authority = ?")
        .params(row.core(), row.authority())
        .update();
  }

  void later(Row row) {
    Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(row.attempts(), MAX_DOUBLINGS));
    jdbc.sql(
            "UPDATE pending_delivery SET attempts = attempts + 1, next_attempt_at = ? WHERE core = ? AND authority = ?")
        .params(in(delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay), row.core(), row.authority())
        .update();
  }

  /** Counts an authority's rows, for the bound and for the gauge. */
  void recount(int authority) {
    rows(authority)
        .set(
            jdbc.sql("SELECT count(*) FROM pending_delivery WHERE authority = ?")
                .param(authority)
                .query(Long.class)
                .single());
  }

  /** Of all authorities. */
  long count() {
    return rows.values().stream().mapToLong(AtomicLong::get).sum();
  }

  private AtomicLong rows(int authority) {
    return rows.computeIfAbsent(authority, any -> new AtomicLong());
  }

  private Timestamp in(Duration delay) {
    return Timestamp.from(clock.instant().plus(delay));
  }
}
