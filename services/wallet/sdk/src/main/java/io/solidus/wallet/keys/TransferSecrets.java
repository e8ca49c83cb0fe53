package io.solidus.wallet.keys;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * The derived randomness of one transfer: a function of the wallet's seed, the lead serial number,
 * a counter, the period and the sealed blocks.
 */
public record TransferSecrets(
    FieldElement seed,
    List<FieldElement> s,
    List<Scalar> b,
    FieldElement historyRandomness,
    List<FieldElement> dummyRhos)
    implements AutoCloseable {
  public TransferSecrets {
    s = List.copyOf(s);
    b = List.copyOf(b);
    dummyRhos = List.copyOf(dummyRhos);
  }

  @Override
  public void close() {
    b.forEach(Scalar::close);
  }

  @Override
  public String toString() {
    return "TransferSecrets[redacted]";
  }
}
