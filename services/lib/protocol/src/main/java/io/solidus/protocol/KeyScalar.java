package io.solidus.protocol;

import java.math.BigInteger;

/**
 * A spend key or its randomiser: an exponent modulo l, the order of the Jubjub group (252 bits).
 */
public final class KeyScalar extends SecretNumber {
  public static final int BYTES = LENGTH;

  /** l. */
  public static final BigInteger ORDER =
      new BigInteger("0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7", 16);

  private static final byte[] ORDER_BYTES = Bytes.leftPadded(ORDER, BYTES);

  /**
   * @throws ProtocolException malformed-request when the length is wrong or the value is not below
   *     l
   */
  public KeyScalar(byte[] bytes) {
    super(bytes, ORDER_BYTES, "a key scalar");
  }

  public static KeyScalar of(byte[] bytes) {
    return new KeyScalar(bytes);
  }
}
