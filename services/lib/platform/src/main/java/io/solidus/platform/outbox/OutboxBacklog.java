package io.solidus.platform.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Metrics of the events that the outbox has not published yet. The relay updates them, so that a
 * collector of metrics never waits for the database.
 */
final class OutboxBacklog {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

  /** Counting stops here, so that it stays cheap after Kafka was unavailable for a day. */
  private static final int MOST = 100_000;

  private record Backlog(double waiting, double oldestSeconds) {}

  private static final Backlog UNKNOWN = new Backlog(Double.NaN, Double.NaN);

  private final JdbcClient jdbc;
  private volatile Backlog newest = UNKNOWN;
  private long next = System.nanoTime();

  OutboxBacklog(JdbcClient jdbc, MeterRegistry registry) {
    this.jdbc = jdbc;
    Gauge.builder("solidus.outbox.waiting", this, b -> b.newest.waiting())
        .description("facts not on Kafka yet, counted up to 100000")
        .register(registry);
    Gauge.builder("solidus.outbox.oldest.age", this, b -> b.newest.oldestSeconds())
        .description("age of the oldest event that is not on Kafka yet; 0 without such an event")
        .baseUnit("seconds")
        .register(registry);
  }

  /** Counts if the last count is old enough. Only the relay's thread calls it. */
  void update() {
    if (System.nanoTime() - next < 0) {
      return;
    }
    next = System.nanoTime() + INTERVAL_NANOS;
    try {
      newest =
          jdbc.sql(
                  "SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0) FROM"
                      + " (SELECT created_at FROM outbox WHERE published_at IS NULL ORDER BY sequence LIMIT ?) waiting")
              .param(MOST)
              .query((row, n) -> new Backlog(row.getDouble(1), Math.max(0, row.getDouble(2))))
              .single();
    } catch (DataAccessException e) {
      newest = UNKNOWN;
    }
  }
}
