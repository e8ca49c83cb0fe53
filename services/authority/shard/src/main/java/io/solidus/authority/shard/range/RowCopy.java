package io.solidus.authority.shard.range;

import io.solidus.protocol.SerialNumber;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Copies one table's rows of the moving range that were there before {@link Capture} began, a
 * window of them at a time, and compares. Never waits for a payment and holds none up for longer
 * than a window: rows that a payment is just writing are left to the capture.
 */
final class RowCopy {

  /** Rows in a window: some megabytes of requests at most. */
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

  /** The last serial number of the window after one; empty when no row comes after it. */
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
   * @return how many rows were not there yet
   */
  int copy(@Nullable SerialNumber after, SerialNumber to) {
    return switch (table) {
      case SERIALS -> insert(between(after, to), "");
      // an answered row never changes; one without an answer is copied unless somebody is writing
      // it, who then captures it
      case CORES ->
          insert(between(after, to) + " AND reply IS NOT NULL", "")
              + insert(between(after, to) + " AND reply IS NULL", " FOR SHARE SKIP LOCKED");
    };
  }

  /** How many rows of a window are not the same in both schemas, at one moment. */
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

  /** Rows of the new schema that are none of the moving range's. */
  long strangers() {
    return count(
        "SELECT 1 FROM "
            + table.in(plan.to())
            + " WHERE NOT ("
            + Capture.within(table.key(), plan.moving())
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
    String condition = Capture.within(table.key(), plan.moving());
    if (after != null) {
      condition += " AND " + table.key() + " > '\\x" + after.hex() + "'::bytea";
    }
    if (to != null) {
      condition += " AND " + table.key() + " <= '\\x" + to.hex() + "'::bytea";
    }
    return condition;
  }
}
