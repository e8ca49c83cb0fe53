package io.solidus.dev.sandbox.services;

import io.solidus.dev.sandbox.operators.Operators;
import io.solidus.dev.sandbox.operators.PolicyLimits;
import io.solidus.dev.sandbox.operators.SanctionLists;
import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/**
 * The operators' work before the first payment: sanction lists, the first policy and the first
 * sanction checkpoint.
 */
public final class Bootstrap {
  private static final String REASON = "the sandbox starts with invented persons";

  private Bootstrap() {}

  /**
   * Imports the bundled lists of invented persons if there is no list yet, because no person
   * registers without screening. Publishes a checkpoint, and the standard policy unless it is the
   * newest one.
   *
   * @param folder for the bundled lists
   * @return the policy's version
   */
  public static long ensure(Operators operators, Path folder) throws IOException {
    if (operators.lists().isEmpty()) {
      SanctionLists bundled = SanctionLists.of(folder, null, null);
      operators.importList("un", bundled.un(), REASON);
      operators.importList("ofac", bundled.ofac(), REASON);
    }
    PolicyLimits wanted = PolicyLimits.standard();
    JsonNode newest = operators.newestPolicy();
    operators.publishCheckpoint();
    return same(newest, wanted) ? newest.path("version").asLong() : operators.publishPolicy(wanted);
  }

  private static boolean same(JsonNode policy, PolicyLimits limits) {
    return policy.path("period").asInt() == limits.period()
        && policy.path("maxPerTransferMinor").asLong() == limits.maxPerTransferMinor()
        && policy.path("maxPerPeriodMinor").asLong() == limits.maxPerPeriodMinor()
        && policy.path("maxHeldMinor").asLong() == limits.maxHeldMinor()
        && policy.path("maxEscrowMinor").asLong() == limits.maxEscrowMinor()
        && policy.path("maxTransfersPerPeriod").asInt() == limits.maxTransfersPerPeriod()
        && policy.path("mintCapPerDayMinor").asLong() == limits.mintCapPerDayMinor();
  }
}
