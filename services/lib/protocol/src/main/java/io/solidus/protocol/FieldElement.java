package io.solidus.protocol;

import java.math.BigInteger;

/** An element of F, the scalar field of BLS12-381 (255-bit modulus r). */
public final class FieldElement extends FixedBytes implements Comparable<FieldElement> {
  public static final int BYTES = 32;

  /** r. */
  public static final BigInteger MODULUS =
      new BigInteger("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16);

  private static final byte[] MODULUS_BYTES = Bytes.leftPadded(MODULUS, BYTES);

  public static final FieldElement ZERO = new FieldElement(new byte[BYTES]);

  /**
   * @param bytes 32 bytes, big endian, canonical (below r)
   * @throws ProtocolException malformed-request when the length is wrong or the value is not below
   *     r
   */
  public FieldElement(byte[] bytes) {
    super(bytes, BYTES, "a field element");
    requireElements(this);
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
   * Returns a number modulo r.
   *
   * @param bytes big endian; 64 uniform bytes leave a bias below 2^-256
   */
  public static FieldElement reduce(byte[] bytes) {
    return of(new BigInteger(1, bytes).mod(MODULUS));
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

  /** Refuses a value that is not a sequence of canonical elements, 32 bytes each. */
  static void requireElements(FixedBytes value) {
    value.requireBelow(MODULUS_BYTES, "a field element");
  }
}
