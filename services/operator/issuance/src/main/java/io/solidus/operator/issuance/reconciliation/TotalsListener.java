package io.solidus.operator.issuance.reconciliation;

import com.google.protobuf.InvalidProtocolBufferException;
import io.solidus.platform.outbox.Topics;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.v1.EventEnvelope;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/** Reads the authorities' totals from Kafka. Only the authority's signature counts. */
@Component
@ConditionalOnProperty(name = "solidus.platform.kafka", havingValue = "true", matchIfMissing = true)
class TotalsListener {
  private static final Logger log = LoggerFactory.getLogger(TotalsListener.class);

  private final Reconciliation reconciliation;

  TotalsListener(Reconciliation reconciliation) {
    this.reconciliation = reconciliation;
  }

  @KafkaListener(topics = Topics.SPENT)
  void on(ConsumerRecord<byte[], byte[]> message) {
    try {
      EventEnvelope event = EventEnvelope.parseFrom(message.value());
      if (event.hasMoneyCounted()) {
        reconciliation.take(event.getMoneyCounted().getTotalsNote());
      }
    } catch (InvalidProtocolBufferException | NullPointerException e) {
      log.warn("a record on {} is not an event", message.topic());
    } catch (ProtocolException e) {
      log.warn("a note on {} is no authority's: {}", message.topic(), e.code().code());
    }
  }
}
