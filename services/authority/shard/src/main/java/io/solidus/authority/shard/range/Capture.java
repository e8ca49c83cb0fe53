package io.solidus.authority.shard.range;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ShardRange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Triggers that write what one table gets in the moving range to the new shard's table as well, in
 * the same transaction: the two are the same at every moment, and what is rolled back is rolled
 * back in both. A trigger is added under a lock that waits for the writers before it, so every row
 * is captured or was there before.
 */
final class Capture {

  private final JdbcClient jdbc;
  private final SplitPlan plan;
  private final MovedTable table;

  Capture(JdbcClient jdbc, SplitPlan plan, MovedTable table) {
    this.jdbc = jdbc;
    this.plan = plan;
    this.table = table;
  }

  /** In the caller's transaction, which holds writers up from here to its end. */
  void begin() {
    jdbc.sql(
            "CREATE OR REPLACE FUNCTION "
                + function()
                + "() RETURNS trigger LANGUAGE plpgsql AS '"
                + body().replace("'", "''")
                + "'")
        .update();
    for (String event : table.events()) {
      jdbc.sql(
              "CREATE OR REPLACE TRIGGER "
                  + trigger(event)
                  + " AFTER "
                  + event
                  + " ON "
                  + table.in(plan.from())
                  + " REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION "
                  + function()
                  + "()")
          .update();
    }
  }

  /** In the caller's transaction. */
  void end() {
    for (String event : table.events()) {
      jdbc.sql("DROP TRIGGER IF EXISTS " + trigger(event) + " ON " + table.in(plan.from()))
          .update();
    }
    jdbc.sql("DROP FUNCTION IF EXISTS " + function() + "()").update();
  }

  /** Whether nobody took a trigger away or switched it off. */
  boolean works() {
    long active =
        jdbc.sql(
                """
                SELECT count(*) FROM pg_catalog.pg_trigger
                WHERE tgrelid = :table::regclass AND tgname = ANY (:names::text[]) AND tgenabled = 'O'
                """)
            .param("table", table.in(plan.from()))
            .param("names", table.events().stream().map(this::trigger).toArray(String[]::new))
            .query(Long.class)
            .single();
    return active == table.events().size();
  }

  private String body() {
    List<String> columns = table.columns(jdbc, plan.from());
    String list = String.join(", ", columns);
    return "BEGIN INSERT INTO "
        + table.in(plan.to())
        + " AS moved ("
        + list
        + ") SELECT "
        + list
        + " FROM fresh WHERE "
        + within(table.key(), plan.moving())
        + " ORDER BY "
        + table.key()
        + " "
        + table.onConflict(columns)
        + "; RETURN NULL; END";
  }

  private String function() {
    return plan.from() + "." + table.table() + "_to_" + plan.to();
  }

  private String trigger(String event) {
    return "to_" + plan.to() + "_on_" + event.toLowerCase(java.util.Locale.ROOT);
  }

  /** A condition in SQL; both bounds are hexadecimal. */
  static String within(String column, ShardRange range) {
    String lower = column + " >= " + literal(range.lo());
    @Nullable FieldElement end = range.hiExclusive();
    return end == null ? lower : lower + " AND " + column + " < " + literal(end);
  }

  private static String literal(FieldElement value) {
    return "'\\x" + value.hex() + "'::bytea";
  }
}
