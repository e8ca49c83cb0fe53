package io.solidus.validator.signer;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Out of service while the sign-log and the database have not been shown to agree. */
final class SignerHealth implements HealthIndicator {

  private final LogHolder signLog;

  SignerHealth(LogHolder signLog) {
    this.signLog = signLog;
  }

  @Override
  public Health health() {
    return signLog.problem().isEmpty() ? Health.up().build() : Health.outOfService().build();
  }
}
