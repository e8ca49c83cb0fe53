package io.solidus.platform.audit;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Looks for events. */
final class AuditSearch {
  private final JdbcClient jdbc;
  private final AuditProperties log;
  private final EventSeals seals;

  AuditSearch(JdbcClient jdbc, AuditProperties log, EventSeals seals) {
    this.jdbc = jdbc;
    this.log = log;
    this.seals = seals;
  }

  /**
   * What is looked for; null for any.
   *
   * @param actor in any case
   * @param kind the beginning of the kind
   * @param from the first instant
   * @param to the first instant that is too late
   */
  record Query(
      @Nullable String actor,
      @Nullable String kind,
      @Nullable String object,
      @Nullable Instant from,
      @Nullable Instant to) {}

  /** Events below a sequence number, the newest first. */
  List<AuditEvent> before(Query query, long below, int limit) {
    return events(query, "e.sequence < ?", below, "DESC", limit);
  }

  /** Events above a sequence number, the oldest first. */
  List<AuditEvent> after(Query query, long above, int limit) {
    return events(query, "e.sequence > ?", above, "ASC", limit);
  }

  private List<AuditEvent> events(
      Query query, String bound, long sequence, String order, int limit) {
    StringBuilder where = new StringBuilder(bound);
    List<Object> values = new ArrayList<>(List.of(sequence));
    add(where, values, "lower(e.actor) = lower(?)", query.actor());
    add(where, values, "starts_with(e.action, ?)", query.kind());
    add(where, values, "e." + log.objectColumn() + "::text = ?", query.object());
    add(where, values, "e.at >= ?", time(query.from()));
    add(where, values, "e.at < ?", time(query.to()));
    values.add(limit);
    return jdbc.sql(
            "SELECT (SELECT position FROM event_seal s WHERE s.sequence = e.sequence), "
                + seals.columns()
                + " FROM "
                + log.table()
                + " e WHERE "
                + where
                + " ORDER BY e.sequence "
                + order
                + " LIMIT ?")
        .params(values)
        .query(seals::event)
        .list();
  }

  private static void add(
      StringBuilder where, List<Object> values, String condition, @Nullable Object value) {
    if (value != null) {
      where.append(" AND ").append(condition);
      values.add(value);
    }
  }

  private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
    return instant == null ? null : OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
