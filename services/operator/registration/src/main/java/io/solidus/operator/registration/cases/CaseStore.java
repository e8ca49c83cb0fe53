package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.screening.ScreeningMatch;
import io.solidus.platform.bank.BankScope;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes the tables of cases. Callers own the transactions. */
final class CaseStore {
  /** The details of the newest accepted change, or those of the registration. */
  static final String CURRENT_PERSON =
      "coalesce((SELECT h.sealed_person FROM person_change h WHERE h.case_id = kyc_case.id AND h.verdict = 'accepted'"
          + " ORDER BY h.sequence DESC LIMIT 1), kyc_case.sealed_person)";

  private static final String COLUMNS =
      "id, status, "
          + DataKeys.OF_CASE
          + " AS data_key, "
          + CURRENT_PERSON
          + " AS sealed_person, person_id, apk, core, request, sealed_matches, screened_at, screening_attempts,"
          + " refusal_code, sealed_reason, decided_by, decided_at, attestation_note, created_at, bank, kind";

  private final JdbcClient jdbc;
  private final CaseCodec codec;

  CaseStore(JdbcClient jdbc, CaseCodec codec) {
    this.jdbc = jdbc;
    this.codec = codec;
  }

  /** A case found by its request key. */
  record ExistingCase(UUID id, Digest32 requestDigest, CaseStatus status) {}

  /**
   * Inserts a case; false when the address or request already has one. Waits for a concurrent
   * insert of the same.
   */
  boolean insert(UUID id, UUID personId, NewCase fresh, Instant now) {
    DataKeys.Fresh key = codec.newKey(id);
    return jdbc.sql(
                """
                WITH fresh AS (INSERT INTO kyc_case (id, person_id, birth_key, sealed_person, apk, core, request,
                    request_key, request_digest, status, screen_after, created_at, bank, kind)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id)
                INSERT INTO data_key (case_id, sealed_key, master) SELECT id, ?, ? FROM fresh
                """)
            .params(
                id,
                personId,
                fresh.identity().birthKey().bytes(),
                codec.sealPerson(key, id, fresh.person()),
                fresh.request().statement().apk().bytes(),
                fresh.core().bytes(),
                Codecs.toBytes(fresh.request()),
                fresh.requestKey().bytes(),
                fresh.requestDigest().bytes(),
                CaseStatus.PENDING_SCREENING.id(),
                time(now),
                time(now),
                fresh.bank(),
                fresh.person().kind(),
                key.sealed(),
                key.master())
            .update()
        == 1;
  }

  /** The newest case of a request key; all older ones are refused. */
  Optional<ExistingCase> findByRequest(Digest32 requestKey) {
    return jdbc.sql(
            "SELECT id, request_digest, status FROM kyc_case WHERE request_key = ? ORDER BY created_at DESC LIMIT 1")
        .param(requestKey.bytes())
        .query((row, n) ->
            new ExistingCase(
                row.getObject(1, UUID.class),
                new Digest32(row.getBytes(2)),
                CaseStatus.of(row.getString(3))))
        .optional();
  }

  Optional<KycCase> find(UUID id) {
    return jdbc.sql("SELECT " + COLUMNS + " FROM kyc_case WHERE id = ?")
        .param(id)
        .query(this::read)
        .optional();
  }

  /** As {@link #find}, with a row lock until the transaction ends. */
  Optional<KycCase> lock(UUID id) {
    return jdbc.sql("SELECT " + COLUMNS + " FROM kyc_case WHERE id = ? FOR UPDATE")
        .param(id)
        .query(this::read)
        .optional();
  }

  /**
   * Locks the case of a registered person.
   *
   * @throws CaseConflictException when it is not approved, or erased
   */
  KycCase lockApproved(UUID id) {
    KycCase locked = lock(id).orElseThrow(CaseDecisionService::notFound);
    if (locked.person().isErased()) {
      throw new CaseConflictException(CaseConflictException.Kind.ERASED);
    }
    if (locked.status() != CaseStatus.APPROVED) {
      throw new CaseConflictException(CaseConflictException.Kind.NOT_APPROVED);
    }
    return locked;
  }

