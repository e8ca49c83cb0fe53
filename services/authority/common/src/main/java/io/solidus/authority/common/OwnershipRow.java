package io.solidus.authority.common;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardRange;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The row with the range that a shard's schema owns. It takes precedence over the shard map that a
 * process uses.
 *
 * @param mapVersion the shard map that gave the range to the shard
 * @param fenced whether reserving is suspended
 */
public record OwnershipRow(long mapVersion, ShardRange range, boolean fenced) {

  public boolean covers(SerialNumber serial) {
    return !fenced && range.contains(serial);
  }

  /**
   * Reads the row.
   *
   * @param schema of a shard
   */
  public static Optional<OwnershipRow> read(JdbcClient jdbc, String schema) {
    return select(jdbc, schema, "");
  }

  /**
   * Reads the row and shares its lock until the caller's transaction ends: a transaction that takes
   * the range away waits until then.
   */
  public static Optional<OwnershipRow> readForShare(JdbcClient jdbc, String schema) {
    return select(jdbc, schema, " FOR SHARE");
  }

  /** Reads the row and locks it until the caller's transaction ends. */
  public static Optional<OwnershipRow> readForUpdate(JdbcClient jdbc, String schema) {
    return select(jdbc, schema, " FOR UPDATE");
  }

  /** Gives a schema its first range, in the caller's transaction. */
  public static void insert(JdbcClient jdbc, String schema, long mapVersion, ShardRange range) {
    jdbc.sql(
            "INSERT INTO "
                + schema
                + ".ownership (map_version, lo, hi_exclusive) VALUES (:version, :lo, :hi)")
        .param("version", mapVersion)
        .param("lo", range.lo().bytes())
        .param("hi", bytesOrNull(range.hiExclusive()))
        .update();
  }

  /** Replaces the range, in the caller's transaction. */
  public static void update(JdbcClient jdbc, String schema, long mapVersion, ShardRange range) {
    jdbc.sql(
            "UPDATE "
                + schema
                + ".ownership SET map_version = :version, lo = :lo, hi_exclusive = :hi")
        .param("version", mapVersion)
        .param("lo", range.lo().bytes())
        .param("hi", bytesOrNull(range.hiExclusive()))
        .update();
  }

  private static Optional<OwnershipRow> select(JdbcClient jdbc, String schema, String lock) {
    return jdbc.sql(
            "SELECT map_version, lo, hi_exclusive, fenced FROM " + schema + ".ownership" + lock)
        .query((rs, n) ->
            new OwnershipRow(
                rs.getLong(1), range(rs.getBytes(2), rs.getBytes(3)), rs.getBoolean(4)))
        .optional();
  }

  public static ShardRange range(byte[] lo, byte @Nullable [] hiExclusive) {
    return new ShardRange(
        FieldElement.of(lo), hiExclusive == null ? null : FieldElement.of(hiExclusive));
  }

  public static byte @Nullable [] bytesOrNull(@Nullable FieldElement value) {
    return value == null ? null : value.bytes();
  }
}
