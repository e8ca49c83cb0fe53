package io.solidus.operator.sanctions.approval;

import java.util.Set;

/** Puts an approved proposal in force. */
public interface ProposalEffect {
  Set<ProposalKind> kinds();

  /**
   * Runs in the transaction of the approval; an exception leaves the proposal pending.
   *
   * @return what came of it, written as JSON into the proposal's outcome
   */
  Object apply(Proposal proposal);
}
