package io.solidus.prover;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;

/**
 * An output of a statement before it is blinded.
 *
 * @param message the message hash of its coin
 * @param s commitment randomness
 * @param b blinding exponent
 */
public record OutputToBlind(FieldElement message, FieldElement s, Scalar b) {
  @Override
  public String toString() {
    return "OutputToBlind[redacted]";
  }
}
