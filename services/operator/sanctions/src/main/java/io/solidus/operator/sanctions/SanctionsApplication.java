package io.solidus.operator.sanctions;

import io.solidus.platform.boot.ServiceLauncher;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the service of the sanctions and policy authority. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(SanctionsProperties.class)
@OpenAPIDefinition(
    info =
        @Info(
            title = "Solidus sanctions",
            version = "v1",
            description = "Lists, screening, listed addresses, checkpoints and policies."))
public class SanctionsApplication {
  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the service.
   *
   * @param properties override {@code args} and solidus-sanctions.yml
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(SanctionsApplication.class, "sanctions", properties, args);
  }
}
