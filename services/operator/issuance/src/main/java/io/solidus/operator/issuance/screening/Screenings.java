package io.solidus.operator.issuance.screening;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.books.Reason;
import io.solidus.operator.issuance.screening.SanctionsClient.Answer;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Screens who pays in and who is paid out, and keeps each verdict with what it was made against. A
 * match blocks until two persons have said that it is somebody else.
 */
@Service
public class Screenings {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String SELECT =
      "SELECT screening_id, subject_kind, subject, verdict, basis, matches, sealed, screened_at, status, said, reason, proposed_by,"
          + " proposed_at, decided_by, decided_at FROM screening";

  private final JdbcClient jdbc;
  private final Optional<SanctionsClient> client;
  private final RedemptionKeys keys;
  private final OperatorAuditLog audit;
  private final Expiry expiry;
  private final TransactionTemplate transaction;
  private final Clock clock;

  Screenings(
      JdbcClient jdbc,
      ObjectProvider<SanctionsClient> client,
      RedemptionKeys keys,
      OperatorAuditLog audit,
      Expiry expiry,
      TransactionTemplate transaction,
      Clock clock,
      MeterRegistry registry) {
    this.jdbc = jdbc;
    this.client = Optional.ofNullable(client.getIfAvailable());
    this.keys = keys;
    this.audit = audit;
    this.expiry = expiry;
    this.transaction = transaction;
    this.clock = clock;
    Gauge.builder("solidus.issuance.screenings.open", this, Screenings::open)
        .description("matches of payers and payees that two persons have not looked at")
        .register(registry);
  }

  /**
   * Who is screened.
   *
   * @param kind funding or payout
   * @param id the funding's id, or the payout's end-to-end id
   */
  public record Subject(String kind, String id, String name) {
    /** The payer of a funding's line. */
    public static Subject funding(String fundingId, String payer) {
      return new Subject("funding", fundingId, payer);
    }

    /** The payee of a payout. */
    public static Subject payout(String endToEndId, String payee) {
      return new Subject("payout", endToEndId, payee);
    }

    @Override
    public String toString() {
      return kind + " " + id;
    }
  }

  /** A screening; {@code name} and {@code matches} were opened. */
  record Screening(
      long screeningId,
      String kind,
      String subject,
      String verdict,
      String basis,
      Digest32 content,
      String name,
      JsonNode matches,
      Instant screenedAt,
      String status,
      @Nullable String said,
      @Nullable String reason,
      @Nullable String proposedBy,
      @Nullable Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    @Override
    public String toString() {
      return "Screening[" + screeningId + "]";
    }
  }

  /** Whether a sanctions service is configured. */
  public boolean areUsed() {
    return client.isPresent();
  }

  /**
   * Screens names and keeps the results.
   *
   * @return for each whether it passes: nothing was found, or two persons have said of exactly this
   *     that it is somebody else
   * @throws ProtocolException unavailable when the sanctions service does not answer; then nobody
   *     passes
   */
  public List<Boolean> pass(List<Subject> subjects) {
    if (client.isEmpty()) {
      return subjects.stream().map(subject -> true).toList();
    }
    List<Boolean> passed = new ArrayList<>();
    for (int i = 0; i < subjects.size(); i += SanctionsClient.MAX_BATCH) {
      List<Subject> some =
          subjects.subList(i, Math.min(subjects.size(), i + SanctionsClient.MAX_BATCH));
      List<Answer> answers = screen(client.get(), some);
      transaction.executeWithoutResult(status -> {
        for (int j = 0; j < some.size(); j++) {
          passed.add(keep(some.get(j), answers.get(j)));
        }
      });
    }
    return passed;
  }

  private static List<Answer> screen(SanctionsClient client, List<Subject> subjects) {
    List<String> names =
        subjects.stream().map(Subject::name).filter(name -> !name.isBlank()).toList();
    Iterator<Answer> answers =
        (names.isEmpty() ? List.<Answer>of() : client.screen(names)).iterator();
    return subjects.stream()
        .map(subject ->
            subject.name().isBlank()
                // a bank that names nobody clears nobody
                ? new Answer("unreadable", "{}", "[]", "no name")
                : answers.next())
        .toList();
  }

  private boolean keep(Subject subject, Answer answer) {
    Digest32 content = Digest32.sha256(answer.content().getBytes(StandardCharsets.UTF_8));
    if (answer.verdict().equals("clear")) {
      insert(subject, answer, content, "passed");
      return true;
    }
    List<Screening> former =
        jdbc.sql(SELECT + " WHERE subject_kind = ? AND subject = ? AND status <> 'passed'")
            .params(subject.kind(), subject.id())
            .query(this::read)
            .list();
    for (Screening one : former) {
      boolean same = one.content().equals(content) && one.name().equals(subject.name());
      boolean undecided = one.status().equals("open") || one.status().equals("proposed");
      if (same && one.status().equals("other-person")) {
        insert(subject, answer, content, "passed");
        return true;
      }
      if (same && (undecided || one.status().equals("listed"))) {
        return false;
      }
      if (undecided) {
        jdbc.sql("UPDATE screening SET status = 'superseded' WHERE screening_id = ?")
            .param(one.screeningId())
            .update();
      }
    }
    insert(subject, answer, content, "open");
    return false;
  }

