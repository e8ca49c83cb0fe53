package io.solidus.loadtest.chaos.load;

import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.prover.Limits;
import io.solidus.prover.SanctionTree;

/**
 * The policy and the checkpoint under which evidence is made.
 *
 * @param tree of the checkpoint; open until the end of the run, because wallets may be using it
 */
public record WalletRules(Policy policy, SanctionCheckpoint checkpoint, SanctionTree tree) {

  public Limits limits() {
    return Limits.of(policy);
  }
}
