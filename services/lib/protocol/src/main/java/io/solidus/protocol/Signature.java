package io.solidus.protocol;

/**
 * A Pointcheval-Sanders signature on a coin's message. It is secret, because it identifies the
 * coin.
 */
public record Signature(G1Point s1, G1Point s2) {
  @Override
  public String toString() {
    return "Signature[redacted]";
  }
}
