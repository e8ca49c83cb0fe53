package io.solidus.edge.gateway;

import io.solidus.platform.boot.ServiceLauncher;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Entry point of the gateway service. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(GatewayProperties.class)
@OpenAPIDefinition(
    info =
        @Info(
            title = "Solidus gateway",
            version = "v1",
            description =
                "The API for wallets. It identifies no caller. Wallets verify everything that it"
                    + " answers."))
public class GatewayApplication {
  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the gateway.
   *
   * @param properties override the configuration file
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(GatewayApplication.class, "gateway", properties, args);
  }
}
