package io.solidus.protocol;

import java.math.BigInteger;

/** An exponent modulo r, the order of the BLS12-381 groups (255 bits) and the modulus of F. */
public final class Scalar extends SecretNumber {
  public static final int BYTES = LENGTH;

  /** r. */
  public static final BigInteger ORDER = FieldElement.MODULUS;

  private static final byte[] ORDER_BYTES = Bytes.leftPadded(ORDER, BYTES);

  /**
   * @throws ProtocolException malformed-request when the length is wrong or the value is not below
   *     r
   */
  public Scalar(byte[] bytes) {
    super(bytes, ORDER_BYTES, "a scalar");
  }

  public static Scalar of(byte[] bytes) {
    return new Scalar(bytes);
  }
}
