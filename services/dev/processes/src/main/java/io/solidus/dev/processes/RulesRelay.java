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
 * Sends policies and checkpoints to Kafka in order and at least once, as the service's outbox does.
 * Repeats while Kafka is unavailable.
 */
final class RulesRelay implements AutoCloseable {

  /** More are never published while Kafka is unavailable. */
  private static final int MAX_WAITING = 10_000;

  private static final long SEND_SECONDS = 10;
  private static final long PAUSE_MILLIS = 300;

  private record Message(String topic, EventEnvelope event) {}

  private final BlockingQueue<Message> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
  private final KafkaProducer<byte[], byte[]> producer;
  private final Thread thread;

  RulesRelay(String bootstrapServers) {
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
    this.thread = Thread.ofPlatform().daemon().name("rules-relay").start(this::relay);
  }

  void send(String topic, EventEnvelope.Builder body) {
    EventEnvelope event =
        body.setEventId(UUID.randomUUID().toString())
            .setType(topic)
            .setAtMillis(System.currentTimeMillis())
            .build();
    if (!waiting.offer(new Message(topic, event))) {
      throw new IllegalStateException("too many messages wait for Kafka");
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
        Message message = waiting.take();
        while (!sent(message)) {
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean sent(Message message) throws InterruptedException {
    try {
      producer
          .send(new ProducerRecord<>(message.topic(), message.event().toByteArray()))
          .get(SEND_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      return false;
    }
  }
}
