package io.solidus.authority.complianceissuer;

import io.solidus.authority.common.DurabilityConfiguration;
import io.solidus.authority.complianceissuer.issuing.ComplianceIssuerProperties;
import io.solidus.platform.boot.ServiceLauncher;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The compliance issuer of one authority. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(ComplianceIssuerProperties.class)
@Import(DurabilityConfiguration.class)
public class ComplianceIssuerApplication {
  private static final String SERVICE = "compliance-issuer";

  public static void main(String[] args) {
    start(Map.of(), args);
  }

  /**
   * Starts the service. {@code properties} take precedence over {@code args}, and {@code args} over
   * solidus-compliance-issuer.yml.
   */
  public static ConfigurableApplicationContext start(
      Map<String, Object> properties, String... args) {
    return ServiceLauncher.start(ComplianceIssuerApplication.class, SERVICE, properties, args);
  }
}
