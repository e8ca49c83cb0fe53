package io.solidus.platform.production;

import io.solidus.platform.production.ProductionRefusedException.Reason;
import java.util.List;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Stops a service that violates the rules of the production profile. It runs after the
 * configuration is read and before the service opens a port, a connection or a key.
 */
final class ProductionGuard implements EnvironmentPostProcessor, Ordered {
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  /**
   * Checks the configuration.
   *
   * @throws ProductionRefusedException with every reason
   */
  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    if (!Production.isOn(environment)) {
      return;
    }
    environment.addActiveProfile(Production.PROFILE);
    List<Reason> reasons = ProductionRules.violatedBy(environment);
    if (!reasons.isEmpty()) {
      throw new ProductionRefusedException(reasons);
    }
  }
}
