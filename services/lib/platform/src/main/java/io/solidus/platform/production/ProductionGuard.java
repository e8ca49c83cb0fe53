package io.solidus.platform.production;

import io.solidus.platform.production.ProductionRefusedException.Reason;
import java.util.List;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Stops every service that is configured for something else than production where the production
 * profile is on: after the configuration is read and before anything is opened, so that nothing has
 * listened, connected or loaded a key.
 */
final class ProductionGuard implements EnvironmentPostProcessor, Ordered {
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  /**
   * @throws ProductionRefusedException naming every reason
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
