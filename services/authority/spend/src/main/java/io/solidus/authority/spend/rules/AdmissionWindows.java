package io.solidus.authority.spend.rules;

import java.time.Duration;
import java.util.Objects;

/**
 * How long superseded facts are still good for new cores.
 *
 * @param policyGrace after a switch of policy or checkpoint, the superseded version
 * @param periodGrace after a switch of period, the previous period
 * @param heartbeatMaxAge silence of the sanction authority after which no new core is taken
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
