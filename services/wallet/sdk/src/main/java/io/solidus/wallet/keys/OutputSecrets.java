package io.solidus.wallet.keys;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;

/**
 * What a statement with one output (registration, mint) needs besides its content: the seed of its
 * serial numbers, and the blinding values (s, b) of its coin. Derived, so that a crash or a restore
 * repeats the same core.
 */
public record OutputSecrets(FieldElement seed, FieldElement s, Scalar b) implements AutoCloseable {
  @Override
  public void close() {
    b.close();
  }

  @Override
  public String toString() {
    return "OutputSecrets[redacted]";
  }
}
