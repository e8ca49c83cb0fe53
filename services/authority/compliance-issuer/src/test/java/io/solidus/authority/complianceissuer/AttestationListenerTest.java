package io.solidus.authority.complianceissuer;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestKafka;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.RegisterRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.Heartbeat;
import io.solidus.wire.v1.KycAttested;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttestationListenerTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private IssuerHarness issuer;
  private Registrations registrations;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeAll
  void start() throws IOException {
    TestKafka kafka = TestKafka.shared();
    Map<String, Object> properties = new LinkedHashMap<>(kafka.springProperties());
    properties.put("spring.kafka.listener.auto-startup", true);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    issuer = new IssuerHarness(properties);
    registrations = issuer.registrations;
  }

  @AfterAll
  void stop() {
    producer.close(Duration.ofSeconds(5));
    issuer.close();
  }

  @Test
  void signsBeforeTheWalletCalls() throws Exception {
    RegisterRequest request = registrations.request(registrations.wallet());
    String note = registrations.note(registrations.person(), request);
    publish(attested(request, note));
    await(() -> answered(request));
    issuer.signer.behave(FakeSigner.Behaviour.UNAVAILABLE);
    try {
      assertThat(issuer.issue(request, note).hasSigned()).as("stored before the call").isTrue();
    } finally {
      issuer.signer.behave(FakeSigner.Behaviour.SIGN);
    }
  }

  @Test
  void setsForgedAndBrokenRecordsAsideAndContinues() throws Exception {
    RegisterRequest forged = registrations.request(registrations.wallet());
    RegisterRequest good = registrations.request(registrations.wallet());
    long before = issuer.count("registration");
    publish((byte @Nullable []) null);
    publish(new byte[] {1, 2, 3});
    publish(new byte[300_000]);
    publish(attested(forged, "not a note"));
    publish(attested(forged, registrations.note(registrations.person(), good)));
    publish(
        Events.envelope("heartbeat", Clock.systemUTC())
            .setHeartbeat(Heartbeat.getDefaultInstance())
            .build());
    publish(attested(good, registrations.note(registrations.person(), good)));
    await(() -> answered(good));
    assertThat(answered(forged)).isFalse();
    assertThat(issuer.count("registration")).isEqualTo(before + 1);
  }

  @Test
  void repeatedAndReorderedRecordsChangeNothing() throws Exception {
    RegisterRequest request = registrations.request(registrations.wallet());
    EventEnvelope event = attested(request, registrations.note(registrations.person(), request));
    RegisterRequest last = registrations.request(registrations.wallet());
    publish(event);
    publish(event);
    publish(event.toBuilder().setEventId("00000000-0000-0000-0000-000000000001").build());
    publish(attested(last, registrations.note(registrations.person(), last)));
    await(() -> answered(last));
    int calls = issuer.signer.calls();
    SubmitReply reply = issuer.issue(request, event.getKycAttested().getAttestationNote());
    assertThat(reply.hasSigned()).isTrue();
    assertThat(issuer.signer.calls()).isEqualTo(calls);
  }

  @Test
  void retriesWhileTheSignerIsUnavailable() throws Exception {
    RegisterRequest request = registrations.request(registrations.wallet());
    issuer.signer.behave(FakeSigner.Behaviour.UNAVAILABLE);
    int calls = issuer.signer.calls();
    publish(attested(request, registrations.note(registrations.person(), request)));
    await(() -> issuer.signer.calls() >= calls + 2);
    assertThat(answered(request)).isFalse();
    issuer.signer.behave(FakeSigner.Behaviour.SIGN);
    await(() -> answered(request));
  }

  private static EventEnvelope attested(RegisterRequest request, String note) {
    return Events.envelope("kyc-attested", Clock.systemUTC())
        .setKycAttested(
            KycAttested.newBuilder().setRequest(Codecs.toWire(request)).setAttestationNote(note))
        .build();
  }

  private void publish(EventEnvelope event) throws Exception {
    publish(event.toByteArray());
  }

  private void publish(byte @Nullable [] payload) throws Exception {
    producer.send(new ProducerRecord<>(Topics.KYC_ATTESTATIONS, payload)).get();
  }

  private boolean answered(RegisterRequest request) {
    return issuer
            .database
            .jdbc()
            .sql("SELECT count(*) FROM issuer.answer WHERE core = ?")
            .param(request.statement().core(TestCommittee.NETWORK).bytes())
            .query(Long.class)
            .single()
        == 1;
  }

  private static void await(BooleanSupplier condition) {
    Eventually.holds(LIMIT, () -> assertThat(condition.getAsBoolean()).isTrue());
  }
}
