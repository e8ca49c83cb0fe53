package io.solidus.operator.issuance;

import io.solidus.operator.issuance.settings.IssuanceProperties;
import io.solidus.platform.boot.ServiceLauncher;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** The service for issuance and redemption. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(IssuanceProperties.class)
@OpenAPIDefinition(
    info =
        @Info(
            title = "Solidus issuance",
            version = "v1",
            description = "Fundings, mints with two approvals, redemptions and the books."))
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
