package io.solidus.authority.complianceissuer.intake;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.complianceissuer.issuing.IssuingService;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.EventEnvelope;
import io.solidus.wire.v1.KycAttested;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Signs attested registrations as they are published, so that the answer exists when the wallet
 * calls. The attestation note's signature alone decides whether a record is valid. A record that
 * breaks a rule is set aside for good; its wallet can still call with the same note. A repeated
 * record finds its answer and changes nothing. Event ids are therefore not stored, and a forged id
 * cannot hide another event.
 */
@Component
class AttestationListener {
  private static final Logger log = LoggerFactory.getLogger(AttestationListener.class);
  private static final String NAME = "solidus.compliance-issuer.attestations.count";

  private final IssuingService issuing;
  private final MeterRegistry registry;

  AttestationListener(IssuingService issuing, MeterRegistry registry) {
    this.issuing = issuing;
    this.registry = registry;
  }

  @KafkaListener(topics = Topics.KYC_ATTESTATIONS)
  void onRecord(ConsumerRecord<byte[], byte @Nullable []> message) {
    try {
      process(message.value());
    } catch (ProtocolException e) {
      if (e.code().retryable()) {
        throw new RetryLaterException(e.code().code());
      }
      count(e.code().code());
      log.warn("record {}@{} is set aside: {}", message.topic(), message.offset(), e.code().code());
    }
  }

  private void process(byte @Nullable [] payload) {
    if (payload == null) {
      throw ProtocolException.malformed("an event is empty");
    }
    EventEnvelope event = Events.parse(payload);
    if (event.hasKycAttested()) {
      KycAttested attested = event.getKycAttested();
      issuing.issue(Codecs.toDomain(attested.getRequest()), attested.getAttestationNote());
      count("signed");
    }
  }

  private void count(String outcome) {
    registry.counter(NAME, "outcome", outcome).increment();
  }
}
