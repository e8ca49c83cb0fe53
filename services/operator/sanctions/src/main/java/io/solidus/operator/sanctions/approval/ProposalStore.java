package io.solidus.operator.sanctions.approval;

import io.solidus.operator.sanctions.approval.Proposal.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of proposals. */
@Repository
class ProposalStore {
  private static final String COLUMNS =
      "sequence, id, kind, payload, proposed_by, proposed_at, expires_at, state, decided_by, decided_at, outcome";

  private final JdbcClient jdbc;

  /** The proposals of a kind that wait. */
  public record Waiting(String kind, long count, Instant oldest) {}

  ProposalStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Inserts a proposal; false when this operator already used the idempotency key. */
  boolean insert(
      UUID id,
      ProposalKind kind,
      String payload,
      String operator,
      Instant at,
      Instant expiresAt,
      @Nullable String key) {
    return jdbc.sql(
                "INSERT INTO proposal (id, kind, payload, proposed_by, proposed_at, expires_at, idempotency_key)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
            .params(id, kind.id(), payload, operator, utc(at), utc(expiresAt))
            .param(key)
            .update()
        == 1;
  }

  Optional<Proposal> find(UUID id) {
    return jdbc.sql("SELECT " + COLUMNS + " FROM proposal WHERE id = ?")
        .param(id)
        .query(ProposalStore::read)
        .optional();
  }

  Optional<Proposal> findByKey(String operator, String key) {
    return jdbc.sql(
            "SELECT " + COLUMNS + " FROM proposal WHERE proposed_by = ? AND idempotency_key = ?")
        .params(operator, key)
        .query(ProposalStore::read)
        .optional();
  }

  /** Reads and locks a proposal until the transaction ends. */
  Optional<Proposal> lock(UUID id) {
    return jdbc.sql("SELECT " + COLUMNS + " FROM proposal WHERE id = ? FOR UPDATE")
        .param(id)
        .query(ProposalStore::read)
        .optional();
  }

  /** Proposals after a sequence number in the order of creation. */
  List<Proposal> page(@Nullable State state, long after, int limit) {
    String stateId = state == null ? null : text(state);
    return jdbc.sql(
            "SELECT "
                + COLUMNS
                + " FROM proposal WHERE sequence > ? AND (CAST(? AS text) IS NULL OR state = ?)"
                + " ORDER BY sequence LIMIT ?")
        .param(after)
        .param(stateId)
        .param(stateId)
        .param(limit)
        .query(ProposalStore::read)
        .list();
  }

  /**
   * How many proposals of each kind can be decided at a time. Kinds of which none can are left out.
   */
  List<Waiting> waiting(Instant at) {
    return jdbc.sql(
            "SELECT kind, count(*), min(proposed_at) FROM proposal WHERE state = 'pending' AND expires_at > ? GROUP BY kind ORDER BY kind")
        .param(utc(at))
        .query((row, n) ->
            new Waiting(
                row.getString(1),
                row.getLong(2),
                row.getObject(3, OffsetDateTime.class).toInstant()))
        .list();
  }

  /** The pending proposals of an operator whose Idempotency-Key does not begin with a prefix. */
  List<UUID> waiting(String operator, @Nullable String keptPrefix) {
    return jdbc.sql(
            "SELECT id FROM proposal WHERE proposed_by = :operator AND state = 'pending' AND"
                + " (CAST(:kept AS text) IS NULL OR NOT starts_with(idempotency_key, :kept))")
        .param("operator", operator)
        .param("kept", keptPrefix)
        .query(UUID.class)
        .list();
  }

  boolean waitsOrIsDecided(String operator, String keyPrefix, Instant at) {
    return jdbc.sql(
            "SELECT EXISTS (SELECT FROM proposal WHERE proposed_by = ? AND"
                + " starts_with(idempotency_key, ?) AND (state <> 'pending' OR expires_at > ?))")
        .params(operator, keyPrefix, utc(at))
        .query(Boolean.class)
        .single();
  }

  void decide(UUID id, State state, String operator, Instant at, String outcome) {
    jdbc.sql(
            "UPDATE proposal SET state = ?, decided_by = ?, decided_at = ?, outcome = ? WHERE id = ? AND state = 'pending'")
        .params(text(state), operator, utc(at), outcome, id)
        .update();
  }

  private static String text(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static OffsetDateTime utc(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static Proposal read(ResultSet row, int number) throws SQLException {
    OffsetDateTime decidedAt = row.getObject(10, OffsetDateTime.class);
    return new Proposal(
        row.getLong(1),
        row.getObject(2, UUID.class),
        ProposalKind.of(row.getString(3)),
        row.getString(4),
        row.getString(5),
        row.getObject(6, OffsetDateTime.class).toInstant(),
        row.getObject(7, OffsetDateTime.class).toInstant(),
        State.valueOf(row.getString(8).toUpperCase(Locale.ROOT)),
        row.getString(9),
        decidedAt == null ? null : decidedAt.toInstant(),
        row.getString(11));
  }
}
