package io.solidus.authority.spend.simulation;

import java.util.List;

/**
 * What travels: a statement, evidence that may be renewed, and partial signatures for the finish
 * rule.
 *
 * @param proof whether the proof verifies as far as the statement is true
 * @param policy the policy version the evidence is about
 */
record Request(Transfer transfer, boolean proof, int policy, List<Partial> certificate) {

  Request with(List<Partial> partials) {
    return new Request(transfer, proof, policy, List.copyOf(partials));
  }

  Request renewed(int newest) {
    return new Request(transfer, proof, newest, certificate);
  }

  Request unproven() {
    return new Request(transfer, false, policy, certificate);
  }
}
