package io.solidus.operator.console;

import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.problem.ProblemAutoConfiguration;
import io.solidus.platform.security.AdminSecurityAutoConfiguration;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the console. Its people use a browser: sessions and pages instead of tokens and JSON. */
@SpringBootApplication(
    proxyBeanMethods = false,
    exclude = {AdminSecurityAutoConfiguration.class, ProblemAutoConfiguration.class})
@EnableConfigurationProperties(ConsoleProperties.class)
public class ConsoleApplication {
  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the console.
   *
   * @param properties override {@code args} and solidus-console.yml
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(ConsoleApplication.class, "console", properties, args);
  }
}