  /** A page of cases, in one order or the other. */
  List<KycCase> page(
      BankScope scope,
      @Nullable CaseStatus status,
      @Nullable Cursor after,
      boolean newestFirst,
      int limit) {
    String statusId = status == null ? "" : status.id();
    Cursor from = after != null ? after : newestFirst ? Cursor.END : Cursor.START;
    return jdbc.sql(
            "SELECT "
                + COLUMNS
                + " FROM kyc_case WHERE (? = '' OR bank = ?) AND (? = '' OR status = ?) AND (created_at, id) "
                + (newestFirst
                    ? "< (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?"
                    : "> (?, ?) ORDER BY created_at, id LIMIT ?"))
        .params(
            scope.id(), scope.id(), statusId, statusId, time(from.createdAt()), from.id(), limit)
        .query(this::read)
        .list();
  }

  /** Cases of an address, newest first. */
  List<UUID> byAddress(byte[] apk, int limit) {
    return jdbc.sql("SELECT id FROM kyc_case WHERE apk = ? ORDER BY created_at DESC LIMIT ?")
        .params(apk, limit)
        .query(UUID.class)
        .list();
  }

  /** Cases of persons who have shown a document, oldest first. */
  List<UUID> byDocument(BankScope scope, Digest32 documentKey, int limit) {
    return jdbc.sql(
            "SELECT DISTINCT c.created_at, c.id FROM person_document d JOIN kyc_case c USING (person_id)"
                + " WHERE d.document_key = ? AND (? = '' OR c.bank = ?) ORDER BY c.created_at, c.id LIMIT ?")
        .params(documentKey.bytes(), scope.id(), scope.id(), limit)
        .query((row, n) -> row.getObject(2, UUID.class))
        .list();
  }

  /** Whether a person has a case at a bank other than this one. */
  boolean isAtOtherBanks(UUID personId, String bank) {
    return jdbc.sql("SELECT EXISTS (SELECT 1 FROM kyc_case WHERE person_id = ? AND bank <> ?)")
        .params(personId, bank)
        .query(Boolean.class)
        .single();
  }

  /** Cases with one of these words in a name, oldest first. */
  List<UUID> byNameKeys(Set<Digest32> keys, int limit) {
    return jdbc.sql(
            "SELECT DISTINCT c.created_at, c.id FROM unnest(?::text[]) hex JOIN birth_name_key ON key = decode(hex, 'hex')"
                + " JOIN kyc_case c ON c.id = case_id ORDER BY c.created_at, c.id LIMIT ?")
        .params(keys.stream().map(Digest32::hex).collect(Collectors.joining(",", "{", "}")), limit)
        .query((row, n) -> row.getObject(2, UUID.class))
        .list();
  }

  /** Cases with a birth date, oldest first. */
  List<UUID> bornOn(Digest32 birthKey, int limit) {
    return jdbc.sql(
            """
            SELECT id FROM kyc_case WHERE birth_key = :birth OR id IN
                (SELECT case_id FROM person_change WHERE birth_key = :birth AND verdict = 'accepted')
            ORDER BY created_at, id LIMIT :limit
            """)
        .param("birth", birthKey.bytes())
        .param("limit", limit)
        .query(UUID.class)
        .list();
  }

  /** Undecided cases, newest first. */
  List<UUID> newestUndecided(int limit) {
    return jdbc.sql(
            "SELECT id FROM kyc_case WHERE status NOT IN ('approved', 'refused') ORDER BY created_at DESC LIMIT ?")
        .param(limit)
        .query(UUID.class)
        .list();
  }

  /** Cases whose screening is due, the longest waiting first. */
  List<UUID> dueForScreening(Instant now, int limit) {
    return jdbc.sql(
            "SELECT id FROM kyc_case WHERE status = 'pending-screening' AND screen_after <= ? ORDER BY screen_after LIMIT ?")
        .params(time(now), limit)
        .query(UUID.class)
        .list();
  }

