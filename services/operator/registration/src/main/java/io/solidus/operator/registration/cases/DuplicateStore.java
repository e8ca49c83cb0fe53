package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Identity;
import io.solidus.protocol.Digest32;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes persons, their documents and possible duplicates. Callers own transactions. */
final class DuplicateStore {
  /** The columns of a pair {@code d}, for {@link #read}. */
  private static final String PAIR =
      "SELECT d.case_id, d.other_id, d.same_document, d.near_birth_date, d.likeness, d.verdict,"
          + " (SELECT count(DISTINCT b.bank) = 2 FROM kyc_case b WHERE b.id IN (d.case_id, d.other_id)) AS across_banks";

  private static final String REGISTERED =
      " FROM possible_duplicate d JOIN kyc_case c ON c.id = d.case_id JOIN kyc_case o ON o.id = d.other_id"
          + " WHERE c.status = 'approved' AND o.status = 'approved' AND d.verdict IS DISTINCT FROM 'other-person'"
          + StandingStore.NOT_CLOSED
          + StandingStore.NOT_CLOSED.replace("c.id", "o.id");

  private final JdbcClient jdbc;
  private final CaseCodec codec;

  DuplicateStore(JdbcClient jdbc, CaseCodec codec) {
    this.jdbc = jdbc;
    this.codec = codec;
  }

  /** A case with the birth date, a near birth date or a document of another. */
  record Candidate(
      Subject subject, Applicant person, boolean sameDocument, boolean nearBirthDate) {}

  /** A case without a birth key. */
  record Unkeyed(UUID caseId, Applicant person) {}

  /**
   * Lets registrations of one birth date or document through one by one until the transaction ends,
   * so that each sees all earlier ones.
   */
  void lock(Identity identity) {
    // in one order, so that no two transactions wait for each other
    LongStream.of(number(identity.birthKey()), number(identity.documentKey()))
        .sorted()
        .forEach(key ->
            jdbc.sql("SELECT 1 FROM pg_advisory_xact_lock(?)")
                .param(key)
                .query(Integer.class)
                .single());
  }

  void addPerson(UUID personId, Instant now) {
    jdbc.sql("INSERT INTO person (id, created_at) VALUES (?, ?)")
        .params(personId, now.atOffset(ZoneOffset.UTC))
        .update();
  }

  /**
   * The tag of a person, who gets one if she has none.
   *
   * @param first the tag that she gets
   * @param second the tag that she gets when another person has the first one
   */
  Digest32 tag(UUID personId, Digest32 first, Digest32 second) {
    jdbc.sql(
            """
            UPDATE person SET tag = CASE WHEN EXISTS (SELECT 1 FROM person WHERE tag = :first) THEN :second ELSE :first END
            WHERE id = :id AND tag IS NULL
            """)
        .param("first", first.bytes())
        .param("second", second.bytes())
        .param("id", personId)
        .update();
    return new Digest32(
        jdbc.sql("SELECT tag FROM person WHERE id = ?")
            .param(personId)
            .query(byte[].class)
            .single());
  }

  void addDocument(UUID personId, Digest32 documentKey, UUID caseId, Instant now) {
    jdbc.sql(
            "INSERT INTO person_document (person_id, document_key, case_id, added_at) VALUES (?, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING")
        .params(personId, documentKey.bytes(), caseId, now.atOffset(ZoneOffset.UTC))
        .update();
  }

  /**
   * Gives the documents and the refused cases of a person to another. Whoever may be a duplicate of
   * her case may be one of the other's.
   */
  void merge(UUID from, UUID to, UUID fromCase, UUID toCase, Instant now) {
    jdbc.sql(
            """
            INSERT INTO possible_duplicate (case_id, other_id, same_document, near_birth_date, likeness, found_at)
            SELECT case_id, :to, same_document, near_birth_date, likeness, :now FROM possible_duplicate d
            WHERE other_id = :from AND verdict IS NULL AND case_id <> :to AND NOT EXISTS (
                SELECT 1 FROM possible_duplicate r WHERE r.case_id = :to AND r.other_id = d.case_id)
            ON CONFLICT DO NOTHING
            """)
        .param("from", fromCase)
        .param("to", toCase)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .update();
    jdbc.sql("UPDATE kyc_case SET person_id = ? WHERE person_id = ? AND status = 'refused'")
        .params(to, from)
        .update();
    jdbc.sql(
            "INSERT INTO person_document (person_id, document_key, case_id, added_at)"
                + " SELECT ?, document_key, case_id, added_at FROM person_document WHERE person_id = ?"
                + " ON CONFLICT DO NOTHING")
        .params(to, from)
        .update();
    jdbc.sql("DELETE FROM person_document WHERE person_id = ?").param(from).update();
    jdbc.sql("DELETE FROM person WHERE id = ?").param(from).update();
  }

