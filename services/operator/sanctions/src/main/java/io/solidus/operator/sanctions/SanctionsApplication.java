package io.solidus.operator.sanctions;

import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the service of the sanctions and policy authority. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(SanctionsProperties.class)
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
