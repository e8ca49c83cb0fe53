package io.solidus.protocol;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A contiguous part of the serial number space [0, r).
 *
 * @param hiExclusive the first serial number after the range; null for r
 */
public record ShardRange(FieldElement lo, @Nullable FieldElement hiExclusive) {
  public ShardRange {
    if (hiExclusive != null && lo.compareTo(hiExclusive) >= 0) {
      throw ProtocolException.malformed("a shard range is not empty");
    }
  }

  public boolean contains(SerialNumber serial) {
    return serial.value().compareTo(lo) >= 0
        && (hiExclusive == null || serial.value().compareTo(hiExclusive) < 0);
  }

  /** The point that halves the range; for a range of one element, that element. */
  public FieldElement middle() {
    BigInteger end = hiExclusive == null ? FieldElement.MODULUS : hiExclusive.toBigInteger();
    return FieldElement.of(lo.toBigInteger().add(end).shiftRight(1));
  }
}
