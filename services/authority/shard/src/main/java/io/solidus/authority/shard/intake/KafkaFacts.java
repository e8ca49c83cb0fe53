package io.solidus.authority.shard.intake;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.authority.common.facts.FactIntake;
import io.solidus.platform.outbox.Topics;
import io.solidus.wire.v1.EventEnvelope;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.annotation.KafkaListener;

/**
 * Listens for facts. A record is worth what its issuer's signature is worth; where it came from,
 * its key and its event id prove nothing and are not used. A repeated fact changes nothing, so no
 * record of consumed events is needed.
 */
class KafkaFacts {

  private static final Logger log = LoggerFactory.getLogger(KafkaFacts.class);

  private final FactIntake intake;

  KafkaFacts(FactIntake intake) {
    this.intake = intake;
  }

  @KafkaListener(topics = {Topics.POLICY, Topics.SANCTIONS_CHECKPOINTS})
  void on(ConsumerRecord<byte[], byte[]> message) {
    EventEnvelope event;
    try {
      event = EventEnvelope.parseFrom(message.value());
    } catch (InvalidProtocolBufferException | NullPointerException e) {
      log.warn("a record on {} is not an event", message.topic());
      return;
    }
    switch (event.getFactCase()) {
      case POLICY_PUBLISHED -> intake.policy(event.getPolicyPublished().getPolicyNote());
      case CHECKPOINT_PUBLISHED ->
          intake.checkpoint(event.getCheckpointPublished().getCheckpointNote());
      case HEARTBEAT -> intake.heartbeat(event.getHeartbeat().getHeartbeatNote());
      case KYC_ATTESTED, TRANSFER_SIGNED, FACT_NOT_SET -> {}
    }
  }
}
