package io.solidus.authority.spend.rules;

import java.time.Duration;
import java.util.Objects;

/**
 * How long superseded rules stay usable for new cores.
 *
 * @param policyGrace how long a superseded policy or checkpoint stays usable
 * @param periodGrace how long the previous period stays usable
 * @param heartbeatMaxAge age of the sanctions service's last heartbeat after which no new core is
 *     taken
 */
public record AdmissionWindows(
    Duration policyGrace, Duration periodGrace, Duration heartbeatMaxAge) {

  public AdmissionWindows {
    requireNotNegative(policyGrace, "policyGrace");
    requireNotNegative(periodGrace, "periodGrace");
    requireNotNegative(heartbeatMaxAge, "heartbeatMaxAge");
  }

  private static void requireNotNegative(Duration d, String name) {
    Objects.requireNonNull(d, name);
    if (d.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative");
    }
  }
}
