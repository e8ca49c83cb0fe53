package io.solidus.authority.signer;

import io.solidus.authority.common.AuthorityDatabaseConfiguration;
import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The signer of a validator authority. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({SignerConfiguration.class, AuthorityDatabaseConfiguration.class})
public class SignerApplication {

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts a signer.
   *
   * @param properties override solidus-signer.yml
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(SignerApplication.class, "signer", properties, args);
  }
}
