package io.solidus.edge.gateway.load;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.limits.Bulkhead;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class LoadConfiguration {

  /** Limits the requests of wallets that are processed at the same time. */
  @Bean
  Bulkhead requests(GatewayProperties properties) {
    return new Bulkhead(properties.maxConcurrent(), "the gateway is busy; try again shortly");
  }
}
