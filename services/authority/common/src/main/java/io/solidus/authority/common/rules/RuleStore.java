package io.solidus.authority.common.rules;

import io.solidus.authority.common.AuthorityDatabase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores policies, checkpoints and heartbeats as the signed notes they came as; every reader
 * verifies them again.
 */
public final class RuleStore {

  /** A note with the time at which this authority first accepted it. */
  record Row(long version, String note, Instant acceptedAt, boolean late) {}

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public RuleStore(AuthorityDatabase database) {
    this.jdbc = database.jdbc();
    this.transaction = database.transaction();
  }

  List<Row> policiesBesides(Collection<Long> known) {
    return rows("policies", known);
  }

  List<Row> checkpointsBesides(Collection<Long> known) {
    return rows("checkpoints", known);
  }

  Optional<Row> policy(long version) {
    return row("policies", version);
  }

  Optional<Row> checkpoint(long version) {
    return row("checkpoints", version);
  }

  List<String> heartbeats() {
    return jdbc.sql("SELECT note FROM authority.heartbeats").query(String.class).list();
  }

  Optional<byte[]> list(long version) {
    return jdbc.sql(
            "SELECT list FROM authority.checkpoints WHERE version = :version AND list IS NOT NULL")
        .param("version", version)
        .query((rs, n) -> rs.getBytes(1))
        .optional();
  }

  /** Stores a policy. It is late when a newer one is effective already. */
  void addPolicy(long version, String note, Instant effectiveAt, Instant at) {
    write(
        jdbc.sql(
                """
                INSERT INTO authority.policies (version, note, accepted_at, late, effective_at)
                SELECT :version, :note, :at,
                  EXISTS (SELECT 1 FROM authority.policies WHERE version > :version AND effective_at <= :at), :effectiveAt
                ON CONFLICT DO NOTHING
                """)
            .param("version", version)
            .param("note", note)
            .param("effectiveAt", effectiveAt.atOffset(ZoneOffset.UTC))
            .param("at", at.atOffset(ZoneOffset.UTC)));
  }

  void addCheckpoint(long version, String note, byte[] list, Instant at) {
    write(
        jdbc.sql(
                """
                INSERT INTO authority.checkpoints (version, note, list, accepted_at, late)
                SELECT :version, :note, :list, :at, EXISTS (SELECT 1 FROM authority.checkpoints WHERE version > :version)
                ON CONFLICT DO NOTHING
                """)
            .param("version", version)
            .param("note", note)
            .param("list", list)
            .param("at", at.atOffset(ZoneOffset.UTC)));
  }

  void addHeartbeat(long checkpointVersion, long atMillis, String note) {
    write(
        jdbc.sql(
                """
                INSERT INTO authority.heartbeats AS h (checkpoint_version, at_millis, note) VALUES (:version, :at, :note)
                ON CONFLICT (checkpoint_version) DO UPDATE SET at_millis = excluded.at_millis, note = excluded.note
                WHERE h.at_millis < excluded.at_millis
                """)
            .param("version", checkpointVersion)
            .param("at", atMillis)
            .param("note", note));
  }

  /** Deletes the lists and heartbeats of older checkpoints; the finish rule does not need them. */
  public void dropListsBefore(long version) {
    write(
        jdbc.sql(
                "UPDATE authority.checkpoints SET list = NULL WHERE version < :version AND list IS NOT NULL")
            .param("version", version));
    write(
        jdbc.sql("DELETE FROM authority.heartbeats WHERE checkpoint_version < :version")
            .param("version", version));
  }

  /** Writes in a transaction: only then nothing begins that no standby confirms. */
  private void write(JdbcClient.StatementSpec statement) {
    transaction.executeWithoutResult(t -> statement.update());
  }

  private List<Row> rows(String table, Collection<Long> known) {
    return jdbc.sql(
            "SELECT version, note, accepted_at, late FROM authority."
                + table
                + " WHERE version <> ALL (:known::bigint[]) ORDER BY version")
        .param("known", known.toArray(Long[]::new))
        .query(RuleStore::read)
        .list();
  }

  private Optional<Row> row(String table, long version) {
    return jdbc.sql(
            "SELECT version, note, accepted_at, late FROM authority."
                + table
                + " WHERE version = :version")
        .param("version", version)
        .query(RuleStore::read)
        .optional();
  }

  private static Row read(ResultSet rs, int n) throws SQLException {
    return new Row(
        rs.getLong(1),
        rs.getString(2),
        rs.getObject(3, OffsetDateTime.class).toInstant(),
        rs.getBoolean(4));
  }
}
