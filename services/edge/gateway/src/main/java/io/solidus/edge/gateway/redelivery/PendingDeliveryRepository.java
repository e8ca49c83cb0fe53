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

/**
 * The bounded table {@code pending_delivery}: finished requests and an authority that has not
 * signed.
 */
@Repository
class PendingDeliveryRepository {
  /**
   * Bound of the table; further rows are dropped. Redelivery only helps an authority to catch up,
   * and safety does not depend on it. Each authority has an equal part, so that an authority that
   * never signs does not take the rows of one that was unavailable.
   */
  static final int MAX_ROWS = 200_000;

  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofMinutes(5);
  private static final int MAX_DOUBLINGS = 10;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final int maxPerAuthority;
  private final Map<Integer, AtomicLong> rows = new ConcurrentHashMap<>();

  @Autowired
  PendingDeliveryRepository(JdbcClient jdbc, Clock clock, Committee committee) {
    this(jdbc, clock, MAX_ROWS / committee.n());
  }

  /**
   * @param maxPerAuthority bound of the rows of one authority
   */
  PendingDeliveryRepository(JdbcClient jdbc, Clock clock, int maxPerAuthority) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.maxPerAuthority = maxPerAuthority;
  }

  /**
   * A row of the table.
   *
   * @param request canonical bytes, for a transfer with the certificate
   */
  record Row(byte[] core, int authority, int family, byte[] request, int attempts) {}

  /** Adds a row for each of the authorities, unless its part of the table is full. */
  void add(TxCore core, Family family, byte[] request, List<Integer> authorities) {
    for (int authority : authorities) {
      if (rows(authority).get() >= maxPerAuthority) {
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

  /** The rows of an authority whose next attempt is due, oldest first. */
  List<Row> due(int authority, int limit) {
    return jdbc.sql(
            "SELECT core, authority, family, request, attempts FROM pending_delivery"
                + " WHERE authority = ? AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?")
        .params(authority, in(Duration.ZERO), limit)
        .query((set, n) ->
            new Row(set.getBytes(1), set.getInt(2), set.getInt(3), set.getBytes(4), set.getInt(5)))
        .list();
  }

  void delete(Row row) {
    jdbc.sql("DELETE FROM pending_delivery WHERE core = ? AND authority = ?")
        .params(row.core(), row.authority())
        .update();
  }

  /** Counts the attempt and postpones the next one; the delay doubles up to five minutes. */
  void postpone(Row row) {
    Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(row.attempts(), MAX_DOUBLINGS));
    jdbc.sql(
            "UPDATE pending_delivery SET attempts = attempts + 1, next_attempt_at = ?"
                + " WHERE core = ? AND authority = ?")
        .params(in(delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay), row.core(), row.authority())
        .update();
  }

  /** Reads the number of an authority's rows, for the bound and for the gauge. */
  void recount(int authority) {
    rows(authority)
        .set(
            jdbc.sql("SELECT count(*) FROM pending_delivery WHERE authority = ?")
                .param(authority)
                .query(Long.class)
                .single());
  }

  /** The number of rows of all authorities at the last count. */
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
