package io.solidus.platform.outbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * How far the outbox is behind. The relay looks now and then; whoever collects metrics never waits
 * for the database.
 */
final class OutboxBacklog {
  private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

  /**
   * More than this is counted as this: the count must stay cheap when Kafka has been away for a
   * day.
   */
  private static final int MOST = 100_000;

  private record Seen(double waiting, double oldestSeconds) {}

  private static final Seen UNKNOWN = new Seen(Double.NaN, Double.NaN);

  private final JdbcClient jdbc;
  private volatile Seen seen = UNKNOWN;
  private long next = System.nanoTime();

  OutboxBacklog(JdbcClient jdbc, MeterRegistry registry) {
    this.jdbc = jdbc;
    Gauge.builder("solidus.outbox.waiting", this, b -> b.seen.waiting())
        .description("facts not on Kafka yet, counted up to 100000")
        .register(registry);
    Gauge.builder("solidus.outbox.oldest.age", this, b -> b.seen.oldestSeconds())
        .description("age of the oldest fact not on Kafka yet; 0 when there is none")
        .baseUnit("seconds")
        .register(registry);
  }

  /** Counts when the last count is old enough; called by the relay's thread. */
  void look() {
    if (System.nanoTime() - next < 0) {
      return;
    }
    next = System.nanoTime() + INTERVAL_NANOS;
    try {
      seen =
          jdbc.sql(
                  "SELECT count(*), coalesce(extract(epoch FROM now() - min(created_at)), 0) FROM"
                      + " (SELECT created_at FROM outbox WHERE published_at IS NULL ORDER BY sequence LIMIT ?) waiting")
              .param(MOST)
              .query((row, n) -> new Seen(row.getDouble(1), Math.max(0, row.getDouble(2))))
              .single();
    } catch (DataAccessException away) {
      seen = UNKNOWN;
    }
  }
}
