package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.screening.ScreeningBasis;
import io.solidus.operator.registration.screening.ScreeningMatch;
import io.solidus.operator.registration.screening.ScreeningResult;
import io.solidus.platform.bank.BankScope;
import io.solidus.protocol.Digest32;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes screenings and dispositions. Callers own the transactions. */
final class ScreeningStore {
  private final JdbcClient jdbc;
  private final CaseCodec codec;
  private final IdentityHasher hasher;
  private final boolean secondWord;

  /**
   * @param secondWord whether another person confirms that a match is not the person
   */
  ScreeningStore(JdbcClient jdbc, CaseCodec codec, IdentityHasher hasher, boolean secondWord) {
    this.jdbc = jdbc;
    this.codec = codec;
    this.hasher = hasher;
    this.secondWord = secondWord;
  }

  /**
   * The newest screening of a case.
   *
   * @param lists lists and versions of the basis
   * @param open matches that nobody has called false
   */
  record Newest(Digest32 basis, String lists, int open) {}

  /** Keeps a screening of a locked case. */
  void add(KycCase screened, ScreeningResult result, List<ScreeningMatch> matches, Instant now) {
    byte[] digest = keep(result.basis(), now);
    UUID id = screened.id();
    long sequence =
        jdbc.sql(
                "INSERT INTO screening (case_id, at, basis, verdict, sealed_matches) VALUES (:id, :at, :basis, :verdict, :matches)"
                    + " RETURNING sequence")
            .param("id", id)
            .param("at", now.atOffset(ZoneOffset.UTC))
            .param("basis", digest)
            .param("verdict", result.verdict().id())
            .param(
                "matches", matches.isEmpty() ? null : codec.sealMatches(id, matches), Types.BINARY)
            .query(Long.class)
            .single();
    List<CaseScreening.DisposedMatch> disposed =
        disposed(screened.person(), matches, dispositions(id));
    jdbc.sql(
            """
            INSERT INTO newest_screening (case_id, screening, basis, open_matches, unconfirmed, whole_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (case_id) DO UPDATE SET screening = excluded.screening, basis = excluded.basis,
                open_matches = excluded.open_matches, unconfirmed = excluded.unconfirmed, whole_at = excluded.whole_at
            """)
        .params(
            id,
            sequence,
            digest,
            open(disposed),
            unconfirmed(disposed),
            now.atOffset(ZoneOffset.UTC))
        .update();
  }

  private byte[] keep(ScreeningBasis basis, Instant now) {
    byte[] digest = basis.digest().bytes();
    jdbc.sql(
            "INSERT INTO screening_basis (digest, lists, matcher, threshold, first_used_at) VALUES (?, ?, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING")
        .params(
            digest,
            basis.listText(),
            basis.matcher(),
            basis.threshold(),
            now.atOffset(ZoneOffset.UTC))
        .update();
    return digest;
  }

  /** Bases other than this one that are somebody's newest. */
  List<ScreeningBasis> otherBases(ScreeningBasis basis) {
    return jdbc.sql(
            "SELECT lists, matcher, threshold FROM screening_basis b WHERE digest <> ?"
                + " AND EXISTS (SELECT 1 FROM newest_screening n WHERE n.basis = b.digest)")
        .param(basis.digest().bytes())
        .query((row, n) -> ScreeningBasis.of(row.getString(1), row.getString(2), row.getDouble(3)))
        .list();
  }

  /** A registered person whose newest screening was clear. */
  record Cleared(UUID caseId, long screening, Applicant person) {}

  /**
   * Registered persons whose newest screening has this basis and found nothing at all, in the order
   * of their cases' ids.
   *
   * @param wholeSince when they were last compared with all entries, at the earliest
   * @param last the greatest id
   */
  List<Cleared> cleared(
      ScreeningBasis basis, Instant wholeSince, UUID after, UUID last, int limit) {
    return jdbc.sql(
            "SELECT kyc_case.id, n.screening, "
                + CaseStore.CURRENT_PERSON
                + ", "
                + DataKeys.OF_CASE
                + " FROM newest_screening n JOIN kyc_case ON kyc_case.id = n.case_id"
                + " JOIN screening s ON s.sequence = n.screening"
                + " WHERE n.basis = ? AND n.case_id > ? AND n.case_id <= ? AND n.whole_at > ? AND kyc_case.status = 'approved'"
                + " AND s.verdict = 'clear' AND s.sealed_matches IS NULL"
                + StandingStore.NOT_CLOSED.replace("c.id", "kyc_case.id")
                + " ORDER BY n.case_id LIMIT ?")
        .params(basis.digest().bytes(), after, last, wholeSince.atOffset(ZoneOffset.UTC), limit)
        .query((row, n) -> {
          UUID id = row.getObject(1, UUID.class);
          return new Cleared(
              id,
              row.getLong(2),
              codec.openPerson(row.getBytes(3), codec.key(id, row.getBytes(4))));
        })
        .list();
  }

