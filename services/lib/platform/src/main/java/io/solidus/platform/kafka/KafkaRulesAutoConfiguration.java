package io.solidus.platform.kafka;

import io.solidus.protocol.ProtocolException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.ProducerListener;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Error handling of Kafka's producers and listeners. A producer does not log failed records,
 * because the outbox relay logs and repeats them. A listener skips a record that violates a rule
 * (malformed, forged) at once. It retries any other failure without end, so that no record is lost
 * while the database is unavailable.
 */
@ConditionalOnClass(DefaultErrorHandler.class)
@AutoConfiguration(
    beforeName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
public class KafkaRulesAutoConfiguration {
  private static final Logger log = LoggerFactory.getLogger(KafkaRulesAutoConfiguration.class);
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  @Bean
  @ConditionalOnMissingBean(ProducerListener.class)
  ProducerListener<Object, Object> quietProducer() {
    return new ProducerListener<>() {};
  }

  @Bean
  @ConditionalOnMissingBean(CommonErrorHandler.class)
  DefaultErrorHandler listenerErrorHandler() {
    ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE_MILLIS, 2);
    pauses.setMaxInterval(LONGEST_PAUSE_MILLIS);
    DefaultErrorHandler handler =
        new DefaultErrorHandler(
            (record, e) ->
                log.error(
                    "record {}-{}@{} is set aside",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e),
            pauses);
    handler.addNotRetryableExceptions(ProtocolException.class);
    return handler;
  }
}
