package io.solidus.authority.shard;

import io.solidus.authority.common.AuthorityDatabaseConfiguration;
import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** One shard of a validator. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ShardConfiguration.class, AuthorityDatabaseConfiguration.class})
public class ShardApplication {

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts a shard.
   *
   * @param properties override solidus-validator.yml
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(ShardApplication.class, "validator", properties, args);
  }
}
