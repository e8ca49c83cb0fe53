package io.solidus.authority.replica;

import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** The replica of one authority: copies of the mailbox's tables, which answer private queries. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(ReplicaProperties.class)
public class ReplicaApplication {
  private static final String SERVICE = "replica";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the replica.
   *
   * @param properties override solidus-replica.yml
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(ReplicaApplication.class, SERVICE, properties, args);
  }
}
