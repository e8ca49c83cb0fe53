package io.solidus.authority.spend.simulation;

import java.util.List;

/**
 * A request as it is sent: a statement, evidence that may be renewed, and partial signatures for
 * the finish rule.
 *
 * @param proof whether the proof is good, as far as the statement is true
 * @param policy the policy version of the evidence
 */
record Request(Transfer transfer, boolean proof, int policy, List<SimulatedPartial> certificate) {

  Request with(List<SimulatedPartial> partials) {
    return new Request(transfer, proof, policy, List.copyOf(partials));
  }

  Request renewed(int newest) {
    return new Request(transfer, proof, newest, certificate);
  }

  Request unproven() {
    return new Request(transfer, false, policy, certificate);
  }
}
