package io.solidus.authority.shard.range;

import io.solidus.authority.common.OwnershipRow;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores the progress of the splits of this authority. */
final class SplitStore {

  /**
   * The progress of a split.
   *
   * @param copiedTo the last row that the current step has copied; null for none
   */
  record Progress(SplitPlan plan, SplitStep step, @Nullable SerialNumber copiedTo) {}

  private static final String SELECT =
      "SELECT shard, new_shard, base_version, at, hi_exclusive, step, copied_to FROM authority.range_splits";

  private final JdbcClient jdbc;

  SplitStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<SplitPlan> unfinished() {
    return jdbc.sql(SELECT + " WHERE finished_at IS NULL")
        .query((rs, row) -> progress(rs).plan())
        .optional();
  }

  /** The split that creates, or created, a shard. */
  Optional<Progress> of(int newShard) {
    return jdbc.sql(SELECT + " WHERE new_shard = :newShard")
        .param("newShard", newShard)
        .query((rs, row) -> progress(rs))
        .optional();
  }

  private static Progress progress(ResultSet row) throws SQLException {
    ShardRange moving = OwnershipRow.range(row.getBytes(4), row.getBytes(5));
    byte[] copiedTo = row.getBytes(7);
    return new Progress(
        new SplitPlan(row.getInt(1), row.getInt(2), row.getLong(3), moving),
        SplitStep.valueOf(row.getString(6)),
        copiedTo == null ? null : SerialNumber.of(copiedTo));
  }

  void plan(SplitPlan plan) {
    jdbc.sql(
            """
            INSERT INTO authority.range_splits (shard, new_shard, base_version, at, hi_exclusive, step)
            VALUES (:shard, :newShard, :base, :at, :hi, :step)
            """)
        .param("shard", plan.shard())
        .param("newShard", plan.newShard())
        .param("base", plan.baseVersion())
        .param("at", plan.moving().lo().bytes())
        .param("hi", OwnershipRow.bytesOrNull(plan.moving().hiExclusive()))
        .param("step", SplitStep.PLANNED.name())
        .update();
  }

  void copiedTo(SplitPlan plan, SerialNumber last) {
    jdbc.sql("UPDATE authority.range_splits SET copied_to = :last WHERE new_shard = :newShard")
        .param("last", last.bytes())
        .param("newShard", plan.newShard())
        .update();
  }

  void reached(SplitPlan plan, SplitStep step) {
    jdbc.sql(
            """
            UPDATE authority.range_splits
            SET step = :step, copied_to = NULL, finished_at = CASE WHEN :done THEN now() END WHERE new_shard = :newShard
            """)
        .param("step", step.name())
        .param("done", step == SplitStep.DONE)
        .param("newShard", plan.newShard())
        .update();
  }
}
