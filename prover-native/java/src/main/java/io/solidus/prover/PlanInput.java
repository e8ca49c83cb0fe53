package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;

/** An input of a transfer: a received coin, or a dummy of value zero with its own rho. */
public record PlanInput(Amount value, FieldElement rho, boolean dummy) {
  public PlanInput {
    if (dummy && !value.isZero()) {
      throw new IllegalArgumentException("a dummy has no value");
    }
  }

  public static PlanInput dummy(FieldElement rho) {
    return new PlanInput(Amount.ZERO, rho, true);
  }

  @Override
  public String toString() {
    return "PlanInput[redacted]";
  }
}
