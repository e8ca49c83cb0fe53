package io.solidus.authority.complianceissuer.intake;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.complianceissuer.issuing.Issuing;
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
 * Signs attested registrations as they are published, so that the answer is there when the wallet
 * asks. A record is worth what its note's signature is worth. One that breaks a rule is set aside
 * for good: whoever it was meant for can still call with it. A repeated one finds its answer and
 * changes nothing, hence event ids need not be remembered, and a forged id hides nothing.
 */
@Component
class AttestationIntake {
  private static final Logger LOG = LoggerFactory.getLogger(AttestationIntake.class);
  private static final String NAME = "solidus.compliance-issuer.attestations.count";

  private final Issuing issuing;
  private final MeterRegistry registry;

  AttestationIntake(Issuing issuing, MeterRegistry registry) {
    this.issuing = issuing;
    this.registry = registry;
  }

  @KafkaListener(topics = Topics.KYC_ATTESTATIONS)
  void on(ConsumerRecord<byte[], byte @Nullable []> message) {
    try {
      take(message.value());
    } catch (ProtocolException refusal) {
      if (refusal.code().retryable()) {
        throw new NotYetException(refusal.code().code());
      }
      count(refusal.code().code());
      LOG.warn(
          "record {}@{} is set aside: {}",
          message.topic(),
          message.offset(),
          refusal.code().code());
    }
  }

  private void take(byte @Nullable [] payload) {
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
