package io.solidus.loadtest.forge;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Period;
import io.solidus.prover.Limits;

/**
 * The rules that a series is proved under: what the validators' policy and checkpoint have to say.
 *
 * @param root of the sanction checkpoint
 * @param withdrawn by each transfer, whose payout block is zeros all the same
 */
public record Terms(
    long policyVersion,
    long checkpointVersion,
    Period period,
    Limits limits,
    FieldElement root,
    Amount withdrawn) {

  /** Nothing is withdrawn. */
  public Terms(
      long policyVersion, long checkpointVersion, Period period, Limits limits, FieldElement root) {
    this(policyVersion, checkpointVersion, period, limits, root, Amount.ZERO);
  }
}
