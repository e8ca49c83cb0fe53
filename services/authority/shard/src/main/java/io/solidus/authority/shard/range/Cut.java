package io.solidus.authority.shard.range;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ShardRange;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Where a range is cut: the first serial number of the upper part. */
public sealed interface Cut {

  /** Half of the range; serial numbers are hashes, so half of what will come. */
  record Middle() implements Cut {}

  /** Half of what is stored now. */
  record Median() implements Cut {}

  record At(FieldElement serial) implements Cut {}

  /**
   * @param text "middle", "median" or a serial number in hexadecimal
   */
  static Cut parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "middle" -> new Middle();
      case "median" -> new Median();
      default -> new At(FieldElement.fromHex(text));
    };
  }

  default FieldElement of(ShardRange range, JdbcClient jdbc, String schema) {
    return switch (this) {
      case At cut -> cut.serial();
      case Middle cut -> range.middle();
      case Median cut -> median(range, jdbc, schema);
    };
  }

  private static FieldElement median(ShardRange range, JdbcClient jdbc, String schema) {
    String rows = " FROM " + schema + ".serials WHERE " + Capture.within("serial", range);
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
