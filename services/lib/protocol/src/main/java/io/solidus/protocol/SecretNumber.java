package io.solidus.protocol;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * A number below a group's order: 32 bytes big endian, canonical.
 *
 * <p>It is usually a secret: {@link #close()} overwrites it, {@code toString} shows nothing, and
 * comparison takes constant time.
 */
public abstract sealed class SecretNumber implements AutoCloseable permits Scalar, KeyScalar {
  static final int LENGTH = 32;

  private final byte[] value;
  private boolean closed;

  /**
   * @param order 32 bytes
   * @param name of the kind of number in error texts, such as "a scalar"
   * @throws ProtocolException malformed-request when the length is wrong or the value is not below
   *     the order
   */
  SecretNumber(byte[] bytes, byte[] order, String name) {
    value = Bytes.fixed(bytes, LENGTH, name);
    if (Arrays.compareUnsigned(value, order) >= 0) {
      Arrays.fill(value, (byte) 0);
      throw ProtocolException.malformed(name + " is not canonical");
    }
  }

  /** Returns a copy; the caller overwrites it after use. */
  public final synchronized byte[] bytes() {
    if (closed) {
      throw new IllegalStateException("the number is closed");
    }
    return value.clone();
  }

  public final synchronized boolean isZero() {
    return Bytes.allZero(value);
  }

  @Override
  public final synchronized void close() {
    Arrays.fill(value, (byte) 0);
    closed = true;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof SecretNumber that
        && getClass() == that.getClass()
        && MessageDigest.isEqual(value, that.value);
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(value);
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[redacted]";
  }
}
