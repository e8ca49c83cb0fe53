package io.solidus.gateway;

import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** The gateway. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(GatewayProperties.class)
public class GatewayApplication {
  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /** @param properties override the configuration file */
  public static ConfigurableApplicationContext start(Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(GatewayApplication.class, "gateway", properties, args);
  }
}
