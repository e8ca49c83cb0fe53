package io.solidus.operator.sanctions;

import static io.solidus.operator.sanctions.SanctionsFixture.NETWORK;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestKafka;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.v1.EventEnvelope;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events reach Kafka signed and in order, also those written while Kafka is unavailable. */
@Tag("process")
class KafkaPublicationTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @Test
  void eventsWrittenWithoutKafkaArriveAfterItsRestart(@TempDir Path directory) throws Exception {
    try (TestKafka kafka = TestKafka.start();
        SanctionsFixture service = SanctionsFixture.start(directory, kafka.springProperties())) {
      kafka.kill();
      service.list(FieldElement.of(FieldElement.MODULUS.shiftRight(1)).hex());
      assertThat(service.publishCheckpoint().status()).isEqualTo(201);
      Answer proposal =
          service.rest.post(
              "/admin/v1/policies",
              Map.of(
                  "period",
                  PoliciesTest.thisMonth(),
                  "maxPerTransferMinor",
                  1,
                  "maxPerPeriodMinor",
                  1,
                  "maxHeldMinor",
                  1,
                  "maxTransfersPerPeriod",
                  1,
                  "mintCapPerDayMinor",
                  1),
              service.policyOperator());
      service.approve(proposal.json().path("id").asString(), service.approver());
      kafka.restart();

      List<EventEnvelope> checkpoints =
          read(
              kafka,
              Topics.SANCTIONS_CHECKPOINTS,
              seen ->
                  count(seen, EventEnvelope::hasCheckpointPublished) >= 2
                      && count(seen, event -> isHeartbeatOf(event, 2)) > 0);
      List<SanctionCheckpoint> published =
          checkpoints.stream()
              .filter(EventEnvelope::hasCheckpointPublished)
              .map(event -> SignedNote.parse(event.getCheckpointPublished().getCheckpointNote()))
              .map(note ->
                  SanctionCheckpoint.parse(
                      NETWORK, note.requireSignedBy(SanctionsFixture.checkpointKey()).text()))
              .distinct()
              .toList();
      assertThat(published).extracting(SanctionCheckpoint::version).containsExactly(1L, 2L);
      assertThat(
              checkpoints.stream()
                  .filter(EventEnvelope::hasCheckpointPublished)
                  .map(event -> event.getCheckpointPublished().getListUrl()))
          .contains("http://sanctions.example/v1/sanctions/checkpoints/2/list");

      List<EventEnvelope> policies = read(kafka, Topics.POLICY, seen -> !seen.isEmpty());
      SignedNote policy =
          SignedNote.parse(policies.getFirst().getPolicyPublished().getPolicyNote());
      assertThat(policy.requireSignedBy(SanctionsFixture.policyKey()).text())
          .isEqualTo(SignedNote.parse(service.rest.get("/v1/policy").body()).text());
    }
  }

  private static boolean isHeartbeatOf(EventEnvelope event, long checkpointVersion) {
    if (!event.hasHeartbeat()) {
      return false;
    }
    SignedNote note =
        SignedNote.parse(event.getHeartbeat().getHeartbeatNote())
            .requireSignedBy(SanctionsFixture.checkpointKey());
    return Heartbeat.parse(NETWORK, note.text()).checkpointVersion() == checkpointVersion;
  }

  private static long count(List<EventEnvelope> events, Predicate<EventEnvelope> kind) {
    return events.stream().filter(kind).count();
  }

  private static List<EventEnvelope> read(
      TestKafka kafka, String topic, Predicate<List<EventEnvelope>> enough) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            "test-" + topic,
            "auto.offset.reset",
            "earliest");
    List<EventEnvelope> seen = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(topic));
      Instant end = Instant.now().plus(LIMIT);
      while ((seen.isEmpty() || !enough.test(seen)) && Instant.now().isBefore(end)) {
        consumer
            .poll(Duration.ofMillis(200))
            .forEach(record -> seen.add(Events.parse(record.value())));
      }
    }
    assertThat(enough.test(seen)).as("all events arrive").isTrue();
    return seen;
  }
}
