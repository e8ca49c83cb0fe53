package io.solidus.platform.outbox;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.time.RepeatedJob;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The outbox of services that set {@code solidus.outbox.enabled} and add {@code
 * classpath:db/outbox} to their migrations. They need PostgreSQL and Kafka.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration",
      "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnProperty("solidus.outbox.enabled")
public class OutboxAutoConfiguration {
  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(1);
  private static final Duration CLEAN_UP_INTERVAL = Duration.ofHours(1);
  private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(30);

  @Bean
  RepeatedJob outboxRelay(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      ObjectProvider<KafkaTemplate<?, ?>> kafka,
      MeterRegistry registry) {
    @SuppressWarnings("unchecked") // the platform's defaults set byte array serializers
    KafkaTemplate<byte[], byte[]> template = (KafkaTemplate<byte[], byte[]>) kafka.getObject();
    OutboxRelay relay =
        new OutboxRelay(
            jdbc,
            new TransactionTemplate(transactions),
            template,
            new OutboxBacklog(jdbc, registry));
    return RepeatedJob.selfPaced("outbox-relay", relay::publish, FIRST_BACK_OFF, LONGEST_BACK_OFF);
  }

  @Bean
  RepeatedJob outboxCleanUp(JdbcClient jdbc) {
    return new RepeatedJob("outbox-clean-up", CLEAN_UP_INTERVAL, new OutboxCleanUp(jdbc)::run);
  }

  @Bean
  @ConditionalOnMissingBean
  Outbox outbox(JdbcClient jdbc, @Qualifier("outboxRelay") RepeatedJob relay) {
    return new Outbox(jdbc, relay::wake);
  }
}
