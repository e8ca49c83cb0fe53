package io.solidus.platform.management;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.solidus.platform.management.ManagementServer.Page;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Serves the actuator's paths for probes and the metrics collector without a servlet container, on
 * {@code management.server.port} of a service that is not a web application. A negative port means
 * no server.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration"
    })
@ConditionalOnNotWebApplication
@Conditional(ManagementAutoConfiguration.PortGiven.class)
@EnableConfigurationProperties(ManagementProperties.class)
class ManagementAutoConfiguration {
  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  static final class PortGiven implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return context.getEnvironment().getProperty("management.server.port", Integer.class, -1) >= 0;
    }
  }

  /** Serves metrics only if they are exported to Prometheus. */
  @Bean
  ManagementServer managementServer(
      ManagementProperties properties,
      HealthEndpoint health,
      HttpCodeStatusMapper statuses,
      ObjectProvider<PrometheusMeterRegistry> prometheus) {
    Map<String, Supplier<Page>> pages = new HashMap<>();
    pages.put("/actuator/health", () -> page(health.health(), statuses));
    for (String group : new String[] {"liveness", "readiness"}) {
      pages.put("/actuator/health/" + group, () -> page(health.healthForPath(group), statuses));
    }
    prometheus.ifAvailable(metrics ->
        pages.put("/actuator/prometheus", () -> new Page(OK, METRICS, metrics.scrape())));
    return new ManagementServer(properties.address(), properties.port(), pages);
  }

  /**
   * Ends the readiness of a service when its shutdown begins; in a web application the context of
   * the servlet container does so.
   */
  @Bean
  ApplicationListener<ContextClosedEvent> endOfReadiness(ApplicationContext context) {
    return event -> {
      if (event.getApplicationContext().equals(context)) {
        AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
      }
    };
  }

  private static Page page(@Nullable HealthDescriptor health, HttpCodeStatusMapper statuses) {
    if (health == null) {
      return new Page(NOT_FOUND, JSON, "{}");
    }
    Status status = health.getStatus();
    return new Page(
        statuses.getStatusCode(status), JSON, "{\"status\":\"" + status.getCode() + "\"}");
  }
}
