package io.solidus.platform.management;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.solidus.platform.management.ManagementServer.Page;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;

/**
 * The paths of Spring Boot's actuator that probes and the metrics collector ask for, without a
 * servlet container, on {@code management.server.port} of a service that is no web application. A
 * negative port means none.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration"
    })
@ConditionalOnNotWebApplication
@ConditionalOnExpression("${management.server.port:-1} >= 0")
@EnableConfigurationProperties(ManagementProperties.class)
class ManagementAutoConfiguration {
  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  @Bean
  ManagementServer managementServer(
      ManagementProperties properties,
      HealthEndpoint health,
      HttpCodeStatusMapper statuses,
      PrometheusMeterRegistry metrics) {
    Map<String, Supplier<Page>> pages =
        Map.of(
            "/actuator/health", () -> page(health.health(), statuses),
            "/actuator/health/liveness", () -> page(health.healthForPath("liveness"), statuses),
            "/actuator/health/readiness", () -> page(health.healthForPath("readiness"), statuses),
            "/actuator/prometheus", () -> new Page(OK, METRICS, metrics.scrape()));
    return new ManagementServer(properties.address(), properties.port(), pages);
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