  /**
   * Keeps that persons are clear of what changed since an earlier basis. Who was screened otherwise
   * meanwhile, or has other details now, which are screened with the change, is left out.
   */
  int keepClear(List<Cleared> persons, ScreeningBasis since, ScreeningBasis basis, Instant now) {
    byte[] digest = keep(basis, now);
    String ids = array(persons.stream().map(Cleared::caseId));
    // as every other screening does, so that none passes another; in one order
    jdbc.sql("SELECT id FROM kyc_case WHERE id = ANY(?::uuid[]) ORDER BY id FOR UPDATE")
        .param(ids)
        .query(UUID.class)
        .list();
    return jdbc.sql(
            """
            WITH same AS (
                SELECT n.case_id FROM unnest(:ids::uuid[], :screenings::bigint[]) asked (case_id, screening)
                JOIN newest_screening n ON n.case_id = asked.case_id AND n.screening = asked.screening
                JOIN kyc_case c ON c.id = n.case_id WHERE c.status = 'approved'),
            added AS (
                INSERT INTO screening (case_id, at, basis, verdict, builds_on)
                SELECT case_id, :now, :basis, 'clear', :since FROM same RETURNING sequence, case_id)
            UPDATE newest_screening n SET screening = added.sequence, basis = :basis FROM added WHERE n.case_id = added.case_id
            """)
        .param("ids", ids)
        .param("screenings", array(persons.stream().map(Cleared::screening)))
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("basis", digest)
        .param("since", since.digest().bytes())
        .update();
  }

  private static String array(Stream<?> values) {
    return values.map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }

  /** Registered persons whose newest screening has another basis. */
  long countOutdated(Digest32 basis) {
    return jdbc.sql(
            "SELECT count(*) FROM kyc_case c LEFT JOIN newest_screening n ON n.case_id = c.id"
                + " WHERE c.status = 'approved' AND n.basis IS DISTINCT FROM ?"
                + StandingStore.NOT_CLOSED)
        .param(basis.bytes())
        .query(Long.class)
        .single();
  }

  Optional<Newest> newest(UUID id) {
    return jdbc.sql(
            "SELECT basis, lists, open_matches FROM newest_screening n JOIN screening_basis b ON b.digest = n.basis"
                + " WHERE case_id = ?")
        .param(id)
        .query(
            (row, n) -> new Newest(new Digest32(row.getBytes(1)), row.getString(2), row.getInt(3)))
        .optional();
  }

  /** The screenings of a case, the newest first. */
  List<CaseScreening> history(KycCase screened, int limit) {
    Map<Digest32, Disposition> dispositions = dispositions(screened.id());
    return jdbc.sql(
            "SELECT at, b.lists, b.matcher, b.threshold, verdict, sealed_matches, o.lists AS builds_on FROM screening s"
                + " JOIN screening_basis b ON b.digest = s.basis"
                + " LEFT JOIN screening_basis o ON o.digest = s.builds_on WHERE case_id = ? ORDER BY sequence DESC LIMIT ?")
        .params(screened.id(), limit)
        .query((row, n) -> read(row, screened, dispositions))
        .list();
  }

  private CaseScreening read(
      ResultSet row, KycCase screened, Map<Digest32, Disposition> dispositions)
      throws SQLException {
    return new CaseScreening(
        row.getTimestamp("at").toInstant(),
        row.getString("lists"),
        row.getString("matcher"),
        row.getDouble("threshold"),
        row.getString("verdict"),
        row.getString("builds_on"),
        disposed(
            screened.person(),
            codec.openMatches(screened.id(), row.getBytes("sealed_matches")),
            dispositions));
  }

  /** Adds a disposition; {@link #refresh} counts it. */
  void addDisposition(KycCase screened, ScreeningMatch match, Disposition disposition) {
    jdbc.sql(
            "INSERT INTO match_disposition (case_id, subject, verdict, sealed_reason, officer, at) VALUES (?, ?, ?, ?, ?, ?)")
        .params(
            screened.id(),
            subject(screened.person(), match).bytes(),
            disposition.verdict().id(),
            codec.sealDisposition(screened.id(), disposition.reason()),
            disposition.officer(),
            disposition.at().atOffset(ZoneOffset.UTC))
        .update();
  }

  /** Adds another person's confirmation; {@link #refresh} counts it. */
  void confirm(UUID id, long disposition, Disposition.Confirmation confirmation) {
    jdbc.sql(
            "INSERT INTO disposition_confirmation (disposition, officer, sealed_reason, at) VALUES (?, ?, ?, ?)")
        .params(
            disposition,
            confirmation.officer(),
            codec.sealDisposition(id, confirmation.reason()),
            confirmation.at().atOffset(ZoneOffset.UTC))
        .update();
  }

  /** Counts the open matches of the newest screening again. */
  void refresh(KycCase screened, List<ScreeningMatch> matches) {
    List<CaseScreening.DisposedMatch> disposed =
        disposed(screened.person(), matches, dispositions(screened.id()));
    jdbc.sql("UPDATE newest_screening SET open_matches = ?, unconfirmed = ? WHERE case_id = ?")
        .params(open(disposed), unconfirmed(disposed), screened.id())
        .update();
  }

