package io.solidus.authority.signer;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Out of service while the sign-log and the database have not been shown to agree, or a write to
 * the log has failed.
 */
final class SignerHealth implements HealthIndicator {

  private final LogHolder signLog;

  SignerHealth(LogHolder signLog) {
    this.signLog = signLog;
  }

  @Override
  public Health health() {
    Health.Builder health = signLog.problem().isEmpty() ? Health.up() : Health.outOfService();
    return health.withDetail("signLog", signLog.state().label()).build();
  }
}
