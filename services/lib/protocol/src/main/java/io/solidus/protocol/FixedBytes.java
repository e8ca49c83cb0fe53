package io.solidus.protocol;

import java.util.Arrays;

/** Base of the values that are a byte string of one fixed length. */
public abstract class FixedBytes {
  private static final int SHOWN_CHARS = 12;

  final byte[] bytes;

  /**
   * @param bytes exactly {@code length} bytes; copied
   * @param name of the kind of value in error texts, such as "a digest"
   * @throws ProtocolException malformed-request when the length is wrong
   */
  FixedBytes(byte[] bytes, int length, String name) {
    this.bytes = Bytes.fixed(bytes, length, name);
  }

  /** Returns a copy of the bytes. */
  public final byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the bytes in lower-case hexadecimal. */
  public final String hex() {
    return Bytes.hex(bytes);
  }

  final boolean allZero() {
    return Bytes.allZero(bytes);
  }

  /**
   * Refuses a value that is not a sequence of numbers below {@code modulus}, each as long as it.
   *
   * @param name of one number in error texts
   */
  final void requireBelow(byte[] modulus, String name) {
    int size = modulus.length;
    for (int at = 0; at < bytes.length; at += size) {
      if (Arrays.compareUnsigned(bytes, at, at + size, modulus, 0, size) >= 0) {
        throw ProtocolException.malformed(name + " is not canonical");
      }
    }
  }

  /** Compares two values of one length as unsigned big endian integers. */
  final int compareUnsigned(FixedBytes other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof FixedBytes that
        && getClass() == that.getClass()
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Shows the type and the first six bytes. */
  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + hex().substring(0, SHOWN_CHARS) + "...]";
  }
}
