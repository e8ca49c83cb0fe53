package io.solidus.wallet.transfer;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Scalar;

/**
 * An output without its signature: the blinded coin that the committee sees, and its opening, which
 * only the wallet knows.
 */
public record BlindedOutput(
    BlindedCoin coin, InputDigest inputDigest, FieldElement message, Scalar blinding) {
  @Override
  public String toString() {
    return "BlindedOutput[redacted]";
  }
}
