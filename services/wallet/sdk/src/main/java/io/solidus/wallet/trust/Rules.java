package io.solidus.wallet.trust;

import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.prover.Limits;
import io.solidus.prover.SanctionTree;

/**
 * The verified rules of a transfer. The {@link RulesClient} that returned them closes the tree.
 *
 * @param tree rebuilt from the whole sanction list
 */
public record Rules(Policy policy, SanctionCheckpoint checkpoint, SanctionTree tree) {
  public Limits limits() {
    return Limits.of(policy);
  }
}
