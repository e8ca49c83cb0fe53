package io.solidus.protocol;

import java.math.BigInteger;

/**
 * A key of the sanction tree: the leading 160 of the 255 bits of an apk, as a big endian integer.
 * The tree is sorted by it.
 */
public final class SanctionKey extends FixedBytes implements Comparable<SanctionKey> {
  public static final int BYTES = 20;

  /** Bits of an apk below the compared ones. */
  public static final int SHIFT = 95;

  /** The largest key, floor(r / 2^95): a sentinel, never a member. */
  public static final SanctionKey LAST = leading(FieldElement.MODULUS);

  /** The smallest key: a sentinel, never a member. */
  public static final SanctionKey FIRST = new SanctionKey(new byte[BYTES]);

  /**
   * @param bytes 20 bytes
   */
  public SanctionKey(byte[] bytes) {
    super(bytes, BYTES, "a sanction key");
  }

  public static SanctionKey of(byte[] bytes) {
    return new SanctionKey(bytes);
  }

  public static SanctionKey of(Apk apk) {
    return leading(apk.value().toBigInteger());
  }

  public static SanctionKey fromHex(String hex) {
    return new SanctionKey(Bytes.fromHex(hex, "a sanction key"));
  }

  public boolean isSentinel() {
    return equals(FIRST) || equals(LAST);
  }

  @Override
  public int compareTo(SanctionKey other) {
    return compareUnsigned(other);
  }

  private static SanctionKey leading(BigInteger value) {
    return new SanctionKey(Bytes.leftPadded(value.shiftRight(SHIFT), BYTES));
  }
}
