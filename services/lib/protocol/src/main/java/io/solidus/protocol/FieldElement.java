package io.solidus.protocol;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * An element of F, the BW6-761 scalar field, which is the BLS12-377 base field (377-bit modulus p).
 */
public final class FieldElement extends FixedBytes implements Comparable<FieldElement> {
  public static final int BYTES = 48;

  /** p. */
  public static final BigInteger MODULUS =
      new BigInteger(
          "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
          16);

  private static final byte[] MODULUS_BYTES = Bytes.leftPadded(MODULUS, BYTES);

  public static final FieldElement ZERO = new FieldElement(new byte[BYTES]);

  /**
   * @param bytes 48 bytes, big endian, canonical (below p)
   * @throws ProtocolException malformed-request when the length is wrong or the value is not below
   *     p
   */
  public FieldElement(byte[] bytes) {
    super(bytes, BYTES, "a field element");
    requireCoordinates(this);
  }

  public static FieldElement of(byte[] bytes) {
    return new FieldElement(bytes);
  }

  public static FieldElement of(BigInteger value) {
    if (value.signum() < 0 || value.compareTo(MODULUS) >= 0) {
      throw ProtocolException.malformed("a field element is outside its field");
    }
    return new FieldElement(Bytes.leftPadded(value, BYTES));
  }

  /**
   * Returns a small number as a field element.
   *
   * @param value not negative
   */
  public static FieldElement ofLong(long value) {
    return of(BigInteger.valueOf(value));
  }

  public static FieldElement fromHex(String hex) {
    return new FieldElement(Bytes.fromHex(hex, "a field element"));
  }

  public BigInteger toBigInteger() {
    return new BigInteger(1, bytes);
  }

  public boolean isZero() {
    return allZero();
  }

  @Override
  public int compareTo(FieldElement other) {
    return compareUnsigned(other);
  }

  /** Refuses a value that is not a sequence of canonical elements, 48 bytes each. */
  static void requireCoordinates(FixedBytes value) {
    for (int at = 0; at < value.bytes.length; at += BYTES) {
      if (Arrays.compareUnsigned(value.bytes, at, at + BYTES, MODULUS_BYTES, 0, BYTES) >= 0) {
        throw ProtocolException.malformed("a field element is not canonical");
      }
    }
  }
}
