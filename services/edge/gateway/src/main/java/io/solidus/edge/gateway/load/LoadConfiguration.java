package io.solidus.edge.gateway.load;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.GatewayProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

@Configuration(proxyBeanMethods = false)
class LoadConfiguration {

  @Bean
  Admission admission(GatewayProperties properties, Precedence precedence) {
    return new Admission(
        properties.maxConcurrent(),
        properties.maxPerSecond(),
        properties.tokens(),
        precedence,
        new Refusals(
            properties.maxPerSecond(), LoadConfiguration::client, LoadConfiguration::hasWaited));
  }

  @Bean
  Precedence precedence(GatewayProperties properties, MeterRegistry metrics) {
    Precedence precedence =
        new Precedence(
            Admission.free(properties.tokens()),
            new ProcessorPressure(),
            System::nanoTime,
            properties.maxPerSecond().besidePayments()
                * Runtime.getRuntime().availableProcessors());
    Gauge.builder("solidus.gateway.beside.payments", precedence, Precedence::perSecond)
        .description("free requests of a class that may begin in a second while payments are made")
        .register(metrics);
    return precedence;
  }

  /** The address of the client whose request this thread processes; none outside of a request. */
  private static String client() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        ? request.getRequest().getRemoteAddr()
        : "";
  }

  private static boolean hasWaited() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        && request.getRequest().getAttribute(Admission.HAS_WAITED) != null;
  }
}
