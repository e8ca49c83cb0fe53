package io.solidus.authority.signer;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Reports out of service until the sign-log is shown to agree with the database, and after a failed
 * write to the log.
 */
final class SignerHealth implements HealthIndicator {

  private final SignLogSupervisor signLog;

  SignerHealth(SignLogSupervisor signLog) {
    this.signLog = signLog;
  }

  @Override
  public Health health() {
    Health.Builder health = signLog.problem().isEmpty() ? Health.up() : Health.outOfService();
    return health.withDetail("signLog", signLog.state().label()).build();
  }
}
