package io.solidus.authority.common;

import io.solidus.protocol.Period;
import io.solidus.protocol.StateFloors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The row with the floors that a shard has promised. It never falls; a trigger sees to it. */
public final class FloorsRow {

  private FloorsRow() {}

  /**
   * Reads the row and shares its lock until the caller's transaction ends: a transaction that
   * raises the floors waits until then.
   *
   * @param schema of a shard
   */
  public static StateFloors readForShare(JdbcClient jdbc, String schema) {
    return select(jdbc, schema, " FOR SHARE");
  }

  /**
   * Raises the floors where they are lower, in the caller's transaction. Waits for transactions
   * that share the row, and keeps others out until the caller's transaction ends.
   *
   * @return the floors of the row now
   */
  public static StateFloors raise(JdbcClient jdbc, String schema, StateFloors to) {
    // not a row lock: under load transactions that share the row overlap continuously, so this one
    // would never get it; a table lock is granted in the order of the requests
    jdbc.sql("LOCK TABLE " + schema + ".floors IN EXCLUSIVE MODE").update();
    StateFloors before = select(jdbc, schema, "");
    StateFloors after = before.max(to);
    if (!after.equals(before)) {
      jdbc.sql(
              "UPDATE "
                  + schema
                  + ".floors SET policy_version = :policy, checkpoint_version = :checkpoint, period"
                  + " = :period")
          .param("policy", after.policyVersion())
          .param("checkpoint", after.checkpointVersion())
          .param("period", after.period().yyyymm())
          .update();
    }
    return after;
  }

  private static StateFloors select(JdbcClient jdbc, String schema, String lock) {
    return jdbc.sql(
            "SELECT policy_version, checkpoint_version, period FROM " + schema + ".floors" + lock)
        .query((rs, n) -> new StateFloors(rs.getLong(1), rs.getLong(2), new Period(rs.getInt(3))))
        .single();
  }
}