  private record Sealed(String name, String matches) {}

  private void insert(Subject subject, Answer answer, Digest32 content, String status) {
    byte[] sealed =
        keys.sealRecord(JSON.writeValueAsBytes(new Sealed(subject.name(), answer.matches())));
    jdbc.sql(
            "INSERT INTO screening (subject_kind, subject, verdict, basis, matches, sealed, screened_at, status)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .params(
            subject.kind(),
            subject.id(),
            answer.verdict(),
            answer.basis(),
            content.bytes(),
            sealed,
            OffsetDateTime.now(clock),
            status)
        .update();
  }

  /**
   * Proposes what a match is.
   *
   * @param said other-person or listed
   * @throws DeskConflictException screening-decided
   */
  @Transactional
  Screening propose(long screeningId, String said, String reason, String operator) {
    Reason.require(reason);
    if (!said.equals("other-person") && !said.equals("listed")) {
      throw ProtocolException.malformed("a match is other-person or listed");
    }
    // what waits for a second person does not change under her eyes: it is opened again first
    lock(screeningId, "open");
    jdbc.sql(
            "UPDATE screening SET status = 'proposed', said = ?, reason = ?, proposed_by = ?, proposed_at = ? WHERE screening_id = ?")
        .params(said, reason, operator, OffsetDateTime.now(clock), screeningId)
        .update();
    audit.add(operator, "match said to be " + said, Long.toString(screeningId));
    return load(screeningId);
  }

  /**
   * Confirms what another person said.
   *
   * @throws ProtocolException forbidden when the caller said it
   * @throws DeskConflictException screening-decided when nothing is proposed; proposal-expired
   */
  @Transactional
  Screening approve(long screeningId, String approver) {
    Screening screening = lock(screeningId, "proposed");
    if (Operator.samePerson(screening.proposedBy(), approver)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "another person than the proposer says what a match is");
    }
    expiry.require(Objects.requireNonNull(screening.proposedAt()));
    jdbc.sql(
            "UPDATE screening SET status = said, decided_by = ?, decided_at = ? WHERE screening_id = ?")
        .params(approver, OffsetDateTime.now(clock), screeningId)
        .update();
    if (screening.kind().equals("payout")) {
      // it is screened again before it is in a batch
      jdbc.sql(
              "UPDATE payout SET hold = 'unexamined' FROM redemption r WHERE r.lead_serial = payout.lead_serial"
                  + " AND r.end_to_end_id = ? AND hold = 'screening'")
          .param(screening.subject())
          .update();
    }
    audit.add(approver, "match confirmed", Long.toString(screeningId));
    return load(screeningId);
  }

  /** Refuses what was said of a match, which is open again. */
  @Transactional
  Screening refuse(long screeningId, String operator) {
    lock(screeningId, "proposed");
    jdbc.sql(
            "UPDATE screening SET status = 'open', said = NULL, reason = NULL, proposed_by = NULL, proposed_at = NULL"
                + " WHERE screening_id = ?")
        .param(screeningId)
        .update();
    audit.add(operator, "match reopened", Long.toString(screeningId));
    return load(screeningId);
  }

  /** Returns a page of screenings and records that the operator viewed it. */
  List<Screening> page(boolean open, long cursor, int limit, String operator) {
    audit.add(operator, "screenings viewed", "after " + cursor);
    return jdbc.sql(
            SELECT
                + " WHERE screening_id > ?"
                + (open ? " AND status IN ('open', 'proposed')" : "")
                + " ORDER BY screening_id LIMIT ?")
        .params(cursor, limit)
        .query(this::read)
        .list();
  }

  private double open() {
    try {
      return jdbc.sql("SELECT count(*) FROM screening WHERE status IN ('open', 'proposed')")
          .query(Long.class)
          .single();
    } catch (DataAccessException e) {
      return Double.NaN;
    }
  }

  private Screening lock(long screeningId, String... statuses) {
    Screening screening =
        jdbc.sql(SELECT + " WHERE screening_id = ? FOR NO KEY UPDATE")
            .param(screeningId)
            .query(this::read)
            .optional()
            .orElseThrow(Screenings::notFound);
    if (!List.of(statuses).contains(screening.status())) {
      throw new DeskConflictException(
          "screening-decided", "the screening is " + screening.status());
    }
    return screening;
  }

  private Screening load(long screeningId) {
    return jdbc.sql(SELECT + " WHERE screening_id = ?")
        .param(screeningId)
        .query(this::read)
        .optional()
        .orElseThrow(Screenings::notFound);
  }

  private Screening read(ResultSet row, int number) throws SQLException {
    Sealed sealed = JSON.readValue(keys.openRecord(row.getBytes(7)), Sealed.class);
    return new Screening(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        new Digest32(row.getBytes(6)),
        sealed.name(),
        JSON.readTree(sealed.matches()),
        row.getObject(8, OffsetDateTime.class).toInstant(),
        row.getString(9),
        row.getString(10),
        row.getString(11),
        row.getString(12),
        instant(row.getObject(13, OffsetDateTime.class)),
        row.getString(14),
        instant(row.getObject(15, OffsetDateTime.class)));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such screening");
  }
}
