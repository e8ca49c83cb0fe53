package io.solidus.protocol;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * An element of F, the BW6-761 scalar field, which is the BLS12-377 base field (377-bit modulus p).
 *
 * @param bytes 48 bytes, big endian, canonical (below p)
 */
public record FieldElement(byte[] bytes) implements Comparable<FieldElement> {
  public static final int BYTES = 48;

  /** p. */
  public static final BigInteger MODULUS =
      new BigInteger(
          "01ae3a4617c510eac63b05c06ca1493b1a22d9f300f5138f1ef3622fba094800170b5d44300000008508c00000000001",
          16);

  private static final byte[] MODULUS_BYTES = padded(MODULUS);

  public static final FieldElement ZERO = new FieldElement(new byte[BYTES]);

  /**
   * @throws ProtocolException malformed-request when the length is wrong or the value is not below
   *     p
   */
  public FieldElement {
    bytes = Bytes.fixed(bytes, BYTES, "a field element");
    requireCanonical(bytes, 0);
  }

  public static FieldElement of(byte[] bytes) {
    return new FieldElement(bytes);
  }

  public static FieldElement of(BigInteger value) {
    if (value.signum() < 0 || value.compareTo(MODULUS) >= 0) {
      throw ProtocolException.malformed("a field element is outside its field");
    }
    return new FieldElement(padded(value));
  }

  /**
   * @param value not negative
   */
  public static FieldElement ofLong(long value) {
    return of(BigInteger.valueOf(value));
  }

  public static FieldElement fromHex(String hex) {
    return new FieldElement(Bytes.fromHex(hex, "a field element"));
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  public String hex() {
    return Bytes.hex(bytes);
  }

  public BigInteger toBigInteger() {
    return new BigInteger(1, bytes);
  }

  public boolean isZero() {
    return Bytes.allZero(bytes);
  }

  @Override
  public int compareTo(FieldElement other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldElement that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "FieldElement[" + hex().substring(0, 12) + "...]";
  }

  /** Refuses a coordinate or element at {@code offset} that is not below p. */
  static void requireCanonical(byte[] bytes, int offset) {
    if (Arrays.compareUnsigned(bytes, offset, offset + BYTES, MODULUS_BYTES, 0, BYTES) >= 0) {
      throw ProtocolException.malformed("a field element is not canonical");
    }
  }

  private static byte[] padded(BigInteger value) {
    byte[] raw = value.toByteArray();
    byte[] out = new byte[BYTES];
    int length = Math.min(raw.length, BYTES);
    System.arraycopy(raw, raw.length - length, out, BYTES - length, length);
    return out;
  }
}
