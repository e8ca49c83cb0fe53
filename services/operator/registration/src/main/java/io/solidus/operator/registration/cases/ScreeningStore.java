package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.Person;
import io.solidus.operator.registration.screening.ScreeningBasis;
import io.solidus.operator.registration.screening.ScreeningMatch;
import io.solidus.operator.registration.screening.ScreeningResult;
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
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes screenings and dispositions. Callers own the transactions. */
final class ScreeningStore {
  private final JdbcClient jdbc;
  private final CaseCodec codec;
  private final IdentityHasher hasher;

  ScreeningStore(JdbcClient jdbc, CaseCodec codec, IdentityHasher hasher) {
    this.jdbc = jdbc;
    this.codec = codec;
    this.hasher = hasher;
  }

  /**
   * The newest screening of a case.
   *
   * @param open matches that nobody has called false
   */
  record Newest(Digest32 basis, int open) {}

  /** Keeps a screening of a locked case. */
  void add(KycCase screened, ScreeningResult result, List<ScreeningMatch> matches, Instant now) {
    ScreeningBasis basis = result.basis();
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
    int open = open(screened.person(), matches, dispositions(id));
    jdbc.sql(
            """
            INSERT INTO newest_screening (case_id, screening, basis, open_matches) VALUES (?, ?, ?, ?)
            ON CONFLICT (case_id) DO UPDATE SET screening = excluded.screening, basis = excluded.basis,
                open_matches = excluded.open_matches
            """)
        .params(id, sequence, digest, open)
        .update();
  }

  Optional<Newest> newest(UUID id) {
    return jdbc.sql("SELECT basis, open_matches FROM newest_screening WHERE case_id = ?")
        .param(id)
        .query((row, n) -> new Newest(new Digest32(row.getBytes(1)), row.getInt(2)))
        .optional();
  }

  /** The screenings of a case, the newest first. */
  List<CaseScreening> history(KycCase screened, int limit) {
    Map<Digest32, Disposition> dispositions = dispositions(screened.id());
    return jdbc.sql(
            "SELECT at, lists, matcher, threshold, verdict, sealed_matches FROM screening s"
                + " JOIN screening_basis b ON b.digest = s.basis WHERE case_id = ? ORDER BY sequence DESC LIMIT ?")
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
        codec.openMatches(screened.id(), row.getBytes("sealed_matches")).stream()
            .map(match ->
                new CaseScreening.DisposedMatch(
                    match, dispositions.get(subject(screened.person(), match))))
            .toList());
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

  /** Counts the open matches of the newest screening again. */
  void refresh(KycCase screened, List<ScreeningMatch> matches) {
    jdbc.sql("UPDATE newest_screening SET open_matches = ? WHERE case_id = ?")
        .params(open(screened.person(), matches, dispositions(screened.id())), screened.id())
        .update();
  }

  /**
   * Cases after {@code after} that count and whose newest screening has another basis, in the order
   * of their ids.
   */
  List<UUID> outdated(Digest32 basis, UUID after, int limit) {
    return jdbc.sql(
            """
            SELECT c.id FROM kyc_case c LEFT JOIN newest_screening n ON n.case_id = c.id
            WHERE c.id > ? AND c.status IN ('pending', 'review', 'possible-duplicate', 'approved')
                AND n.basis IS DISTINCT FROM ?
            ORDER BY c.id LIMIT ?
            """)
        .params(after, basis.bytes(), limit)
        .query(UUID.class)
        .list();
  }

  /** Approved persons with an open match, in the order of their ids. */
  List<UUID> alerts(UUID after, int limit) {
    return jdbc.sql(
            "SELECT case_id FROM newest_screening n JOIN kyc_case c ON c.id = n.case_id"
                + " WHERE open_matches > 0 AND c.status = 'approved' AND case_id > ? ORDER BY case_id LIMIT ?")
        .params(after, limit)
        .query(UUID.class)
        .list();
  }

  long countAlerts() {
    return jdbc.sql(
            "SELECT count(*) FROM newest_screening n JOIN kyc_case c ON c.id = n.case_id"
                + " WHERE open_matches > 0 AND c.status = 'approved'")
        .query(Long.class)
        .single();
  }

  private int open(
      Person person, List<ScreeningMatch> matches, Map<Digest32, Disposition> dispositions) {
    return (int)
        matches.stream()
            .map(match ->
                new CaseScreening.DisposedMatch(match, dispositions.get(subject(person, match))))
            .filter(CaseScreening.DisposedMatch::isOpen)
            .count();
  }

  private Digest32 subject(Person person, ScreeningMatch match) {
    Identity identity = hasher.identify(person);
    return hasher.matchSubject(identity, match.stableKey(), match.contentDigest());
  }

  /** The newest disposition of each subject. */
  private Map<Digest32, Disposition> dispositions(UUID id) {
    Map<Digest32, Disposition> all = new HashMap<>();
    jdbc.sql(
            "SELECT subject, verdict, sealed_reason, officer, at FROM match_disposition WHERE case_id = ? ORDER BY sequence")
        .param(id)
        .query(row -> {
          all.put(
              new Digest32(row.getBytes(1)),
              new Disposition(
                  Disposition.Verdict.of(row.getString(2)),
                  codec.openDisposition(id, row.getBytes(3)),
                  row.getString(4),
                  row.getTimestamp(5).toInstant()));
        });
    return all;
  }
}
