package io.solidus.edge.relay;

import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Entry point of the relay. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(RelayProperties.class)
public class RelayApplication {
  private static final String SERVICE = "relay";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the relay.
   *
   * @param properties override solidus-relay.yml
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(RelayApplication.class, SERVICE, properties, args);
  }
}
