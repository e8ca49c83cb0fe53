package io.solidus.platform.outbox;

import io.solidus.wire.v1.EventEnvelope;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Where facts are written in the transaction that makes them true; the relay publishes them in
 * order, at least once.
 */
public class Outbox {
  private final JdbcClient jdbc;
  private final Runnable wakeRelay;

  /** An outbox whose relay finds new events by itself. */
  public Outbox(JdbcClient jdbc) {
    this(jdbc, () -> {});
  }

  Outbox(JdbcClient jdbc, Runnable wakeRelay) {
    this.jdbc = jdbc;
    this.wakeRelay = wakeRelay;
  }

  /**
   * @throws IllegalStateException outside a transaction: a fact and its event stand or fall
   *     together
   */
  public void append(String topic, byte[] key, EventEnvelope event) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("events are appended in the transaction of their fact");
    }
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