  /** Claims a screening until {@code leaseEnd}; empty when it is not due or already claimed. */
  Optional<KycCase> claimScreening(UUID id, Instant now, Instant leaseEnd) {
    return jdbc.sql(
            "UPDATE kyc_case SET screening_attempts = screening_attempts + 1, screen_after = ?"
                + " WHERE id = ? AND status = 'pending-screening' AND screen_after <= ? RETURNING "
                + COLUMNS)
        .params(time(leaseEnd), id, time(now))
        .query(this::read)
        .optional();
  }

  void postponeScreening(UUID id, Instant next) {
    jdbc.sql("UPDATE kyc_case SET screen_after = ? WHERE id = ? AND status = 'pending-screening'")
        .params(time(next), id)
        .update();
  }

  /**
   * Refused cases that may be of the same person, or have the same address. Those of other banks
   * are not told: that a bank refused somebody is between the two. Erased ones are forgotten.
   */
  List<UUID> relatedRefusals(UUID id) {
    return jdbc.sql(
            """
            SELECT refused.id FROM kyc_case mine JOIN kyc_case refused ON refused.status = 'refused' AND refused.id <> mine.id
                AND refused.bank = mine.bank AND NOT EXISTS (SELECT 1 FROM erasure e WHERE e.case_id = refused.id)
                AND (refused.apk = mine.apk OR EXISTS (SELECT 1 FROM possible_duplicate d
                    WHERE d.case_id = mine.id AND d.other_id = refused.id AND d.verdict IS NULL))
            WHERE mine.id = ? ORDER BY refused.created_at
            """)
        .param(id)
        .query(UUID.class)
        .list();
  }

  /**
   * Gives an undecided, locked case the status that its newest screening makes.
   *
   * @param waits for a verdict on a possible duplicate
   */
  void recordScreening(UUID id, List<ScreeningMatch> matches, boolean waits, Instant now) {
    CaseStatus status = screened(matches, waits);
    jdbc.sql(
            "UPDATE kyc_case SET status = ?, sealed_matches = ?, screened_at = ?"
                + " WHERE id = ? AND status NOT IN ('approved', 'refused')")
        .params(status.id(), codec.sealMatches(id, matches), time(now), id)
        .update();
  }

  private static CaseStatus screened(List<ScreeningMatch> matches, boolean waits) {
    if (waits) {
      return CaseStatus.POSSIBLE_DUPLICATE;
    }
    return matches.isEmpty() ? CaseStatus.PENDING : CaseStatus.REVIEW;
  }

  /** Gives a possible duplicate the status that it has after a verdict. */
  void settle(KycCase found, boolean waits) {
    jdbc.sql("UPDATE kyc_case SET status = ? WHERE id = ? AND status = 'possible-duplicate'")
        .params(screened(found.matches(), waits).id(), found.id())
        .update();
  }

  /** Sets an undecided case back to pending-screening. */
  void requireScreening(UUID id, Instant now) {
    jdbc.sql(
            "UPDATE kyc_case SET status = 'pending-screening', screening_attempts = 0, screen_after = ?"
                + " WHERE id = ? AND status IN ('pending', 'review', 'possible-duplicate')")
        .params(time(now), id)
        .update();
  }

  /**
   * A registration of a person.
   *
   * @param generation how many she had with this one
   */
  record Registration(UUID caseId, Apk apk, String bank, int generation) {}

  /** The registrations of a person, the newest first. */
  List<Registration> registrations(UUID personId) {
    return jdbc.sql(
            "SELECT id, apk, bank, generation FROM kyc_case WHERE person_id = ? AND status = 'approved'"
                + " ORDER BY generation DESC")
        .param(personId)
        .query((row, n) ->
            new Registration(
                row.getObject(1, UUID.class),
                Apk.of(row.getBytes(2)),
                row.getString(3),
                row.getInt(4)))
        .list();
  }

  /** Lets approvals of one person through one by one until the transaction ends. */
  void lockPerson(UUID personId) {
    jdbc.sql("SELECT id FROM person WHERE id = ? FOR UPDATE")
        .param(personId)
        .query(UUID.class)
        .single();
  }

