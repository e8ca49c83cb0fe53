package io.solidus.dev.testkit.world;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;

/** Uniform values of the protocol's types. */
public final class TestRandom {

  private static final SecureRandom RANDOM = new SecureRandom();

  private TestRandom() {}

  public static byte[] bytes(int n) {
    byte[] bytes = new byte[n];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  public static FieldElement field() {
    return FieldElement.of(new BigInteger(1, bytes(64)).mod(FieldElement.MODULUS));
  }

  public static Scalar scalar() {
    byte[] raw = new BigInteger(1, bytes(48)).mod(Scalar.ORDER).toByteArray();
    byte[] padded = new byte[Scalar.BYTES];
    byte[] tail =
        raw.length > Scalar.BYTES
            ? Arrays.copyOfRange(raw, raw.length - Scalar.BYTES, raw.length)
            : raw;
    System.arraycopy(tail, 0, padded, padded.length - tail.length, tail.length);
    return Scalar.of(padded);
  }
}
