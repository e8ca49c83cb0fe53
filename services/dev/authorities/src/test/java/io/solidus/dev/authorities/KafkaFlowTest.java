package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks that shards receive rules and publish counts through Kafka, and trust only signed notes.
 */
@Tag("process")
class KafkaFlowTest {

  private static TestKafka kafka;
  private static RegulatedNetwork network;
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
    network = RegulatedNetwork.create();
    signer = new FakeSigner(network.keys.network());
    network.authority.with("solidus.validator.kafka", "true");
    kafka.springProperties().forEach(network.authority::with);
    network.startShards(signer.address());
    network.sanctions.serveListsOnly();
  }

  @AfterAll
  static void stop() {
    network.close();
    signer.close();
    producer.close();
    kafka.close();
  }

  @Test
  void acceptsSignedRulesAndRejectsForgeries() throws Exception {
    try (TestSanctions impostor = new TestSanctions(network.keys.network(), network.clock)) {
      Policy greedy = TestSanctions.policy(9, RegulatedNetwork.PERIOD, 999_999, network.clock);
      send(Topics.POLICY, new byte[] {1, 2, 3});
      send(Topics.POLICY, policy(impostor.sign(greedy)));
      send(Topics.POLICY, policy("not a note"));
      Policy second = TestSanctions.policy(2, RegulatedNetwork.PERIOD, 700, network.clock);
      send(Topics.POLICY, policy(network.sanctions.sign(second)));
      send(Topics.POLICY, policy(network.sanctions.sign(second)));

      List<SanctionKey> keys = List.of(SanctionKey.of(network.walletOn(0).apk()));
      var checkpoint = network.sanctions.publish(2, keys);
      send(Topics.SANCTIONS_CHECKPOINTS, checkpoint(impostor.sign(impostor.checkpointOf(7, keys))));
      send(Topics.SANCTIONS_CHECKPOINTS, checkpoint(network.sanctions.sign(checkpoint)));
      send(
          Topics.SANCTIONS_CHECKPOINTS,
          heartbeat(network.sanctions.sign(new Heartbeat(2, network.clock.millis()))));

      for (int shard = 0; shard < TestAuthority.SHARDS; shard++) {
        int index = shard;
        Await.until(
            "policy 2 arrived", () -> network.authority.status(index).getPolicyVersion() == 2);
        Await.until(
            "checkpoint 2 arrived",
            () -> network.authority.status(index).getCheckpointVersion() == 2);
        assertThat(network.authority.status(index).getAccepting()).isTrue();
      }
    }
  }

  @Test
  void publishesCorrectCountsAfterAnOutageOfKafka() throws Exception {
    RandomTransfers transfers = new RandomTransfers(network.keys.network());
    int signed = 20;
    for (int i = 0; i < signed / 2; i++) {
      Replies.signed(network.submit(transfers.next()));
    }
    kafka.kill();
    for (int i = 0; i < signed / 2; i++) {
      Replies.signed(network.submit(transfers.next()));
    }
    kafka.restart();
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
      long[] totals = new long[TestAuthority.SHARDS];
      List<EventEnvelope> events = new ArrayList<>();
      Await.until(
          "all signatures are counted",
          () -> {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
              EventEnvelope event = parse(record.value());
              events.add(event);
              TransferSigned count = event.getTransferSigned();
              totals[count.getShard()] = Math.max(totals[count.getShard()], count.getSignedCount());
            }
            return totals[0] + totals[1] == signed;
          });
      assertThat(events)
          .allSatisfy(e -> assertThat(e.getTransferSigned().getAuthority()).isEqualTo(1));
    }
  }

  private static void send(String topic, byte[] payload) throws Exception {
    producer.send(new ProducerRecord<>(topic, payload)).get(5, TimeUnit.MINUTES);
  }

  private static void send(String topic, EventEnvelope.Builder event) throws Exception {
    send(
        topic,
        event
            .setEventId(UUID.randomUUID().toString())
            .setType("test")
            .setAtMillis(network.clock.millis())
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
}
