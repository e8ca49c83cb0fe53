package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.prover.Limits;
import io.solidus.prover.SanctionTree;

/**
 * What evidence is made under.
 *
 * @param tree of the checkpoint; lives as long as the run, since wallets may be in the middle of a
 *     proof
 */
public record Rules(Policy policy, SanctionCheckpoint checkpoint, SanctionTree tree) {

  public Limits limits() {
    return Limits.of(policy);
  }
}
