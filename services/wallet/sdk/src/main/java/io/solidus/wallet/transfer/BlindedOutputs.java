package io.solidus.wallet.transfer;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * The outputs of a statement without their signatures: what the committee sees, and the openings,
 * which only the wallet knows.
 *
 * @param openings one per output, in order
 */
public record BlindedOutputs(Outputs outputs, List<Opening> openings) {
  public BlindedOutputs {
    openings = List.copyOf(openings);
  }

  /** The message of an output's coin and its blinding exponent. */
  public record Opening(FieldElement message, Scalar blinding) {
    @Override
    public String toString() {
      return "Opening[redacted]";
    }
  }

  @Override
  public String toString() {
    return "BlindedOutputs[redacted]";
  }
}
