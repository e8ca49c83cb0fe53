package io.solidus.authority.shard;

import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.TransferSigned;
import java.time.Clock;
import java.util.UUID;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Publishes how many cores this shard has signed: a running total in intervals, so that an event
 * tells neither which core nor exactly when.
 */
class SpentEvents {

  private static final byte[] NO_KEY = new byte[0];

  private final CoreStore cores;
  private final Outbox outbox;
  private final TransactionTemplate transaction;
  private final ShardProperties properties;
  private final Clock clock;

  SpentEvents(
      CoreStore cores,
      Outbox outbox,
      TransactionTemplate transaction,
      ShardProperties properties,
      Clock clock) {
    this.cores = cores;
    this.outbox = outbox;
    this.transaction = transaction;
    this.properties = properties;
    this.clock = clock;
  }

  /** Counts and publishes in one transaction: the events and the ledger agree after any crash. */
  void publish() {
    transaction.executeWithoutResult(
        t -> cores.count().ifPresent(total -> outbox.append(Topics.SPENT, NO_KEY, event(total))));
  }

  private EventEnvelope event(long total) {
    return EventEnvelope.newBuilder()
        .setEventId(UUID.randomUUID().toString())
        .setType("transfer-signed")
        .setAtMillis(clock.millis())
        .setTransferSigned(
            TransferSigned.newBuilder()
                .setAuthority(properties.authority())
                .setShard(properties.shard())
                .setSignedCount(total))
        .build();
  }
}
