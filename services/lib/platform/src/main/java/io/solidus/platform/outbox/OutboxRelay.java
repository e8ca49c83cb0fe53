package io.solidus.platform.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Publishes the outbox in order, at least once. One relay works at a time per schema (an advisory
 * lock), a batch counts up to its first failure, and failures are retried with growing pauses for
 * as long as Kafka or the database is away.
 */
final class OutboxRelay implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final int BATCH = 100;
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration SEND_LIMIT = Duration.ofSeconds(15);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

  private record Row(long sequence, String topic, byte[] key, byte[] payload) {}

  private enum Outcome {
    /** Nothing was left, or another relay is at work. */
    IDLE,
    /** A whole batch went out; there may be more. */
    MORE,
    /** Kafka did not take all of a batch. */
    FAILED
  }

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final KafkaTemplate<byte[], byte[]> kafka;
  private final OutboxBacklog backlog;
  private final Semaphore wake = new Semaphore(0);
  private volatile boolean running;
  private volatile @Nullable Thread thread;

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

  /** Makes the relay look at once instead of at its next poll. */
  void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  @Override
  public void start() {
    running = true;
    thread = Thread.ofVirtual().name("outbox-relay").start(this::loop);
  }

  @Override
  public void stop() {
    running = false;
    Thread relay = thread;
    if (relay != null) {
      relay.interrupt();
      try {
        relay.join(SEND_LIMIT);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void loop() {
    Duration backoff = POLL;
    try {
      while (running) {
        backlog.look();
        switch (publish()) {
          case MORE -> backoff = POLL;
          case IDLE -> {
            backoff = POLL;
            if (wake.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
              wake.drainPermits();
            }
          }
          case FAILED -> {
            LOG.warn("outbox waits {} ms", backoff.toMillis());
            Thread.sleep(backoff);
            backoff =
                backoff.multipliedBy(2).compareTo(MAX_BACKOFF) < 0
                    ? backoff.multipliedBy(2)
                    : MAX_BACKOFF;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Outcome publish() {
    try {
      Outcome outcome = transactions.execute(status -> publishBatch());
      return outcome == null ? Outcome.IDLE : outcome;
    } catch (RuntimeException e) {
      LOG.warn("outbox: {}", e.getClass().getSimpleName());
      return Outcome.FAILED;
    }
  }

  private Outcome publishBatch() {
    boolean alone =
        jdbc.sql(
                "SELECT pg_try_advisory_xact_lock(hashtextextended('solidus/outbox/' || current_schema(), 0))")
            .query(Boolean.class)
            .single();
    if (!alone) {
      return Outcome.IDLE;
    }
    List<Row> rows =
        jdbc.sql(
                "SELECT sequence, topic, message_key, payload FROM outbox WHERE published_at IS NULL"
                    + " ORDER BY sequence LIMIT ?")
            .param(BATCH)
            .query((row, n) ->
                new Row(row.getLong(1), row.getString(2), row.getBytes(3), row.getBytes(4)))
            .list();
    List<CompletableFuture<?>> sends = new ArrayList<>(rows.size());
    for (Row row : rows) {
      sends.add(kafka.send(row.topic(), row.key(), row.payload()));
    }
    int taken = taken(sends);
    for (Row row : rows.subList(0, taken)) {
      jdbc.sql("UPDATE outbox SET published_at = now() WHERE sequence = ?")
          .param(row.sequence())
          .update();
    }
    if (taken < rows.size()) {
      return Outcome.FAILED;
    }
    return rows.size() == BATCH ? Outcome.MORE : Outcome.IDLE;
  }

  /**
   * How many of the first sends Kafka acknowledged; those after a failure are sent again, which
   * consumers do not notice.
   */
  private static int taken(List<CompletableFuture<?>> sends) {
    long deadline = System.nanoTime() + SEND_LIMIT.toNanos();
    int taken = 0;
    for (CompletableFuture<?> send : sends) {
      try {
        send.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        taken++;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return taken;
      } catch (ExecutionException | TimeoutException e) {
        return taken;
      }
    }
    return taken;
  }
}
