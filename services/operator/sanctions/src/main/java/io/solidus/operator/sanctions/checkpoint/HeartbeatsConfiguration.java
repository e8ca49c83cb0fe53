package io.solidus.operator.sanctions.checkpoint;

import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.platform.time.Periodically;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Starts the heartbeats. */
@Configuration(proxyBeanMethods = false)
class HeartbeatsConfiguration {

  @Bean
  Periodically heartbeatJob(Heartbeats heartbeats, SanctionsProperties properties) {
    return new Periodically("heartbeats", properties.heartbeatInterval(), heartbeats::send);
  }
}
