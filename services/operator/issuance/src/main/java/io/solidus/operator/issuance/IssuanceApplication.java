package io.solidus.operator.issuance;

import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** The service for issuance and redemption. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(IssuanceProperties.class)
public class IssuanceApplication {
  private static final String SERVICE = "issuance";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the service. {@code properties} override {@code args}, and both override
   * solidus-issuance.yml.
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(IssuanceApplication.class, SERVICE, properties, args);
  }
}
