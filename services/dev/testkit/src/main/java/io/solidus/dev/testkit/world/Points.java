package io.solidus.dev.testkit.world;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import java.math.BigInteger;
import java.util.Arrays;

/** Points that a validator must refuse. */
public final class Points {

  private Points() {}

  /** Coordinates (1, 1) do not satisfy y^2 = x^3 + 1. */
  public static G1Point offCurve() {
    return of(BigInteger.ONE, BigInteger.ONE);
  }

  /** A point of order 3 on the curve, outside the group of prime order. */
  public static G1Point ofSmallOrder() {
    return of(BigInteger.ZERO, BigInteger.ONE);
  }

  /** The coordinates that libraries use for the identity element. */
  public static byte[] identity() {
    return new byte[96];
  }

  /** The encoding of a point with p added to x, which is not canonical. */
  public static byte[] notCanonical(G1Point point) {
    byte[] bytes = point.bytes();
    BigInteger x = new BigInteger(1, Arrays.copyOf(bytes, 48)).add(FieldElement.MODULUS);
    System.arraycopy(fixed(x), 0, bytes, 0, 48);
    return bytes;
  }

  private static G1Point of(BigInteger x, BigInteger y) {
    byte[] bytes = new byte[96];
    System.arraycopy(fixed(x), 0, bytes, 0, 48);
    System.arraycopy(fixed(y), 0, bytes, 48, 48);
    return new G1Point(bytes);
  }

  private static byte[] fixed(BigInteger value) {
    byte[] raw = value.toByteArray();
    byte[] out = new byte[48];
    int length = Math.min(raw.length, 48);
    System.arraycopy(raw, raw.length - length, out, 48 - length, length);
    return out;
  }
}
