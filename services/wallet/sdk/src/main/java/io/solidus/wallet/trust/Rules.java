package io.solidus.wallet.trust;

import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.prover.Limits;
import io.solidus.prover.SanctionTree;

/**
 * The verified rules that a transfer is made under. The tree belongs to the {@link RuleBook} that
 * handed it out.
 *
 * @param tree rebuilt here from the whole list
 */
public record Rules(Policy policy, SanctionCheckpoint checkpoint, SanctionTree tree) {
  public Limits limits() {
    return Limits.of(policy);
  }
}
