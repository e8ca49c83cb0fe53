package io.solidus.authority.shard.range;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The authority's shard maps as they were signed; rows only come. */
final class MapStore {

  record Row(long version, String note) {}

  private final JdbcClient jdbc;

  MapStore(JdbcClient jdbc) {
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

  /** In the caller's transaction. */
  void add(long version, String note) {
    jdbc.sql("INSERT INTO authority.shard_maps (version, note) VALUES (:version, :note)")
        .param("version", version)
        .param("note", note)
        .update();
  }

  /**
   * Held to the end of the caller's transaction: nobody else starts, joins or moves a range
   * meanwhile.
   */
  void lock() {
    jdbc.sql("SELECT pg_advisory_xact_lock(:key)")
        .param("key", Locks.RANGES)
        .query((rs, row) -> true)
        .single();
  }
}
