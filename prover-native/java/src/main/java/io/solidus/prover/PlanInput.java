package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;

/**
 * An input of a transfer: a received coin, or a dummy of value zero with its own rho.
 *
 * @param origin of the coin; PAYMENT for a dummy
 */
public record PlanInput(Amount value, Origin origin, FieldElement rho, boolean dummy) {
  public PlanInput {
    if (dummy && (!value.isZero() || origin != Origin.PAYMENT)) {
      throw new IllegalArgumentException("a dummy has no value and no origin");
    }
  }

  public static PlanInput coin(Amount value, Origin origin, FieldElement rho) {
    return new PlanInput(value, origin, rho, false);
  }

  public static PlanInput dummy(FieldElement rho) {
    return new PlanInput(Amount.ZERO, Origin.PAYMENT, rho, true);
  }

  @Override
  public String toString() {
    return "PlanInput[redacted]";
  }
}
