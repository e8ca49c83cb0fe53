package io.solidus.operator.sanctions.approval;

import java.util.Set;

/** Applies approved proposals of some kinds. */
public interface ProposalEffect {
  Set<ProposalKind> kinds();

  /**
   * Applies a proposal in the transaction of its approval. After an exception the proposal is still
   * pending.
   *
   * @return the outcome, which is stored as JSON in the proposal
   */
  Object apply(Proposal proposal);
}
