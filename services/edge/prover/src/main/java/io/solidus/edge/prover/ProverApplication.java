package io.solidus.edge.prover;

import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Entry point of the prover service. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(ProverProperties.class)
public class ProverApplication {
  private static final String SERVICE = "prover";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the prover.
   *
   * @param properties override solidus-prover.yml
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(ProverApplication.class, SERVICE, properties, args);
  }
}
