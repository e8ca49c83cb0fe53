package io.solidus.platform.outbox;

import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Removes events that were published long ago. Kafka holds them; the rows are kept for a while for
 * whoever looks into a fault.
 */
final class OutboxCleanUp {
  static final Duration KEPT = Duration.ofDays(30);
  private static final int BATCH = 1_000;

  private final JdbcClient jdbc;

  OutboxCleanUp(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Removes old events, in batches so that no transaction is long. */
  void run() {
    while (removeBatch() == BATCH) {
      // the next batch
    }
  }

  private int removeBatch() {
    return jdbc.sql(
            """
            DELETE FROM outbox WHERE sequence = ANY (ARRAY(
              SELECT sequence FROM outbox WHERE published_at < now() - make_interval(secs => :kept) ORDER BY sequence LIMIT :batch))
            """)
        .param("kept", KEPT.toSeconds())
        .param("batch", BATCH)
        .update();
  }
}
