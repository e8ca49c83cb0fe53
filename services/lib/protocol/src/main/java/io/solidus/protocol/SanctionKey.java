package io.solidus.protocol;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * What the sanction tree is sorted by: the leading 160 of the 377 bits of an apk, as a big endian
 * integer.
 *
 * @param bytes 20 bytes
 */
public record SanctionKey(byte[] bytes) implements Comparable<SanctionKey> {
  public static final int BYTES = 20;

  public SanctionKey {
    bytes = Bytes.fixed(bytes, BYTES, "a sanction key");
  }

  public static SanctionKey of(byte[] bytes) {
    return new SanctionKey(bytes);
  }

  public static SanctionKey fromHex(String hex) {
    return new SanctionKey(Bytes.fromHex(hex, "a sanction key"));
  }

  /** Bits of an apk below the compared ones. */
  public static final int SHIFT = 217;

  /** The largest key, floor(p / 2^217): a sentinel, never a member. */
  public static final SanctionKey LAST = leading(FieldElement.MODULUS);

  /** The smallest key: a sentinel, never a member. */
  public static final SanctionKey FIRST = new SanctionKey(new byte[BYTES]);

  public static SanctionKey of(Apk apk) {
    return leading(apk.value().toBigInteger());
  }

  public boolean isSentinel() {
    return equals(FIRST) || equals(LAST);
  }

  @Override
  public int compareTo(SanctionKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  private static SanctionKey leading(BigInteger value) {
    byte[] raw = value.shiftRight(SHIFT).toByteArray();
    byte[] out = new byte[BYTES];
    int length = Math.min(raw.length, BYTES);
    System.arraycopy(raw, raw.length - length, out, BYTES - length, length);
    return new SanctionKey(out);
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  public String hex() {
    return Bytes.hex(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SanctionKey that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "SanctionKey[" + hex().substring(0, 12) + "...]";
  }
}
