package io.solidus.operator.registration.cases;

import io.solidus.platform.bank.BankScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes steps of registrations. Callers own the transactions and lock the case. */
final class StandingStore {
  static final String ACCEPTED = "accepted";
  static final String REFUSED = "refused";

  /** Of a case {@code c}: that its registration is not closed. */
  static final String NOT_CLOSED =
      " AND NOT EXISTS (SELECT 1 FROM standing_step x WHERE x.case_id = c.id AND x.kind = 'close'"
          + " AND x.verdict = 'accepted')";

  private static final String EXPIRED = "expired";

  private static final String COLUMNS =
      "id, case_id, kind, cause, sealed_reason, proposed_by, proposed_at, verdict, decided_by, decided_at";

  private final JdbcClient jdbc;
  private final CaseCodec codec;

  StandingStore(JdbcClient jdbc, CaseCodec codec) {
    this.jdbc = jdbc;
    this.codec = codec;
  }

  /** Adds a proposal; false when another one of the case waits. */
  boolean add(Standing.Step step) {
    return jdbc.sql(
                "INSERT INTO standing_step (id, case_id, kind, cause, sealed_reason, proposed_by, proposed_at)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (case_id) WHERE verdict IS NULL DO NOTHING")
            .params(step.id(), step.caseId(), step.kind().id())
            .param(step.cause())
            .param(codec.sealStep(step.caseId(), step.id(), step.reason()))
            .param(step.proposedBy())
            .param(step.proposedAt().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** The steps of a case, oldest first. */
  List<Standing.Step> of(UUID caseId) {
    return jdbc.sql("SELECT " + COLUMNS + " FROM standing_step WHERE case_id = ? ORDER BY sequence")
        .param(caseId)
        .query(this::read)
        .list();
  }

  /** How the person of an approved case stands. */
  Standing standing(UUID caseId) {
    return jdbc.sql(
            "SELECT kind FROM standing_step WHERE case_id = ? AND verdict = 'accepted' ORDER BY sequence DESC LIMIT 1")
        .param(caseId)
        .query(String.class)
        .optional()
        .map(kind -> Standing.Kind.of(kind).result())
        .orElse(Standing.REGISTERED);
  }

  /** Whether a registration is closed because the person lost her phrase. */
  boolean isPhraseLost(UUID caseId) {
    return jdbc.sql("SELECT is_phrase_lost(?)").param(caseId).query(Boolean.class).single();
  }

  void decide(UUID id, String verdict, String officer, Instant now) {
    jdbc.sql("UPDATE standing_step SET verdict = ?, decided_by = ?, decided_at = ? WHERE id = ?")
        .params(verdict, officer, now.atOffset(ZoneOffset.UTC), id)
        .update();
  }

  /** Steps that wait, in the order of their ids. */
  List<Standing.Step> waiting(BankScope scope, UUID after, int limit) {
    return jdbc.sql(
            "SELECT "
                + COLUMNS
                + " FROM standing_step WHERE verdict IS NULL AND id > ?"
                + " AND (? = '' OR case_id IN (SELECT id FROM kyc_case WHERE bank = ?)) ORDER BY id LIMIT ?")
        .params(after, scope.id(), scope.id(), limit)
        .query(this::read)
        .list();
  }

  /** How many steps wait for a second person, and the time of the oldest. */
  WaitingCases.Queue waiting(BankScope scope) {
    return jdbc.sql(
            "SELECT count(*), min(proposed_at) FROM standing_step WHERE verdict IS NULL"
                + " AND (? = '' OR case_id IN (SELECT id FROM kyc_case WHERE bank = ?))")
        .params(scope.id(), scope.id())
        .query((row, n) -> {
          Timestamp oldest = row.getTimestamp(2);
          return new WaitingCases.Queue(
              "step", row.getLong(1), oldest == null ? null : oldest.toInstant());
        })
        .single();
  }

  /** Ends steps from before a time; returns the cases. */
  List<UUID> expire(Instant before, Instant now) {
    return jdbc.sql(
            "UPDATE standing_step SET verdict = ?, decided_by = ?, decided_at = ?"
                + " WHERE verdict IS NULL AND proposed_at < ? RETURNING case_id")
        .params(
            EXPIRED, Expiry.ACTOR, now.atOffset(ZoneOffset.UTC), before.atOffset(ZoneOffset.UTC))
        .query(UUID.class)
        .list();
  }

  private Standing.Step read(ResultSet row, int n) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    UUID caseId = row.getObject("case_id", UUID.class);
    return new Standing.Step(
        id,
        caseId,
        Standing.Kind.of(row.getString("kind")),
        row.getString("cause"),
        codec.openStep(caseId, id, row.getBytes("sealed_reason")),
        row.getString("proposed_by"),
        row.getTimestamp("proposed_at").toInstant(),
        row.getString("verdict"),
        row.getString("decided_by"),
        instant(row.getTimestamp("decided_at")));
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
