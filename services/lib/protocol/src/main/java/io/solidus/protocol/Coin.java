package io.solidus.protocol;

/** A coin's opening: known to its owner and to who paid it, to nobody else. */
public record Coin(Amount value, Apk owner, FieldElement rho) {
  @Override
  public String toString() {
    return "Coin[redacted]";
  }
}
