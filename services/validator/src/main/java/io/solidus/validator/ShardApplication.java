package io.solidus.validator;

import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.security.AdminSecurityAutoConfiguration;
import io.solidus.validator.authority.ActuatorOnly;
import io.solidus.validator.authority.DurabilityConfiguration;
import io.solidus.validator.shard.ShardConfiguration;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** One shard of a validator. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = AdminSecurityAutoConfiguration.class)
@Import({ShardConfiguration.class, DurabilityConfiguration.class, ActuatorOnly.class})
public class ShardApplication {

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /** @param properties win over solidus-validator.yml */
  public static ConfigurableApplicationContext start(Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(ShardApplication.class, "validator", properties, args);
  }
}
