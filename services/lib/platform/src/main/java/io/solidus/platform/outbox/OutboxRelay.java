package io.solidus.platform.outbox;

import io.solidus.platform.database.DurableMark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Publishes the outbox in order, at least once. An advisory lock lets one relay per schema work at
 * a time. A batch counts up to its first failure.
 *
 * <p>A row whose wait for a standby was cancelled is visible, and a fail-over loses it. So the
 * relay commits a {@link DurableMark} behind the rows that it sees, and publishes none of them
 * before that commit counts.
 */
final class OutboxRelay {
  private static final int BATCH = 100;
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration SEND_LIMIT = Duration.ofSeconds(15);

  private record Row(long sequence, ProducerRecord<byte[], byte[]> event) {}

  private record Batch(int rows, int acknowledged) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final KafkaTemplate<byte[], byte[]> kafka;
  private final OutboxBacklog backlog;

  OutboxRelay(
      JdbcClient jdbc,
      TransactionTemplate transactions,
      KafkaTemplate<byte[], byte[]> kafka,
      OutboxBacklog backlog) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.kafka = kafka;
    this.backlog = backlog;
  }

  /**
   * Publishes one batch.
   *
   * @return the pause before the next; none after a full batch
   * @throws KafkaException when Kafka did not acknowledge the whole batch
   * @throws RuntimeException when the database is unavailable
   */
  Duration publish() {
    backlog.update();
    Optional<Long> last = transactions.execute(status -> markedBatch());
    if (last.isEmpty()) {
      return POLL;
    }
    Batch batch = transactions.execute(status -> publishBatch(last.get()));
    if (batch != null && batch.acknowledged() < batch.rows()) {
      throw new KafkaException("a batch was not acknowledged");
    }
    return batch != null && batch.rows() == BATCH ? Duration.ZERO : POLL;
  }

  /**
   * Leaves a mark behind the next batch.
   *
   * @return the last sequence number of the batch; empty if nothing is to be published
   */
  private Optional<Long> markedBatch() {
    Optional<Long> last =
        jdbc.sql(
                "SELECT max(sequence) FROM"
                    + " (SELECT sequence FROM outbox WHERE published_at IS NULL ORDER BY sequence LIMIT ?) batch")
            .param(BATCH)
            .query((row, n) -> Optional.ofNullable(row.getObject(1, Long.class)))
            .single();
    if (last.isPresent()) {
      DurableMark.leave(jdbc);
    }
    return last;
  }

  private Batch publishBatch(long last) {
    boolean alone =
        jdbc.sql(
                "SELECT pg_try_advisory_xact_lock(hashtextextended('solidus/outbox/' || current_schema(), 0))")
            .query(Boolean.class)
            .single();
    if (!alone) {
      return new Batch(0, 0);
    }
    List<Row> rows =
        jdbc.sql(
                "SELECT sequence, topic, message_key, payload FROM outbox"
                    + " WHERE published_at IS NULL AND sequence <= ? ORDER BY sequence LIMIT ?")
            .params(last, BATCH)
            .query((row, n) ->
                new Row(
                    row.getLong(1),
                    new ProducerRecord<>(row.getString(2), row.getBytes(3), row.getBytes(4))))
            .list();
    List<CompletableFuture<?>> sends = new ArrayList<>(rows.size());
    for (Row row : rows) {
      sends.add(kafka.send(row.event()));
    }
    int acknowledged = acknowledged(sends);
    for (Row row : rows.subList(0, acknowledged)) {
      jdbc.sql("UPDATE outbox SET published_at = now() WHERE sequence = ?")
          .param(row.sequence())
          .update();
    }
    return new Batch(rows.size(), acknowledged);
  }

  /**
   * Returns how many of the first sends Kafka acknowledged. Those after a failure are sent again;
   * consumers ignore the repetition.
   */
  private static int acknowledged(List<CompletableFuture<?>> sends) {
    long deadline = System.nanoTime() + SEND_LIMIT.toNanos();
    int acknowledged = 0;
    for (CompletableFuture<?> send : sends) {
      try {
        send.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        acknowledged++;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return acknowledged;
      } catch (ExecutionException | TimeoutException e) {
        return acknowledged;
      }
    }
    return acknowledged;
  }
}
