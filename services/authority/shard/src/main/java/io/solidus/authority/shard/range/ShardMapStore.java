package io.solidus.authority.shard.range;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores the signed shard maps of the authority; rows are only inserted. */
final class ShardMapStore {

  record Row(long version, String note) {}

  private final JdbcClient jdbc;

  ShardMapStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The maps after a version, oldest first. */
  List<Row> after(long version) {
    return jdbc.sql(
            "SELECT version, note FROM authority.shard_maps WHERE version > :version ORDER BY version")
        .param("version", version)
        .query((rs, row) -> new Row(rs.getLong(1), rs.getString(2)))
        .list();
  }

  /** Stores a map in the caller's transaction. */
  void add(long version, String note) {
    jdbc.sql("INSERT INTO authority.shard_maps (version, note) VALUES (:version, :note)")
        .param("version", version)
        .param("note", note)
        .update();
  }

  /**
   * Takes a lock until the caller's transaction ends: meanwhile no other shard starts, joins or
   * moves a range.
   */
  void lock() {
    jdbc.sql("SELECT pg_advisory_xact_lock(:key)")
        .param("key", AdvisoryLocks.RANGES)
        .query((rs, row) -> true)
        .single();
  }
}
