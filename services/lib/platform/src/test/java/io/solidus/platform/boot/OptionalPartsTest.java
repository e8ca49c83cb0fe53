package io.solidus.platform.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.platform.management.ManagementServer;
import io.solidus.platform.tracing.Spans;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A service without the optional parts: no servlet container, no PostgreSQL, no Kafka. */
@Tag("process")
class OptionalPartsTest {
  private static final FilteredClassLoader WITHOUT_OPTIONAL_PARTS =
      new FilteredClassLoader(
          "jakarta.servlet",
          "org.apache.catalina",
          "org.flywaydb",
          "org.springframework.jdbc",
          "org.springframework.kafka",
          "org.springframework.security",
          "org.springframework.web");

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Service {
    private boolean healthy = true;
    private Stopping atStop = () -> {};

    interface Stopping {
      void run() throws IOException, InterruptedException;
    }

    /** Stops before the management server, as the servers of a service do. */
    @Bean
    SmartLifecycle server() {
      return new SmartLifecycle() {
        private boolean running;

        @Override
        public void start() {
          running = true;
        }

        @Override
        public void stop() {
          running = false;
          try {
            atStop.run();
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }

        @Override
        public boolean isRunning() {
          return running;
        }
      };
    }

    @Bean
    HealthIndicator sampleHealth() {
      return () -> {
        if (!healthy) {
          throw new IllegalStateException();
        }
        return Health.up().build();
      };
    }
  }

  private static ConfigurableApplicationContext start(String... properties) {
    List<String> all = new java.util.ArrayList<>(List.of(properties));
    all.add("--spring.grpc.server.enabled=false");
    all.add("--spring.main.web-application-type=none");
    all.add("--management.server.address=127.0.0.1");
    return ServiceLauncher.builder(Service.class, "sample")
        .resourceLoader(new DefaultResourceLoader(WITHOUT_OPTIONAL_PARTS))
        .run(all.toArray(String[]::new));
  }

  private static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + ServicePorts.management(context) + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
  }

  @Test
  void startsWithTheOtherParts() throws Exception {
    try (ConfigurableApplicationContext context = start("--management.server.port=0")) {
      assertThat(context.getBeansOfType(Spans.class)).hasSize(1);
      assertThat(context.getBeansOfType(Clock.class)).hasSize(1);
      assertThat(context.getBeanDefinitionNames())
          .doesNotContain("outbox", "outboxRelay", "listenerErrorHandler")
          .doesNotContain("traceFilter", "bodyLimitFilter", "problemAdvice", "adminSecurity");
      assertThat(get(context, "/actuator/prometheus").body()).contains("jvm_memory_used_bytes");
    }
  }

  @Test
  void probesShowTheStateOfTheService() throws Exception {
    try (ConfigurableApplicationContext context = start("--management.server.port=0")) {
      HttpResponse<String> ready = get(context, "/actuator/health/readiness");
      assertThat(ready.statusCode()).isEqualTo(200);
      assertThat(ready.body()).isEqualTo("{\"status\":\"UP\"}");
      assertThat(get(context, "/actuator/health").statusCode()).isEqualTo(200);

      AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
      assertThat(get(context, "/actuator/health/readiness").statusCode()).isEqualTo(503);
      assertThat(get(context, "/actuator/health/liveness").statusCode()).isEqualTo(200);

      context.getBean(Service.class).healthy = false;
      assertThat(get(context, "/actuator/health").statusCode()).isEqualTo(500);
      assertThat(get(context, "/actuator/health/liveness").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void isNotReadyFromTheBeginOfItsShutdownOn() {
    AtomicInteger readiness = new AtomicInteger();
    ConfigurableApplicationContext context = start("--management.server.port=0");
    context.getBean(Service.class).atStop =
        () -> readiness.set(get(context, "/actuator/health/readiness").statusCode());
    context.close();
    assertThat(readiness).hasValue(503);
  }

  @Test
  void hasNoManagementServerWithoutAPort() {
    for (String port : List.of("", "-1")) {
      try (ConfigurableApplicationContext context = start("--management.server.port=" + port)) {
        assertThat(context.getBeansOfType(ManagementServer.class)).isEmpty();
      }
    }
  }

  @Test
  void anOutboxWithoutDatabaseStopsTheStart() {
    assertThatExceptionOfType(BeanCreationException.class)
        .isThrownBy(() -> start("--solidus.outbox.enabled=true").close())
        .withMessageContaining(JdbcClient.class.getName());
  }
}
