package io.solidus.protocol;

/** A coin's opening. Only its owner and the payer know it. */
public record Coin(Origin origin, Amount value, Apk owner, FieldElement rho) {
  @Override
  public String toString() {
    return "Coin[redacted]";
  }
}
