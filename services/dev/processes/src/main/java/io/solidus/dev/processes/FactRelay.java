package io.solidus.dev.processes;

import io.solidus.wire.v1.EventEnvelope;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends facts to Kafka in order and at least once, as the outbox of the services that make them
 * does; repeats for as long as Kafka is away.
 */
final class FactRelay implements AutoCloseable {

  /** Facts that wait; more are never published while Kafka is away. */
  private static final int MAX_WAITING = 10_000;

  private static final long SEND_SECONDS = 10;
  private static final long PAUSE_MILLIS = 300;

  private record Fact(String topic, byte[] payload) {}

  private final BlockingQueue<Fact> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread thread;

  FactRelay(String bootstrapServers) {
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "acks",
                "all",
                "max.block.ms",
                3000,
                "request.timeout.ms",
                3000,
                "delivery.timeout.ms",
                5000),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    this.thread = Thread.ofPlatform().daemon().name("fact-relay").start(this::relay);
  }

  void send(String topic, EventEnvelope.Builder fact) {
    EventEnvelope event =
        fact.setEventId(UUID.randomUUID().toString())
            .setType(topic)
            .setAtMillis(System.currentTimeMillis())
            .build();
    if (!waiting.offer(new Fact(topic, event.toByteArray()))) {
      throw new IllegalStateException("too many facts wait for Kafka");
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    producer.close(Duration.ZERO);
  }

  private void relay() {
    try {
      while (true) {
        Fact fact = waiting.take();
        while (!sent(fact)) {
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean sent(Fact fact) throws InterruptedException {
    try {
      producer
          .send(new ProducerRecord<>(fact.topic(), fact.payload()))
          .get(SEND_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException | KafkaException away) {
      return false;
    }
  }
}
