package io.solidus.operator.registration;

import io.solidus.platform.boot.ServiceLauncher;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Registration of persons. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(RegistrationProperties.class)
@OpenAPIDefinition(
    info =
        @Info(
            title = "Solidus registration",
            version = "v1",
            description = "Persons register once; operators decide."))
public class RegistrationApplication {
  private static final String SERVICE = "registration";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the service. {@code properties} override {@code args}, and both override
   * solidus-registration.yml.
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(RegistrationApplication.class, SERVICE, properties, args);
  }
}
