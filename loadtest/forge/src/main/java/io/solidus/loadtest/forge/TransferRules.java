package io.solidus.loadtest.forge;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Period;
import io.solidus.prover.Limits;

/**
 * The rules under which a series is proved: the values of the validators' policy and checkpoint.
 *
 * @param root of the sanction checkpoint
 * @param withdrawn by each transfer; its payout block is zeros in any case
 */
public record TransferRules(
    long policyVersion,
    long checkpointVersion,
    Period period,
    Limits limits,
    FieldElement root,
    Amount withdrawn) {

  /** Rules without a withdrawal. */
  public TransferRules(
      long policyVersion, long checkpointVersion, Period period, Limits limits, FieldElement root) {
    this(policyVersion, checkpointVersion, period, limits, root, Amount.ZERO);
  }
}
