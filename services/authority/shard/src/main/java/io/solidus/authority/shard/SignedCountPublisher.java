package io.solidus.authority.shard;

import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.TransferSigned;
import java.time.Clock;
import java.util.UUID;

/**
 * Publishes how many cores this shard has signed, as a running total at intervals, so that an event
 * reveals neither the core nor the exact time.
 */
class SignedCountPublisher {

  private static final byte[] NO_KEY = new byte[0];

  private final ShardStores stores;
  private final Outbox outbox;
  private final ShardProperties properties;
  private final Clock clock;

  SignedCountPublisher(ShardStores stores, Outbox outbox, ShardProperties properties, Clock clock) {
    this.stores = stores;
    this.outbox = outbox;
    this.properties = properties;
    this.clock = clock;
  }

  /**
   * Counts and publishes in one transaction, so that the events and the database agree after any
   * crash.
   */
  void publish() {
    stores
        .transaction()
        .executeWithoutResult(t ->
            stores
                .cores()
                .count()
                .ifPresent(total -> outbox.append(Topics.SPENT, NO_KEY, event(total))));
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
