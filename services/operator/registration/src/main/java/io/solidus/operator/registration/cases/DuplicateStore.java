package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.Person;
import io.solidus.protocol.Digest32;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes persons, their documents and possible duplicates. Callers own transactions. */
final class DuplicateStore {
  private final JdbcClient jdbc;
  private final CaseCodec codec;

  DuplicateStore(JdbcClient jdbc, CaseCodec codec) {
    this.jdbc = jdbc;
    this.codec = codec;
  }

  /** A case with the birth date or a document of another. */
  record Candidate(UUID caseId, Person person, boolean sameDocument) {}

  /** A case without a birth key. */
  record Unkeyed(UUID caseId, Person person) {}

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

  /** Gives the documents of a person without a case to another. */
  void merge(UUID from, UUID to) {
    jdbc.sql(
            "INSERT INTO person_document (person_id, document_key, case_id, added_at)"
                + " SELECT ?, document_key, case_id, added_at FROM person_document WHERE person_id = ?"
                + " ON CONFLICT DO NOTHING")
        .params(to, from)
        .update();
    jdbc.sql("DELETE FROM person_document WHERE person_id = ?").param(from).update();
    jdbc.sql("DELETE FROM person WHERE id = ?").param(from).update();
  }

  /**
   * Other cases with the same birth date, or of a person who has shown the same document; each once
   * for every details that it has had.
   */
  List<Candidate> sharing(Identity identity, UUID except) {
    return jdbc.sql(
            """
            WITH near AS (
                SELECT id FROM kyc_case WHERE birth_key = :birth
                UNION SELECT case_id FROM person_change WHERE birth_key = :birth AND verdict = 'accepted'
                UNION SELECT c.id FROM person_document d JOIN kyc_case c USING (person_id) WHERE d.document_key = :document)
            SELECT c.id, c.sealed_person,
                c.person_id IN (SELECT person_id FROM person_document WHERE document_key = :document)
            FROM kyc_case c WHERE c.id IN (SELECT id FROM near) AND c.id <> :except
            UNION ALL SELECT c.id, h.sealed_person,
                c.person_id IN (SELECT person_id FROM person_document WHERE document_key = :document)
            FROM person_change h JOIN kyc_case c ON c.id = h.case_id
            WHERE h.verdict = 'accepted' AND c.id IN (SELECT id FROM near) AND c.id <> :except
            """)
        .param("document", identity.documentKey().bytes())
        .param("birth", identity.birthKey().bytes())
        .param("except", except)
        .query((row, n) -> {
          UUID id = row.getObject(1, UUID.class);
          return new Candidate(id, codec.openPerson(id, row.getBytes(2)), row.getBoolean(3));
        })
        .list();
  }

  /** An earlier case that may be of the same person. */
  record Pair(UUID otherId, boolean sameDocument, double likeness) {}

  void add(UUID caseId, List<Pair> pairs, Instant now) {
    jdbc.sql(
            """
            INSERT INTO possible_duplicate (case_id, other_id, same_document, likeness, found_at)
            SELECT ?, pair.*, ? FROM unnest(?::uuid[], ?::boolean[], ?::float8[]) pair
            """)
        .params(
            caseId,
            now.atOffset(ZoneOffset.UTC),
            array(pairs, Pair::otherId),
            array(pairs, Pair::sameDocument),
            array(pairs, Pair::likeness))
        .update();
  }

  private static String array(List<Pair> pairs, Function<Pair, Object> field) {
    return pairs.stream()
        .map(pair -> String.valueOf(field.apply(pair)))
        .collect(Collectors.joining(",", "{", "}"));
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
            "SELECT case_id, other_id, same_document, likeness, verdict FROM possible_duplicate"
                + " WHERE case_id = ? OR other_id = ? ORDER BY found_at, case_id, other_id")
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

  void decide(UUID caseId, UUID otherId, DuplicateVerdict verdict, Instant now) {
    jdbc.sql(
            "UPDATE possible_duplicate SET verdict = ?, decided_at = ? WHERE case_id = ? AND other_id = ?")
        .params(verdict.id(), now.atOffset(ZoneOffset.UTC), caseId, otherId)
        .update();
  }

  /** Cases that have no birth key yet. */
  List<Unkeyed> unkeyed(int limit) {
    return jdbc.sql("SELECT id, sealed_person FROM kyc_case WHERE birth_key IS NULL LIMIT ?")
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
        row.getDouble("likeness"),
        verdict(row.getString("verdict")),
        opinions(caseId, otherId));
  }

  private List<PossibleDuplicate.Opinion> opinions(UUID caseId, UUID otherId) {
    return jdbc.sql(
            "SELECT officer, verdict, sealed_reason, at FROM duplicate_opinion WHERE case_id = ? AND other_id = ? ORDER BY at")
        .params(caseId, otherId)
        .query((row, n) ->
            new PossibleDuplicate.Opinion(
                row.getString(1),
                DuplicateVerdict.of(row.getString(2)),
                codec.openOpinion(caseId, otherId, row.getBytes(3)),
                row.getTimestamp(4).toInstant()))
        .list();
  }

  private static @Nullable DuplicateVerdict verdict(@Nullable String id) {
    return id == null ? null : DuplicateVerdict.of(id);
  }

  private static long number(Digest32 key) {
    return ByteBuffer.wrap(key.bytes()).getLong();
  }
}