  /** Cases with a match that waits for another person's word, in the order of their ids. */
  List<UUID> unconfirmed(BankScope scope, UUID after, int limit) {
    return jdbc.sql(
            "SELECT case_id FROM newest_screening n JOIN kyc_case c ON c.id = n.case_id"
                + " WHERE unconfirmed > 0 AND c.status <> 'refused' AND (? = '' OR c.bank = ?) AND case_id > ?"
                + StandingStore.NOT_CLOSED
                + " ORDER BY case_id LIMIT ?")
        .params(scope.id(), scope.id(), after, limit)
        .query(UUID.class)
        .list();
  }

  long countUnconfirmed(BankScope scope) {
    return jdbc.sql(
            "SELECT count(*) FROM newest_screening n JOIN kyc_case c ON c.id = n.case_id"
                + " WHERE unconfirmed > 0 AND c.status <> 'refused' AND (? = '' OR c.bank = ?)"
                + StandingStore.NOT_CLOSED)
        .params(scope.id(), scope.id())
        .query(Long.class)
        .single();
  }

  /**
   * Cases after {@code after} to {@code last} that count and whose newest screening has another
   * basis, in the order of their ids.
   */
  List<UUID> outdated(Digest32 basis, UUID after, UUID last, int limit) {
    return jdbc.sql(
            "SELECT c.id FROM kyc_case c LEFT JOIN newest_screening n ON n.case_id = c.id"
                + " WHERE c.id > ? AND c.id <= ? AND c.status IN ('pending', 'review', 'possible-duplicate', 'approved')"
                + " AND n.basis IS DISTINCT FROM ?"
                + StandingStore.NOT_CLOSED
                + " ORDER BY c.id LIMIT ?")
        .params(after, last, basis.bytes(), limit)
        .query(UUID.class)
        .list();
  }

  /** Approved persons with an open match, in the order of their ids. */
  List<UUID> alerts(BankScope scope, UUID after, int limit) {
    return jdbc.sql(
            "SELECT case_id FROM newest_screening n JOIN kyc_case c ON c.id = n.case_id"
                + " WHERE open_matches > 0 AND c.status = 'approved' AND (? = '' OR c.bank = ?) AND case_id > ?"
                + StandingStore.NOT_CLOSED
                + " ORDER BY case_id LIMIT ?")
        .params(scope.id(), scope.id(), after, limit)
        .query(UUID.class)
        .list();
  }

  long countAlerts(BankScope scope) {
    return jdbc.sql(
            "SELECT count(*) FROM newest_screening n JOIN kyc_case c ON c.id = n.case_id"
                + " WHERE open_matches > 0 AND c.status = 'approved' AND (? = '' OR c.bank = ?)"
                + StandingStore.NOT_CLOSED)
        .params(scope.id(), scope.id())
        .query(Long.class)
        .single();
  }

  private List<CaseScreening.DisposedMatch> disposed(
      Applicant person, List<ScreeningMatch> matches, Map<Digest32, Disposition> dispositions) {
    return matches.stream()
        .map(match ->
            new CaseScreening.DisposedMatch(
                match, dispositions.get(subject(person, match)), needsTwo(match)))
        .toList();
  }

  /** An earlier case of this service is no listed entry. */
  private boolean needsTwo(ScreeningMatch match) {
    return secondWord && !match.list().equals(ScreeningMatch.REFUSED);
  }

  private static int open(List<CaseScreening.DisposedMatch> matches) {
    return (int) matches.stream().filter(CaseScreening.DisposedMatch::isOpen).count();
  }

  private static int unconfirmed(List<CaseScreening.DisposedMatch> matches) {
    return (int) matches.stream().filter(CaseScreening.DisposedMatch::isUnconfirmed).count();
  }

  private Digest32 subject(Applicant person, ScreeningMatch match) {
    if (match.concerns() != null) {
      return hasher.matchSubject(match.stableKey(), match.contentDigest());
    }
    Identity identity = hasher.identify(person);
    return hasher.matchSubject(identity, match.stableKey(), match.contentDigest());
  }

  /** The newest disposition of each subject. */
  private Map<Digest32, Disposition> dispositions(UUID id) {
    Map<Digest32, Disposition> all = new HashMap<>();
    jdbc.sql(
            "SELECT subject, verdict, d.sealed_reason, d.officer, d.at, sequence, c.officer, c.sealed_reason, c.at"
                + " FROM match_disposition d LEFT JOIN disposition_confirmation c ON c.disposition = d.sequence"
                + " WHERE case_id = ? ORDER BY sequence")
        .param(id)
        .query(row -> {
          all.put(
              new Digest32(row.getBytes(1)),
              new Disposition(
                  row.getLong(6),
                  Disposition.Verdict.of(row.getString(2)),
                  codec.openDisposition(id, row.getBytes(3)),
                  row.getString(4),
                  row.getTimestamp(5).toInstant(),
                  confirmation(id, row)));
        });
    return all;
  }

  private Disposition.@Nullable Confirmation confirmation(UUID id, ResultSet row)
      throws SQLException {
    String officer = row.getString(7);
    return officer == null
        ? null
        : new Disposition.Confirmation(
            officer, codec.openDisposition(id, row.getBytes(8)), row.getTimestamp(9).toInstant());
  }
}
