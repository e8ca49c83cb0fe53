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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Component;

/**
 * Says every few seconds which checkpoint is the newest. What is signed is read from the database
 * at that moment, never from memory: a heartbeat that names an older checkpoint would let listed
 * addresses go on. Heartbeats do not pass through the outbox, since one that is late is worthless;
 * while Kafka is away validators fetch them by REST.
 */
@Component
class Heartbeats implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
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

  /** A heartbeat of this moment, signed. */
  String sign() {
    // the moment first: a checkpoint published in between makes the heartbeat too modest, never too
    // generous
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
      } catch (InterruptedException stopped) {
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
      kafka
          .send(Topics.SANCTIONS_CHECKPOINTS, KEY, event.toByteArray())
          .whenComplete((result, failure) -> report(failure == null));
    } catch (RuntimeException away) {
      // database or Kafka; the next beat tries again, and validators stop by themselves when none
      // comes
      report(false);
    }
  }

  private void report(boolean success) {
    (success ? sent : failed).increment();
    if (down == success && running) {
      down = !success;
      LOG.warn(success ? "heartbeats leave again" : "heartbeats do not leave");
    }
  }

  @Override
  public void start() {
    running = true;
    worker = Thread.ofVirtual().name("heartbeats").start(this::run);
  }

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