  /** A case, for the search. */
  record Subject(UUID caseId, UUID personId, CaseStatus status, Instant createdAt) {}

  /** A case and all details that it has had. */
  record Details(Subject subject, List<Applicant> persons) {}

  /** The case with all details that it has had, and a row lock. */
  Optional<Details> details(UUID id) {
    Optional<Subject> subject =
        jdbc.sql("SELECT id, person_id, status, created_at FROM kyc_case WHERE id = ? FOR UPDATE")
            .param(id)
            .query((row, n) -> subject(row))
            .optional();
    return subject.map(found ->
        new Details(
            found,
            jdbc.sql(
                    "SELECT sealed_person FROM kyc_case WHERE id = :id UNION ALL"
                        + " SELECT sealed_person FROM person_change WHERE case_id = :id AND verdict = 'accepted'")
                .param("id", id)
                .query((row, n) -> codec.openPerson(id, row.getBytes(1)))
                .list()));
  }

  /**
   * Other persons' cases with the same birth date or document, or with a near birth date and a word
   * of the name, that are no pair yet; each once for every details that it has had. Those with the
   * document come first.
   *
   * @param near keys of near birth dates
   */
  List<Candidate> sharing(Identity identity, Set<Digest32> near, Subject subject, int limit) {
    return jdbc.sql(
            """
            WITH same AS (
                SELECT id FROM kyc_case WHERE birth_key = :birth
                UNION SELECT case_id FROM person_change WHERE birth_key = :birth AND verdict = 'accepted'
                UNION SELECT c.id FROM person_document d JOIN kyc_case c USING (person_id) WHERE d.document_key = :document),
            candidate AS (
                SELECT id, false AS near FROM same
                UNION ALL SELECT DISTINCT case_id, true
                FROM unnest(:near::text[]) hex JOIN birth_name_key ON key = decode(hex, 'hex')
                WHERE case_id NOT IN (SELECT id FROM same)),
            found AS (
                SELECT c.id, c.person_id, c.status, c.created_at, n.near,
                    c.person_id IN (SELECT person_id FROM person_document WHERE document_key = :document) AS document
                FROM candidate n JOIN kyc_case c USING (id)
                WHERE c.id <> :id AND c.person_id <> :person AND NOT EXISTS (SELECT 1 FROM possible_duplicate d
                    WHERE (d.case_id = :id AND d.other_id = c.id) OR (d.case_id = c.id AND d.other_id = :id))
                ORDER BY document DESC, c.created_at LIMIT :limit)
            SELECT found.*, k.sealed_key, c.sealed_person FROM found JOIN kyc_case c USING (id)
                LEFT JOIN data_key k ON k.case_id = found.id
            UNION ALL SELECT found.*, k.sealed_key, h.sealed_person FROM found JOIN person_change h ON h.case_id = found.id
                LEFT JOIN data_key k ON k.case_id = found.id
            WHERE h.verdict = 'accepted'
            """)
        .param("document", identity.documentKey().bytes())
        .param("birth", identity.birthKey().bytes())
        .param("near", array(near))
        .param("id", subject.caseId())
        .param("person", subject.personId())
        .param("limit", limit)
        .query((row, n) -> {
          Subject found = subject(row);
          return new Candidate(
              found,
              codec.openPerson(
                  row.getBytes("sealed_person"),
                  codec.key(found.caseId(), row.getBytes("sealed_key"))),
              row.getBoolean("document"),
              row.getBoolean("near"));
        })
        .list();
  }

  private static String array(Set<Digest32> keys) {
    return keys.stream().map(Digest32::hex).collect(Collectors.joining(",", "{", "}"));
  }

  private static Subject subject(ResultSet row) throws SQLException {
    return new Subject(
        row.getObject("id", UUID.class),
        row.getObject("person_id", UUID.class),
        CaseStatus.of(row.getString("status")),
        row.getTimestamp("created_at").toInstant());
  }

  /** Two cases that may be of one person. */
  record Pair(
      UUID caseId, UUID otherId, boolean sameDocument, boolean nearBirthDate, double likeness) {}

