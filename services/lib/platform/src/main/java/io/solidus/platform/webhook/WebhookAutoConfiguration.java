package io.solidus.platform.webhook;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The webhooks of services that have {@link WaitingWork}. They need the table {@code
 * webhook_message}.
 */
@AutoConfiguration(
    after = io.solidus.platform.time.ClockAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnBean(WaitingWork.class)
@EnableConfigurationProperties(WebhookProperties.class)
class WebhookAutoConfiguration {

  @Bean
  Webhooks webhooks(
      WebhookProperties properties,
      WaitingWork work,
      JdbcClient jdbc,
      Clock clock,
      MeterRegistry metrics,
      @Value("${solidus.audit.service:}") String service) {
    return new Webhooks(service, properties, work, new WebhookStore(jdbc), clock, metrics);
  }
}