  /**
   * @param generation how many registrations the person has with this one
   */
  void approve(
      UUID id, String operator, @Nullable String reason, String note, int generation, Instant now) {
    jdbc.sql("UPDATE kyc_case SET generation = ? WHERE id = ?").params(generation, id).update();
    decide(id, CaseStatus.APPROVED, operator, null, reason, note, now);
  }

  void refuse(UUID id, String operator, RefusalCode code, String reason, Instant now) {
    decide(id, CaseStatus.REFUSED, operator, code, reason, null, now);
  }

  /** Makes an undecided case one of another person. */
  void giveTo(UUID id, UUID personId) {
    jdbc.sql("UPDATE kyc_case SET person_id = ? WHERE id = ?").params(personId, id).update();
  }

  /** Refuses a case and makes it one of the person who was first. */
  void refuseDuplicate(UUID id, UUID personId, String officer, String reason, Instant now) {
    giveTo(id, personId);
    decide(id, CaseStatus.REFUSED, officer, RefusalCode.COME_TO_THE_BANK, reason, null, now);
  }

  private void decide(
      UUID id,
      CaseStatus status,
      String operator,
      @Nullable RefusalCode code,
      @Nullable String reason,
      @Nullable String note,
      Instant now) {
    int changed =
        jdbc.sql(
                "UPDATE kyc_case SET status = :status, decided_by = :operator, decided_at = :now, refusal_code = :code,"
                    + " sealed_reason = :reason, attestation_note = :note WHERE id = :id AND status NOT IN ('approved', 'refused')")
            .param("status", status.id())
            .param("operator", operator)
            .param("now", time(now))
            .param("code", code == null ? null : code.id(), java.sql.Types.VARCHAR)
            .param("reason", codec.sealReason(id, reason), java.sql.Types.BINARY)
            .param("note", note, java.sql.Types.VARCHAR)
            .param("id", id)
            .update();
    if (changed != 1) {
      throw new IllegalStateException("a case was decided without its lock");
    }
  }

  void addEvent(UUID id, String actor, String action, Instant now) {
    jdbc.sql("INSERT INTO kyc_event (case_id, at, actor, action) VALUES (?, ?, ?, ?)")
        .params(id, time(now), actor, action)
        .update();
  }

  List<CaseEvent> events(UUID id) {
    return jdbc.sql("SELECT at, actor, action FROM kyc_event WHERE case_id = ? ORDER BY sequence")
        .param(id)
        .query((row, n) ->
            new CaseEvent(row.getTimestamp(1).toInstant(), row.getString(2), row.getString(3)))
        .list();
  }

  long count(CaseStatus status) {
    return jdbc.sql("SELECT count(*) FROM kyc_case WHERE status = ?")
        .param(status.id())
        .query(Long.class)
        .single();
  }

  private KycCase read(ResultSet row, int n) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    DataKeys.Lookup key = codec.key(id, row.getBytes("data_key"));
    return new KycCase(
        id,
        CaseStatus.of(row.getString("status")),
        codec.openPerson(row.getBytes("sealed_person"), key),
        row.getString("kind"),
        row.getObject("person_id", UUID.class),
        Apk.of(row.getBytes("apk")),
        TxCore.of(row.getBytes("core")),
        Codecs.registerRequest(row.getBytes("request")),
        codec.openMatches(row.getBytes("sealed_matches"), key),
        instant(row.getTimestamp("screened_at")),
        row.getInt("screening_attempts"),
        refusalCode(row.getString("refusal_code")),
        codec.openReason(row.getBytes("sealed_reason"), key),
        row.getString("decided_by"),
        instant(row.getTimestamp("decided_at")),
        row.getString("attestation_note"),
        row.getTimestamp("created_at").toInstant(),
        row.getString("bank"));
  }

  private static @Nullable RefusalCode refusalCode(@Nullable String code) {
    return code == null ? null : RefusalCode.of(code);
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }

  private static OffsetDateTime time(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
