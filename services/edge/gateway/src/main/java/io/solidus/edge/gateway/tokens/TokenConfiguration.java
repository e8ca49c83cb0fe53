package io.solidus.edge.gateway.tokens;

import io.solidus.edge.gateway.load.Admission;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

@Configuration(proxyBeanMethods = false)
class TokenConfiguration {

  @Bean
  FilterRegistrationBean<StrangersWait> strangersWait(TokenGate gate, Admission admission) {
    FilterRegistrationBean<StrangersWait> registration =
        new FilterRegistrationBean<>(new StrangersWait(gate, admission));
    // before anything else costs something
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return registration;
  }
}
