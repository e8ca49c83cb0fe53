package io.solidus.platform.outbox;

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
 * What happens when Kafka and a service do not get along. A sender does not log single records: the
 * outbox relay reports and repeats by itself. A listener sets a record that breaks a rule
 * (malformed, forged) aside at once; any other failure it retries for as long as it takes, so that
 * no fact is skipped while a database is away.
 */
@ConditionalOnClass(DefaultErrorHandler.class)
@AutoConfiguration(
    beforeName = "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
public class KafkaRulesAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaRulesAutoConfiguration.class);
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
                LOG.error(
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
