package io.solidus.wallet.keys;

import io.solidus.protocol.Scalar;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;

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
    BigInteger value;
    do {
      value = new BigInteger(Scalar.ORDER.bitLength(), random);
    } while (value.signum() == 0 || value.compareTo(Scalar.ORDER) >= 0);
    byte[] raw = value.toByteArray();
    byte[] fixed = new byte[Scalar.BYTES];
    int length = Math.min(raw.length, fixed.length);
    System.arraycopy(raw, raw.length - length, fixed, fixed.length - length, length);
    try {
      return Scalar.of(fixed);
    } finally {
      Arrays.fill(raw, (byte) 0);
      Arrays.fill(fixed, (byte) 0);
    }
  }
}
