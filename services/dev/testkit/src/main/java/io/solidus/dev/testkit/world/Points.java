package io.solidus.dev.testkit.world;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import java.math.BigInteger;
import java.util.Arrays;

/** Points that a validator must refuse. */
public final class Points {

  private Points() {}

  /** Coordinates (1, 1) do not satisfy y^2 = x^3 + 4. */
  public static G1Point offCurve() {
    return of(BigInteger.ONE, BigInteger.ONE);
  }

  /** A point of order 3 on the curve, outside the group of prime order. */
  public static G1Point ofSmallOrder() {
    return of(BigInteger.ZERO, BigInteger.TWO);
  }

  /** Coordinates (1, 1) do not satisfy the equation of Jubjub. */
  public static KeyPoint keyOffCurve() {
    return key(BigInteger.ONE, BigInteger.ONE);
  }

  /** (0, -1), a point of order 2 on Jubjub. */
  public static KeyPoint keyOfSmallOrder() {
    return key(BigInteger.ZERO, FieldElement.MODULUS.subtract(BigInteger.ONE));
  }

  /** The encoding of Jubjub's identity (0, 1). */
  public static byte[] keyIdentity() {
    byte[] bytes = new byte[KeyPoint.BYTES];
    bytes[KeyPoint.BYTES - 1] = 1;
    return bytes;
  }

  /** The coordinates that libraries use for the identity element. */
  public static byte[] identity() {
    return new byte[96];
  }

  /** The encoding of a point with q added to x, which is not canonical. */
  public static byte[] notCanonical(G1Point point) {
    return notCanonical(point.bytes(), G1Point.MODULUS);
  }

  /** The encoding of a key with r added to x, which is not canonical. */
  public static byte[] notCanonical(KeyPoint key) {
    return notCanonical(key.bytes(), FieldElement.MODULUS);
  }

  private static byte[] notCanonical(byte[] point, BigInteger modulus) {
    int half = point.length / 2;
    BigInteger x = new BigInteger(1, Arrays.copyOf(point, half)).add(modulus);
    System.arraycopy(fixed(x, half), 0, point, 0, half);
    return point;
  }

  private static KeyPoint key(BigInteger x, BigInteger y) {
    byte[] bytes = new byte[KeyPoint.BYTES];
    System.arraycopy(fixed(x, 32), 0, bytes, 0, 32);
    System.arraycopy(fixed(y, 32), 0, bytes, 32, 32);
    return new KeyPoint(bytes);
  }

  private static G1Point of(BigInteger x, BigInteger y) {
    byte[] bytes = new byte[96];
    System.arraycopy(fixed(x, 48), 0, bytes, 0, 48);
    System.arraycopy(fixed(y, 48), 0, bytes, 48, 48);
    return new G1Point(bytes);
  }

  private static byte[] fixed(BigInteger value, int size) {
    byte[] raw = value.toByteArray();
    byte[] out = new byte[size];
    int length = Math.min(raw.length, size);
    System.arraycopy(raw, raw.length - length, out, size - length, length);
    return out;
  }
}
