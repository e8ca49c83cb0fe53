package io.solidus.operator.registration.cases;

import io.solidus.platform.security.Operator;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes claims of cases. Callers own the transactions and lock the case. */
final class ClaimStore {
  private final JdbcClient jdbc;

  ClaimStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The claim of a case that has not expired. */
  Optional<CaseClaim> find(UUID caseId, Instant now) {
    return jdbc.sql(
            "SELECT officer, claimed_at, until FROM case_claim WHERE case_id = ? AND until > ?")
        .params(caseId, now.atOffset(ZoneOffset.UTC))
        .query((row, n) ->
            new CaseClaim(
                row.getString(1), row.getTimestamp(2).toInstant(), row.getTimestamp(3).toInstant()))
        .optional();
  }

  /** Undecided cases that an officer has claimed, oldest first. */
  List<UUID> of(String officer, Instant now, int limit) {
    return jdbc.sql(
            "SELECT c.id FROM case_claim m JOIN kyc_case c ON c.id = m.case_id WHERE lower(regexp_replace(m.officer, '\\s', '', 'g')) = ? AND until > ?"
                + " ORDER BY c.created_at, c.id LIMIT ?")
        .params(Operator.folded(officer), now.atOffset(ZoneOffset.UTC), limit)
        .query(UUID.class)
        .list();
  }

  void put(UUID caseId, CaseClaim claim) {
    jdbc.sql(
            "INSERT INTO case_claim (case_id, officer, claimed_at, until) VALUES (?, ?, ?, ?)"
                + " ON CONFLICT (case_id) DO UPDATE SET officer = excluded.officer, claimed_at = excluded.claimed_at,"
                + " until = excluded.until")
        .params(
            caseId,
            claim.officer(),
            claim.claimedAt().atOffset(ZoneOffset.UTC),
            claim.until().atOffset(ZoneOffset.UTC))
        .update();
  }

  void remove(UUID caseId) {
    jdbc.sql("DELETE FROM case_claim WHERE case_id = ?").param(caseId).update();
  }
}
