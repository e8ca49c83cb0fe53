package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestKafka;
import io.solidus.dev.testkit.world.FakeSigner;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionKey;
import io.solidus.wire.v1.CheckpointPublished;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.GetStatusRequest;
import io.solidus.wire.v1.PolicyPublished;
import io.solidus.wire.v1.TransferSigned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Kafka carries facts in and counts out, and is believed in nothing. */
class KafkaFlowTest {

  private static TestKafka kafka;
  private static RegulatedWorld world;
  private static FakeSigner signer;
  private static KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  static void start() {
    kafka = TestKafka.start();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    world = RegulatedWorld.create();
    signer = new FakeSigner(world.keys.network());
    world.authority.with("solidus.validator.kafka", "true");
    kafka.springProperties().forEach(world.authority::with);
    world.startShards(signer.address());
    world.sanctions.serveListsOnly();
  }

  @AfterAll
  static void stop() {
    world.close();
    signer.close();
    producer.close();
    kafka.close();
  }

  @Test
  void takesFactsFromItsTopicsAndForgeriesFromNobody() throws Exception {
    try (TestSanctions impostor = new TestSanctions(world.keys.network(), world.clock)) {
      Policy greedy = TestSanctions.policy(9, RegulatedWorld.PERIOD, 999_999, world.clock);
      send(Topics.POLICY, new byte[] {1, 2, 3});
      send(Topics.POLICY, policy(impostor.sign(greedy)));
      send(Topics.POLICY, policy("no note at all"));
      Policy second = TestSanctions.policy(2, RegulatedWorld.PERIOD, 700, world.clock);
      send(Topics.POLICY, policy(world.sanctions.sign(second)));
      send(Topics.POLICY, policy(world.sanctions.sign(second)));

      List<SanctionKey> keys = List.of(SanctionKey.of(world.walletOn(0).apk()));
      var checkpoint = world.sanctions.publish(2, keys);
      send(Topics.SANCTIONS_CHECKPOINTS, checkpoint(impostor.sign(impostor.checkpointOf(7, keys))));
      send(Topics.SANCTIONS_CHECKPOINTS, checkpoint(world.sanctions.sign(checkpoint)));
      send(
          Topics.SANCTIONS_CHECKPOINTS,
          heartbeat(world.sanctions.sign(new Heartbeat(2, world.clock.millis()))));

      for (int shard = 0; shard < Authority.SHARDS; shard++) {
        int index = shard;
        Await.until("policy 2 came by Kafka", () -> status(index).getPolicyVersion() == 2);
        Await.until("checkpoint 2 came by Kafka", () -> status(index).getCheckpointVersion() == 2);
        assertThat(status(index).getAccepting()).isTrue();
      }
    }
  }

  @Test
  void publishesCountsThatAgreeWithTheLedgerEvenAfterKafkaWasAway() throws Exception {
    RandomTransfers transfers = new RandomTransfers(world.keys.network());
    for (int i = 0; i < 10; i++) {
      Replies.signed(world.submit(transfers.next()));
    }
    kafka.kill();
    for (int i = 0; i < 10; i++) {
      Replies.signed(world.submit(transfers.next()));
    }
    kafka.restart();
    long signed = status(0).getSignedCount() + status(1).getSignedCount();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "test",
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(Topics.SPENT));
      long[] totals = new long[Authority.SHARDS];
      List<EventEnvelope> events = new ArrayList<>();
      Await.until(
          "all signatures are counted",
          () -> {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
              EventEnvelope event = parse(record.value());
              events.add(event);
              TransferSigned fact = event.getTransferSigned();
              totals[fact.getShard()] = Math.max(totals[fact.getShard()], fact.getSignedCount());
            }
            return totals[0] + totals[1] == signed;
          });
      assertThat(events)
          .allSatisfy(e -> assertThat(e.getTransferSigned().getAuthority()).isEqualTo(1));
    }
  }

  private static void send(String topic, byte[] payload) throws Exception {
    producer.send(new ProducerRecord<>(topic, payload)).get(30, TimeUnit.SECONDS);
  }

  private static void send(String topic, EventEnvelope.Builder event) throws Exception {
    send(
        topic,
        event
            .setEventId(UUID.randomUUID().toString())
            .setType("test")
            .setAtMillis(world.clock.millis())
            .build()
            .toByteArray());
  }

  private static EventEnvelope.Builder policy(String note) {
    return EventEnvelope.newBuilder()
        .setPolicyPublished(PolicyPublished.newBuilder().setPolicyNote(note));
  }

  private static EventEnvelope.Builder checkpoint(String note) {
    return EventEnvelope.newBuilder()
        .setCheckpointPublished(
            CheckpointPublished.newBuilder()
                .setCheckpointNote(note)
                .setListUrl("http://127.0.0.1:1/elsewhere"));
  }

  private static EventEnvelope.Builder heartbeat(String note) {
    return EventEnvelope.newBuilder()
        .setHeartbeat(io.solidus.wire.v1.Heartbeat.newBuilder().setHeartbeatNote(note));
  }

  private static EventEnvelope parse(byte[] bytes) {
    try {
      return EventEnvelope.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static GetStatusReply status(int shard) {
    return world.authority.validator(shard).getStatus(GetStatusRequest.getDefaultInstance());
  }
}
