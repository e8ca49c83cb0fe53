package io.solidus.operator.sanctions.approval;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Applies approved proposals of some kinds. */
public interface ProposalEffect {
  Set<ProposalKind> kinds();

  /**
   * Applies a proposal in the transaction of its approval. After an exception the proposal is still
   * pending.
   *
   * @param approval who approves, and what this person says to objections
   * @return the outcome, which is stored as JSON in the proposal
   */
  Object apply(Proposal proposal, Approval approval);

  /**
   * The decision of the second person.
   *
   * @param operator the subject
   * @param confirmation why the proposal is right although something speaks against it; null when
   *     nothing was said
   */
  record Approval(String operator, @Nullable String confirmation) {}
}
