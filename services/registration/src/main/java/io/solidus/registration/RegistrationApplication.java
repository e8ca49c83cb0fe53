package io.solidus.registration;

import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Registration of persons. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(RegistrationProperties.class)
public class RegistrationApplication {
  private static final String SERVICE = "registration";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /** Starts the service; {@code properties} go before {@code args} and before solidus-registration.yml. */
  public static ConfigurableApplicationContext start(Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(RegistrationApplication.class, SERVICE, properties, args);
  }
}
