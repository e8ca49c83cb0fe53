package io.solidus.wallet.keys;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;

/**
 * The secrets of a statement with one output (registration, mint): the seed of the coin's rho, and
 * the coin's blinding values (s, b). They are derived, so that a retry after a crash or a restore
 * gives the same core.
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
