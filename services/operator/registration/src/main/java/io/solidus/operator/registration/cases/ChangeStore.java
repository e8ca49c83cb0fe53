package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Identity;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes changes of registered persons. Callers own the transactions. */
final class ChangeStore {
  static final String ACCEPTED = "accepted";
  static final String REFUSED = "refused";

  private final JdbcClient jdbc;
  private final CaseCodec codec;

  ChangeStore(JdbcClient jdbc, CaseCodec codec) {
    this.jdbc = jdbc;
    this.codec = codec;
  }

  /** Adds a proposal; false when another one of the case waits. */
  boolean add(UUID caseId, Identity identity, PersonChange change) {
    return jdbc.sql(
                """
                INSERT INTO person_change (id, case_id, sealed_person, birth_key, document_key, sealed_reason, proposed_by, proposed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (case_id) WHERE verdict IS NULL DO NOTHING
                """)
            .params(
                change.id(),
                caseId,
                codec.sealPerson(caseId, change.person()),
                identity.birthKey().bytes(),
                identity.documentKey().bytes(),
                codec.sealChange(caseId, change.id(), change.reason()),
                change.proposedBy(),
                change.proposedAt().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** The changes of a locked case, oldest first. */
  List<PersonChange> of(UUID caseId) {
    return jdbc.sql(
            "SELECT id, sealed_person, sealed_reason, proposed_by, proposed_at, verdict, decided_by, decided_at"
                + " FROM person_change WHERE case_id = ? ORDER BY sequence")
        .param(caseId)
        .query((row, n) -> {
          UUID id = row.getObject(1, UUID.class);
          return new PersonChange(
              id,
              codec.openPerson(caseId, row.getBytes(2)),
              codec.openChange(caseId, id, row.getBytes(3)),
              row.getString(4),
              row.getTimestamp(5).toInstant(),
              row.getString(6),
              row.getString(7),
              instant(row.getTimestamp(8)));
        })
        .list();
  }

  void decide(UUID id, String verdict, String officer, Instant now) {
    jdbc.sql("UPDATE person_change SET verdict = ?, decided_by = ?, decided_at = ? WHERE id = ?")
        .params(verdict, officer, now.atOffset(ZoneOffset.UTC), id)
        .update();
  }

  /** Ends changes from before a time; returns the cases. */
  List<UUID> expire(Instant before, Instant now) {
    return jdbc.sql(
            "UPDATE person_change SET verdict = ?, decided_by = ?, decided_at = ?"
                + " WHERE verdict IS NULL AND proposed_at < ? RETURNING case_id")
        .params(
            REFUSED, Expiry.ACTOR, now.atOffset(ZoneOffset.UTC), before.atOffset(ZoneOffset.UTC))
        .query(UUID.class)
        .list();
  }

  /**
   * The numbers of all documents that a person has shown to a bank in cases and accepted changes.
   */
  List<String> documents(UUID personId, String bank) {
    return shown(personId, bank).stream()
        .map(Applicant::documentNumber)
        .distinct()
        .sorted()
        .toList();
  }

  /** All details that a person has shown to a bank in cases and accepted changes. */
  List<Applicant> shown(UUID personId, String bank) {
    return jdbc
        .sql(
            """
            SELECT id, sealed_person FROM kyc_case WHERE person_id = :person AND bank = :bank
            UNION ALL SELECT c.id, h.sealed_person FROM kyc_case c JOIN person_change h ON h.case_id = c.id
            WHERE c.person_id = :person AND c.bank = :bank AND h.verdict = 'accepted'
            """)
        .param("person", personId)
        .param("bank", bank)
        .query((row, n) -> codec.openPerson(row.getObject(1, UUID.class), row.getBytes(2)))
        .list()
        .stream()
        .filter(person -> !person.isErased())
        .toList();
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
