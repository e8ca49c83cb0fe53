package io.solidus.authority.shard.range;

import io.solidus.protocol.SerialNumber;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Copies the old rows of one table in the moving range, which existed before {@link
 * DualWriteTriggers} were added, in windows, and compares. It never waits for a payment, and blocks
 * a payment at most for the length of one window: rows that a payment is writing are left to the
 * triggers.
 */
final class RowCopy {

  /** Rows in a window: a few megabytes of requests at most. */
  private static final int WINDOW = 1000;

  private final JdbcClient jdbc;
  private final SplitPlan plan;
  private final MovedTable table;
  private final String columns;

  RowCopy(JdbcClient jdbc, SplitPlan plan, MovedTable table) {
    this.jdbc = jdbc;
    this.plan = plan;
    this.table = table;
    this.columns = String.join(", ", table.columns(jdbc, plan.from()));
  }

  /** The last serial number of the window after a given one; empty when no row follows. */
  Optional<SerialNumber> windowAfter(@Nullable SerialNumber last) {
    List<SerialNumber> window =
        jdbc.sql(
                "SELECT "
                    + table.key()
                    + " FROM "
                    + table.in(plan.from())
                    + " WHERE "
                    + between(last, null)
                    + " ORDER BY 1 LIMIT "
                    + WINDOW)
            .query((rs, row) -> SerialNumber.of(rs.getBytes(1)))
            .list();
    return window.isEmpty() ? Optional.empty() : Optional.of(window.getLast());
  }

  /**
   * Copies a window.
   *
   * @return the number of rows that were missing
   */
  int copy(@Nullable SerialNumber after, SerialNumber to) {
    return switch (table) {
      case SERIALS, LATER_ANSWERS, RECOVERS, RECOVER_ANSWERS -> insert(between(after, to), "");
      // an answered row never changes; a row without an answer that is locked is being written, and
      // its triggers write the copy
      case CORES ->
          insert(between(after, to) + " AND reply IS NOT NULL", "")
              + insert(between(after, to) + " AND reply IS NULL", " FOR SHARE SKIP LOCKED");
    };
  }

  /** The number of rows of a window that differ between the two schemas, in one snapshot. */
  long differing(@Nullable SerialNumber after, @Nullable SerialNumber to) {
    String from =
        "SELECT " + columns + " FROM " + table.in(plan.from()) + " WHERE " + between(after, to);
    String moved =
        "SELECT " + columns + " FROM " + table.in(plan.to()) + " WHERE " + between(after, to);
    return count(
        "(("
            + from
            + ") EXCEPT ("
            + moved
            + ")) UNION ALL (("
            + moved
            + ") EXCEPT ("
            + from
            + "))");
  }

  /** The number of rows in the new schema outside of the moving range. */
  long outsideOfRange() {
    return count(
        "SELECT 1 FROM "
            + table.in(plan.to())
            + " WHERE NOT ("
            + DualWriteTriggers.within(table.key(), plan.moving())
            + ")");
  }

  private int insert(String condition, String lock) {
    return jdbc.sql(
            "INSERT INTO "
                + table.in(plan.to())
                + " AS moved ("
                + columns
                + ") SELECT * FROM (SELECT "
                + columns
                + " FROM "
                + table.in(plan.from())
                + " WHERE "
                + condition
                + " ORDER BY "
                + table.key()
                + lock
                + ") AS window_rows"
                + " ON CONFLICT DO NOTHING")
        .update();
  }

  private long count(String query) {
    return jdbc.sql("SELECT count(*) FROM (" + query + ") AS counted").query(Long.class).single();
  }

  private String between(@Nullable SerialNumber after, @Nullable SerialNumber to) {
    String condition = DualWriteTriggers.within(table.key(), plan.moving());
    if (after != null) {
      condition += " AND " + table.key() + " > '\\x" + after.hex() + "'::bytea";
    }
    if (to != null) {
      condition += " AND " + table.key() + " <= '\\x" + to.hex() + "'::bytea";
    }
    return condition;
  }
}
