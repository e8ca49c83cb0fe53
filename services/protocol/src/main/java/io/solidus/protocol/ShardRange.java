package io.solidus.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A contiguous part of the serial number space [0, p).
 *
 * @param hiExclusive null for p
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
}
