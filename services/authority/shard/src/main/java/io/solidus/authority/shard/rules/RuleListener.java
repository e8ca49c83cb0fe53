package io.solidus.authority.shard.rules;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.authority.common.rules.RuleIngest;
import io.solidus.platform.outbox.Topics;
import io.solidus.wire.v1.EventEnvelope;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.annotation.KafkaListener;

/**
 * Ingests rules from Kafka. Only the signature of the issuer counts; the topic, the key and the
 * event id prove nothing and are not used. A repeated note changes nothing, so consumed events need
 * not be recorded.
 */
class RuleListener {

  private static final Logger log = LoggerFactory.getLogger(RuleListener.class);

  private final RuleIngest ingest;

  RuleListener(RuleIngest ingest) {
    this.ingest = ingest;
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
      case POLICY_PUBLISHED -> ingest.policy(event.getPolicyPublished().getPolicyNote());
      case CHECKPOINT_PUBLISHED ->
          ingest.checkpoint(event.getCheckpointPublished().getCheckpointNote());
      case HEARTBEAT -> ingest.heartbeat(event.getHeartbeat().getHeartbeatNote());
      case KYC_ATTESTED, TRANSFER_SIGNED, MONEY_COUNTED, FACT_NOT_SET -> {}
    }
  }
}
