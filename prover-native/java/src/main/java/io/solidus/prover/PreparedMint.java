package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;

/** The coin of a mint, its message and its blinded form. */
public record PreparedMint(Coin coin, FieldElement message, BlindedCoin blinded) {

  @Override
  public String toString() {
    return "PreparedMint[redacted]";
  }
}
