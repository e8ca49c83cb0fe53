package io.solidus.validator.signer;

import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.security.AdminSecurityAutoConfiguration;
import io.solidus.validator.authority.ActuatorOnly;
import io.solidus.validator.authority.DurabilityConfiguration;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The signer of a validator authority. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = AdminSecurityAutoConfiguration.class)
@Import({SignerConfiguration.class, DurabilityConfiguration.class, ActuatorOnly.class})
public class SignerApplication {

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /** @param properties win over solidus-signer.yml */
  public static ConfigurableApplicationContext start(Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(SignerApplication.class, "signer", properties, args);
  }
}
