package io.solidus.authority.shard.range;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ShardRange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The triggers that write new rows of the moving range to the new shard's table as well, in the
 * same transaction. So both tables stay equal, also after a rollback. Adding a trigger takes a lock
 * that waits for earlier writers: every row is written twice or existed before.
 */
final class DualWriteTriggers {

  private final JdbcClient jdbc;
  private final SplitPlan plan;
  private final MovedTable table;

  DualWriteTriggers(JdbcClient jdbc, SplitPlan plan, MovedTable table) {
    this.jdbc = jdbc;
    this.plan = plan;
    this.table = table;
  }

  /** Adds the triggers in the caller's transaction, which blocks writers from here to its end. */
  void add() {
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

  /** Removes the triggers in the caller's transaction. */
  void remove() {
    for (String event : table.events()) {
      jdbc.sql("DROP TRIGGER IF EXISTS " + trigger(event) + " ON " + table.in(plan.from()))
          .update();
    }
    jdbc.sql("DROP FUNCTION IF EXISTS " + function() + "()").update();
  }

  /** Whether all triggers exist and are enabled. */
  boolean active() {
    long enabled =
        jdbc.sql(
                """
                SELECT count(*) FROM pg_catalog.pg_trigger
                WHERE tgrelid = :table::regclass AND tgname = ANY (:names::text[]) AND tgenabled = 'O'
                """)
            .param("table", table.in(plan.from()))
            .param("names", table.events().stream().map(this::trigger).toArray(String[]::new))
            .query(Long.class)
            .single();
    return enabled == table.events().size();
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

  /** An SQL condition for a range; both bounds are hexadecimal. */
  static String within(String column, ShardRange range) {
    String lower = column + " >= " + literal(range.lo());
    @Nullable FieldElement end = range.hiExclusive();
    return end == null ? lower : lower + " AND " + column + " < " + literal(end);
  }

  private static String literal(FieldElement value) {
    return "'\\x" + value.hex() + "'::bytea";
  }
}
