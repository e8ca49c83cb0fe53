package io.solidus.authority.shard.range;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ShardRange;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The point at which a range is split: the first serial number of the upper part. */
public sealed interface SplitPoint {

  /** The middle of the range; serial numbers are hashes, so it halves the future rows. */
  record Middle() implements SplitPoint {}

  /** The median of the stored serial numbers. */
  record Median() implements SplitPoint {}

  /** A given serial number. */
  record At(FieldElement serial) implements SplitPoint {}

  /**
   * Parses a point.
   *
   * @param text "middle", "median" or a serial number in hexadecimal
   */
  static SplitPoint parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "middle" -> new Middle();
      case "median" -> new Median();
      default -> new At(FieldElement.fromHex(text));
    };
  }

  default FieldElement of(ShardRange range, JdbcClient jdbc, String schema) {
    return switch (this) {
      case At at -> at.serial();
      case Middle middle -> range.middle();
      case Median median -> median(range, jdbc, schema);
    };
  }

  private static FieldElement median(ShardRange range, JdbcClient jdbc, String schema) {
    String rows = " FROM " + schema + ".serials WHERE " + DualWriteTriggers.within("serial", range);
    return jdbc.sql(
            "SELECT serial"
                + rows
                + " ORDER BY serial OFFSET (SELECT count(*) / 2"
                + rows
                + ") LIMIT 1")
        .query((rs, row) -> FieldElement.of(rs.getBytes(1)))
        .optional()
        .filter(median -> !median.equals(range.lo()))
        .orElseGet(range::middle);
  }
}
