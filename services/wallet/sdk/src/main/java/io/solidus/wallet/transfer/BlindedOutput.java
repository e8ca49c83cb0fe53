package io.solidus.wallet.transfer;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Scalar;

/**
 * An output that waits for its signature: what the committee sees of it, and what its owner knows.
 */
public record BlindedOutput(
    BlindedCoin coin, InputDigest inputDigest, FieldElement message, Scalar blinding) {
  @Override
  public String toString() {
    return "BlindedOutput[redacted]";
  }
}
