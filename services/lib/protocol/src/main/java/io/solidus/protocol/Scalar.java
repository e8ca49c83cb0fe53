package io.solidus.protocol;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * An exponent modulo r, the order of the BLS12-377 groups (253 bits): 32 bytes big endian,
 * canonical.
 *
 * <p>It is usually a secret: {@link #close()} overwrites it, {@code toString} shows nothing, and
 * comparison takes constant time.
 */
public final class Scalar implements AutoCloseable {
  public static final int BYTES = 32;

  /** r. */
  public static final BigInteger ORDER =
      new BigInteger("12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001", 16);

  private static final byte[] ORDER_BYTES = ORDER.toByteArray();

  private final byte[] value;
  private boolean closed;

  /**
   * @throws ProtocolException malformed-request when the length is wrong or the value is not below
   *     r
   */
  public Scalar(byte[] bytes) {
    value = Bytes.fixed(bytes, BYTES, "a scalar");
    if (Arrays.compareUnsigned(value, ORDER_BYTES) >= 0) {
      Arrays.fill(value, (byte) 0);
      throw ProtocolException.malformed("a scalar is not canonical");
    }
  }

  public static Scalar of(byte[] bytes) {
    return new Scalar(bytes);
  }

  /** Returns a copy; the caller overwrites it after use. */
  public synchronized byte[] bytes() {
    if (closed) {
      throw new IllegalStateException("the scalar is closed");
    }
    return value.clone();
  }

  public synchronized boolean isZero() {
    return Bytes.allZero(value);
  }

  @Override
  public synchronized void close() {
    Arrays.fill(value, (byte) 0);
    closed = true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Scalar that && MessageDigest.isEqual(value, that.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return "Scalar[redacted]";
  }
}
