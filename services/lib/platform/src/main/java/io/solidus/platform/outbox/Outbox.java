package io.solidus.platform.outbox;

import io.solidus.wire.v1.EventEnvelope;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores events in the transaction of their cause. The relay publishes them in the order of their
 * commits, at least once.
 */
public class Outbox {
  private final JdbcClient jdbc;
  private final Runnable wakeRelay;

  /** Makes an outbox whose relay finds new events by itself. */
  public Outbox(JdbcClient jdbc) {
    this(jdbc, () -> {});
  }

  Outbox(JdbcClient jdbc, Runnable wakeRelay) {
    this.jdbc = jdbc;
    this.wakeRelay = wakeRelay;
  }

  /**
   * Stores an event and wakes the relay after the commit.
   *
   * @throws IllegalStateException outside a transaction, because the event must commit or roll back
   *     with its cause
   */
  public void append(String topic, byte[] key, EventEnvelope event) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("events are appended in the transaction of their cause");
    }
    CommitOrder.enter(jdbc, "outbox");
    jdbc.sql("INSERT INTO outbox (event_id, topic, message_key, payload) VALUES (?, ?, ?, ?)")
        .params(Events.eventId(event), topic, key, event.toByteArray())
        .update();
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            wakeRelay.run();
          }
        });
  }
}
