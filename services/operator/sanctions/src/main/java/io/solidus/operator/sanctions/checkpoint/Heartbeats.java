package io.solidus.operator.sanctions.checkpoint;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Sends a signed heartbeat with the newest checkpoint's version every few seconds. The version is
 * read from the database for each heartbeat and never cached: a heartbeat with an older version
 * would let listed addresses continue to pay. Heartbeats bypass the outbox because a late one is
 * worthless. While Kafka is unavailable, validators fetch them by REST.
 */
@Component
class Heartbeats implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);
  private static final byte[] KEY = "heartbeat".getBytes(StandardCharsets.US_ASCII);

  private final CheckpointStore store;
  private final Checkpoints checkpoints;
  private final NetworkId network;
  private final NoteSigner signer;
  private final KafkaTemplate<byte[], byte[]> kafka;
  private final Duration interval;
  private final Clock clock;
  private final Counter sent;
  private final Counter failed;
  private volatile boolean running;
  private volatile boolean down;
  private volatile Thread worker = Thread.ofVirtual().unstarted(this::run);

  Heartbeats(
      CheckpointStore store,
      Checkpoints checkpoints,
      NetworkId network,
      @Qualifier("checkpointSigner") NoteSigner signer,
      ObjectProvider<KafkaTemplate<?, ?>> kafka,
      SanctionsProperties properties,
      Clock clock,
      MeterRegistry metrics) {
    this.store = store;
    this.checkpoints = checkpoints;
    this.network = network;
    this.signer = signer;
    @SuppressWarnings("unchecked")
    KafkaTemplate<byte[], byte[]> template = (KafkaTemplate<byte[], byte[]>) kafka.getObject();
    this.kafka = template;
    this.interval = properties.heartbeatInterval();
    this.clock = clock;
    this.sent = Counter.builder("solidus.sanctions.heartbeats.sent").register(metrics);
    this.failed = Counter.builder("solidus.sanctions.heartbeats.failed").register(metrics);
  }

  /** A new signed heartbeat. */
  String sign() {
    // read the clock first: a checkpoint published in between then only makes the heartbeat look
    // older than it is
    long now = clock.millis();
    PublishedCheckpoint newest =
        store.newest().orElseGet(() -> checkpoints.publish("genesis").checkpoint());
    Heartbeat heartbeat = new Heartbeat(newest.version(), now);
    return SignedNote.sign(heartbeat.toNoteText(network), signer).encode();
  }

  private void run() {
    while (running) {
      try {
        send();
        Thread.sleep(interval);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void send() {
    try {
      EventEnvelope event =
          Events.envelope("heartbeat", clock)
              .setHeartbeat(io.solidus.wire.v1.Heartbeat.newBuilder().setHeartbeatNote(sign()))
              .build();
      CompletableFuture<?> unused =
          kafka
              .send(Topics.SANCTIONS_CHECKPOINTS, KEY, event.toByteArray())
              .whenComplete((result, failure) -> report(failure == null));
    } catch (RuntimeException e) {
      // The database or Kafka is unavailable. The next heartbeat is the retry: validators stop by
      // themselves when heartbeats end.
      report(false);
    }
  }

  private void report(boolean success) {
    (success ? sent : failed).increment();
    if (down == success && running) {
      down = !success;
      log.warn(success ? "heartbeats are sent again" : "heartbeats cannot be sent");
    }
  }

  @Override
  public void start() {
    running = true;
    worker = Thread.ofVirtual().name("heartbeats").start(this::run);
  }

  /** Interrupts the thread, because a send waits for Kafka for seconds. */
  @Override
  public void stop() {
    running = false;
    worker.interrupt();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
