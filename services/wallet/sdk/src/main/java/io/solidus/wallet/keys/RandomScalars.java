package io.solidus.wallet.keys;

import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Scalar;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Fresh random exponents for evidence: uniform, never zero, and never derived, so that none
 * repeats.
 */
public final class RandomScalars {
  private final SecureRandom random;

  public RandomScalars(SecureRandom random) {
    this.random = random;
  }

  public Scalar next() {
    return next(Scalar.ORDER, Scalar::of);
  }

  /** Randomises a spend key. */
  public KeyScalar nextKey() {
    return next(KeyScalar.ORDER, KeyScalar::of);
  }

  private <T> T next(BigInteger order, Function<byte[], T> make) {
    BigInteger value;
    do {
      value = new BigInteger(order.bitLength(), random);
    } while (value.signum() == 0 || value.compareTo(order) >= 0);
    byte[] raw = value.toByteArray();
    byte[] fixed = new byte[Scalar.BYTES];
    System.arraycopy(raw, 0, fixed, fixed.length - raw.length, raw.length);
    try {
      return make.apply(fixed);
    } finally {
      Arrays.fill(raw, (byte) 0);
      Arrays.fill(fixed, (byte) 0);
    }
  }
}