  /** Adds pairs. Undecided cases that wait for a verdict now get that status. */
  void add(List<Pair> pairs, Instant now) {
    for (Pair pair : pairs) {
      jdbc.sql(
              "INSERT INTO possible_duplicate (case_id, other_id, same_document, near_birth_date, likeness, found_at)"
                  + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
          .params(
              pair.caseId(),
              pair.otherId(),
              pair.sameDocument(),
              pair.nearBirthDate(),
              pair.likeness(),
              now.atOffset(ZoneOffset.UTC))
          .update();
      jdbc.sql(
              "UPDATE kyc_case SET status = 'possible-duplicate' WHERE id = ? AND status IN ('pending', 'review')"
                  + " AND EXISTS (SELECT 1 FROM kyc_case other WHERE other.id = ? AND other.status <> 'refused')")
          .params(pair.caseId(), pair.otherId())
          .update();
    }
  }

  /** How many of these keyed hashes a case has. */
  int sharedNameKeys(UUID caseId, Set<Digest32> keys) {
    return jdbc.sql(
            "SELECT count(*) FROM birth_name_key WHERE case_id = ? AND encode(key, 'hex') = ANY(?::text[])")
        .params(caseId, keys.stream().map(Digest32::hex).collect(Collectors.joining(",", "{", "}")))
        .query(Integer.class)
        .single();
  }

  /** Adds keyed hashes under which a case is found. */
  void addBirthNameKeys(UUID caseId, Set<Digest32> keys) {
    jdbc.sql(
            "INSERT INTO birth_name_key (key, case_id) SELECT decode(hex, 'hex'), ? FROM unnest(?::text[]) hex"
                + " ON CONFLICT DO NOTHING")
        .params(caseId, array(keys))
        .update();
  }

  /**
   * Records a search of a case.
   *
   * @param cut whether there were more pairs than one search keeps
   */
  void searched(UUID caseId, boolean cut, Instant now) {
    jdbc.sql(
            "INSERT INTO duplicate_search (case_id, at, cut) VALUES (?, ?, ?)"
                + " ON CONFLICT (case_id) DO UPDATE SET at = excluded.at, cut = excluded.cut")
        .params(caseId, now.atOffset(ZoneOffset.UTC), cut)
        .update();
  }

  /** Whether the newest search of a case found more pairs than it kept. */
  boolean isCut(UUID caseId) {
    return jdbc.sql("SELECT cut FROM duplicate_search WHERE case_id = ?")
        .param(caseId)
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }

  /** Cases that count and were never searched, oldest first. */
  List<UUID> unsearched(int limit) {
    return jdbc.sql(
            "SELECT id FROM kyc_case c WHERE status <> 'refused'"
                + " AND NOT EXISTS (SELECT 1 FROM duplicate_search s WHERE s.case_id = c.id)"
                + " ORDER BY created_at, id LIMIT ?")
        .param(limit)
        .query(UUID.class)
        .list();
  }

  /** Pairs of two registered persons that nobody has called two persons, in the order of ids. */
  List<PossibleDuplicate> registered(UUID afterCase, UUID afterOther, int limit) {
    return jdbc.sql(
            PAIR
                + REGISTERED
                + " AND (d.case_id, other_id) > (?, ?) ORDER BY d.case_id, other_id LIMIT ?")
        .params(afterCase, afterOther, limit)
        .query(this::read)
        .list();
  }

  long countRegistered() {
    return jdbc.sql("SELECT count(*)" + REGISTERED).query(Long.class).single();
  }

  /** Whether a case waits for a verdict; refused cases are nobody's duplicates. */
  boolean waits(UUID caseId) {
    return jdbc.sql(
            """
            SELECT EXISTS (SELECT 1 FROM possible_duplicate d JOIN kyc_case other ON other.id = d.other_id
                WHERE d.case_id = ? AND d.verdict IS NULL AND other.status <> 'refused')
            """)
        .param(caseId)
        .query(Boolean.class)
        .single();
  }

  /** The later cases that may be duplicates of this one, in the order in which they are locked. */
  List<UUID> laterThan(UUID otherId) {
    return jdbc.sql(
            "SELECT d.case_id FROM possible_duplicate d JOIN kyc_case c ON c.id = d.case_id"
                + " WHERE d.other_id = ? AND d.verdict IS NULL AND c.status = 'possible-duplicate'"
                + " ORDER BY c.created_at, c.id")
        .param(otherId)
        .query(UUID.class)
        .list();
  }

  /** All pairs that a case is in. */
  List<PossibleDuplicate> of(UUID id) {
    return jdbc.sql(
            PAIR
                + " FROM possible_duplicate d WHERE case_id = ? OR other_id = ? ORDER BY found_at, case_id, other_id")
        .params(id, id)
        .query(this::read)
        .list();
  }

  void addOpinion(UUID caseId, UUID otherId, PossibleDuplicate.Opinion opinion) {
    jdbc.sql(
            "INSERT INTO duplicate_opinion (case_id, other_id, officer, verdict, sealed_reason, at) VALUES (?, ?, ?, ?, ?, ?)")
        .params(
            caseId,
            otherId,
            opinion.officer(),
            opinion.verdict().id(),
            codec.sealOpinion(caseId, otherId, opinion.reason()),
            opinion.at().atOffset(ZoneOffset.UTC))
        .update();
  }

  /**
   * Ends opinions from before a time on pairs that nobody has decided.
   *
   * @return the later case of each
   */
  List<UUID> expireOpinions(Instant before, Instant now) {
    return expireOpinions(null, null, before, now);
  }

  /** The same for one pair; null for all. */
  List<UUID> expireOpinions(
      @Nullable UUID caseId, @Nullable UUID otherId, Instant before, Instant now) {
    return jdbc.sql(
            """
            WITH expired AS (
                INSERT INTO expired_opinion (opinion, at)
                SELECT o.sequence, :now FROM duplicate_opinion o JOIN possible_duplicate d USING (case_id, other_id)
                WHERE d.verdict IS NULL AND o.at < :before AND case_id = coalesce(:case::uuid, case_id)
                    AND other_id = coalesce(:other::uuid, other_id)
                    AND NOT EXISTS (SELECT 1 FROM expired_opinion e WHERE e.opinion = o.sequence)
                ON CONFLICT DO NOTHING RETURNING opinion)
            SELECT o.case_id FROM expired JOIN duplicate_opinion o ON o.sequence = expired.opinion
            """)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("before", before.atOffset(ZoneOffset.UTC))
        .param("case", caseId, Types.OTHER)
        .param("other", otherId, Types.OTHER)
        .query(UUID.class)
        .list();
  }

  void decide(UUID caseId, UUID otherId, DuplicateVerdict verdict, Instant now) {
    jdbc.sql(
            "UPDATE possible_duplicate SET verdict = ?, decided_at = ? WHERE case_id = ? AND other_id = ?")
        .params(verdict.id(), now.atOffset(ZoneOffset.UTC), caseId, otherId)
        .update();
  }

  /** Cases that have no birth key yet. */
  List<Unkeyed> unkeyed(int limit) {
    return jdbc.sql(
            "SELECT id, sealed_person FROM kyc_case c WHERE birth_key IS NULL"
                + " AND NOT EXISTS (SELECT 1 FROM erasure e WHERE e.case_id = c.id) LIMIT ?")
        .param(limit)
        .query((row, n) -> {
          UUID id = row.getObject(1, UUID.class);
          return new Unkeyed(id, codec.openPerson(id, row.getBytes(2)));
        })
        .list();
  }

  void setBirthKey(UUID caseId, Digest32 birthKey) {
    jdbc.sql("UPDATE kyc_case SET birth_key = ? WHERE id = ? AND birth_key IS NULL")
        .params(birthKey.bytes(), caseId)
        .update();
  }

  private PossibleDuplicate read(ResultSet row, int n) throws SQLException {
    UUID caseId = row.getObject("case_id", UUID.class);
    UUID otherId = row.getObject("other_id", UUID.class);
    return new PossibleDuplicate(
        caseId,
        otherId,
        row.getBoolean("same_document"),
        row.getBoolean("near_birth_date"),
        row.getDouble("likeness"),
        verdict(row.getString("verdict")),
        opinions(caseId, otherId),
        row.getBoolean("across_banks"));
  }

  private List<PossibleDuplicate.Opinion> opinions(UUID caseId, UUID otherId) {
    return jdbc.sql(
            "SELECT officer, verdict, sealed_reason, o.at, e.opinion IS NOT NULL FROM duplicate_opinion o"
                + " LEFT JOIN expired_opinion e ON e.opinion = o.sequence WHERE case_id = ? AND other_id = ? ORDER BY sequence")
        .params(caseId, otherId)
        .query((row, n) ->
            new PossibleDuplicate.Opinion(
                row.getString(1),
                DuplicateVerdict.of(row.getString(2)),
                codec.openOpinion(caseId, otherId, row.getBytes(3)),
                row.getTimestamp(4).toInstant(),
                row.getBoolean(5)))
        .list();
  }

  private static @Nullable DuplicateVerdict verdict(@Nullable String id) {
    return id == null ? null : DuplicateVerdict.of(id);
  }

  private static long number(Digest32 key) {
    return ByteBuffer.wrap(key.bytes()).getLong();
  }
}
