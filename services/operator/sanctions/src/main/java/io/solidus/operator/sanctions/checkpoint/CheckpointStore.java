package io.solidus.operator.sanctions.checkpoint;

import io.solidus.operator.sanctions.PublishedNotes;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.SanctionCheckpoint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of published checkpoints with their lists. */
@Repository
class CheckpointStore {
  private static final String SELECT = "SELECT version, note, list_digest, size FROM checkpoint";

  private final JdbcClient jdbc;
  private final PublishedNotes notes;

  CheckpointStore(JdbcClient jdbc, @Qualifier("publishedCheckpoints") PublishedNotes notes) {
    this.jdbc = jdbc;
    this.notes = notes;
  }

  Optional<PublishedCheckpoint> newest() {
    return jdbc.sql(SELECT + " ORDER BY version DESC LIMIT 1").query(this::read).optional();
  }

  Optional<PublishedCheckpoint> find(long version) {
    return jdbc.sql(SELECT + " WHERE version = ?").param(version).query(this::read).optional();
  }

  /** Checkpoints before a version, the newest first. */
  List<PublishedCheckpoint> page(long before, int limit) {
    return jdbc.sql(SELECT + " WHERE version < ? ORDER BY version DESC LIMIT ?")
        .params(before, limit)
        .query(this::read)
        .list();
  }

  Optional<byte[]> keys(long version) {
    return jdbc.sql("SELECT keys FROM checkpoint WHERE version = ?")
        .param(version)
        .query((row, n) -> row.getBytes(1))
        .optional();
  }

  /**
   * When the first change of a listed address was approved that the newest checkpoint may lack. A
   * transaction that approved while it was published may have been ten minutes older.
   */
  Optional<Instant> oldestAfterNewest() {
    return jdbc.sql(
            "SELECT min(decided_at) FROM proposal WHERE state = 'approved'"
                + " AND kind IN ('address-listing', 'address-delisting')"
                + " AND outcome::jsonb ->> 'changed' = 'true' AND decided_at >"
                + " coalesce((SELECT max(published_at) FROM checkpoint) - interval '10 minutes', '-infinity')")
        .query((row, n) -> Optional.ofNullable(row.getObject(1, OffsetDateTime.class)))
        .single()
        .map(OffsetDateTime::toInstant);
  }

  /** Blocks other publishers until the transaction ends. Readers do not wait. */
  void lock() {
    jdbc.sql("LOCK TABLE checkpoint IN SHARE ROW EXCLUSIVE MODE").update();
  }

  void insert(SanctionCheckpoint checkpoint, String note, byte[] keys, String operator) {
    jdbc.sql(
            "INSERT INTO checkpoint (version, note, list_digest, size, keys, published_by, published_at)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)")
        .params(
            checkpoint.version(),
            note,
            checkpoint.listDigest().bytes(),
            checkpoint.size(),
            keys,
            operator,
            OffsetDateTime.ofInstant(
                Instant.ofEpochMilli(checkpoint.publishedAtMillis()), ZoneOffset.UTC))
        .update();
  }

  private PublishedCheckpoint read(ResultSet row, int number) throws SQLException {
    return new PublishedCheckpoint(
        row.getLong(1), notes.of(row.getString(2)), new Digest32(row.getBytes(3)), row.getInt(4));
  }
}
