package io.solidus.edge.gateway.load;

import io.solidus.edge.gateway.GatewayProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class LoadConfiguration {

  @Bean
  Admission admission(GatewayProperties properties) {
    return new Admission(
        properties.maxConcurrent(), properties.maxPerSecond(), properties.tokens());
  }
}
