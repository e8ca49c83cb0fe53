package io.solidus.wallet.keys;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * The derived randomness of one recover: a function of the wallet's seed, the lead serial number,
 * the two cores and the credits.
 *
 * @param payoutBlock 512 bytes in place of a payout instruction
 */
public record RecoverSecrets(
    FieldElement seed,
    List<FieldElement> s,
    List<Scalar> b,
    FieldElement historyRandomness,
    byte[] payoutBlock)
    implements AutoCloseable {
  public RecoverSecrets {
    s = List.copyOf(s);
    b = List.copyOf(b);
    payoutBlock = payoutBlock.clone();
  }

  @Override
  public byte[] payoutBlock() {
    return payoutBlock.clone();
  }

  @Override
  public void close() {
    b.forEach(Scalar::close);
  }

  @Override
  public String toString() {
    return "RecoverSecrets[redacted]";
  }
}
