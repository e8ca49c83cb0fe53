package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.books.Reason;
import io.solidus.operator.issuance.redemption.PayoutStates;
import io.solidus.operator.issuance.redemption.PayoutStates.Known;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Says what a line of the bank is for where the bank's message did not say it. An operator proposes
 * and an approver who is another person decides.
 */
@Service
class LineAssignments {
  private static final String SELECT =
      "SELECT assignment_id, kind, credit_line, debit_line, funding_id, lead_serial, amount_minor, reason, status, proposed_by,"
          + " proposed_at, decided_by, decided_at FROM line_assignment";

  private final JdbcClient jdbc;
  private final Ledger ledger;
  private final PayoutStates payouts;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final Clock clock;

  LineAssignments(
      JdbcClient jdbc,
      Ledger ledger,
      PayoutStates payouts,
      Expiry expiry,
      OperatorAuditLog audit,
      Clock clock) {
    this.jdbc = jdbc;
    this.ledger = ledger;
    this.payouts = payouts;
    this.expiry = expiry;
    this.audit = audit;
    this.clock = clock;
  }

  /** What a line can be for. The id is a stable part of the API. */
  enum Kind {
    /** Money in suspense settles a claim, for example because it was sent back. */
    NETTING,
    /** A part of an unknown debit is the bank's charge. */
    CHARGE,
    /** An unknown debit paid a payout. */
    PAYMENT,
    /** Money in suspense is a payout that came back. */
    RETURN;

    String id() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(String id) {
      for (Kind kind : values()) {
        if (kind.id().equals(id)) {
          return kind;
        }
      }
      throw ProtocolException.malformed("a kind is netting, charge, payment or return");
    }
  }

  /**
   * What to assign.
   *
   * @param creditLine for netting and return
   * @param debitLine for charge, payment and netting
   * @param fundingId the recalled funding whose claim is settled, for netting
   * @param payout for payment and return
   * @param amountMinor for netting and charge; null for as much as is open. A payment is of the
   *     payout's amount, a return of the line's
   */
  record Wanted(
      Kind kind,
      @Nullable Long creditLine,
      @Nullable Long debitLine,
      @Nullable String fundingId,
      @Nullable SerialNumber payout,
      @Nullable Long amountMinor) {}

  /** A proposed or decided assignment; its status is pending, approved or refused. */
  record Assignment(
      long assignmentId,
      Wanted wanted,
      Amount amount,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  /**
   * Proposes an assignment.
   *
   * @throws ProtocolException malformed-request when parts are missing or do not belong to the kind
   * @throws DeskConflictException assignment-open when less is in suspense or claimed;
   *     payout-state; assignment-exists while another one of the payout is pending
   */
  @Transactional
  Assignment propose(Wanted wanted, String reason, String operator) {
    Reason.require(reason);
    requireShape(wanted);
    ledger.lock();
    long amount = amount(wanted);
    requireOpen(wanted, amount);
    try {
      long id =
          jdbc.sql(
                  "INSERT INTO line_assignment (kind, credit_line, debit_line, funding_id, lead_serial, amount_minor, reason,"
                      + " proposed_by, proposed_at) VALUES (:kind, :credit, :debit, :funding, :lead, :amount, :reason, :by, :at)"
                      + " RETURNING assignment_id")
              .param("kind", wanted.kind().id())
              .param("credit", wanted.creditLine(), Types.BIGINT)
              .param("debit", wanted.debitLine(), Types.BIGINT)
              .param("funding", wanted.fundingId(), Types.VARCHAR)
              .param("lead", wanted.payout() == null ? null : wanted.payout().bytes(), Types.BINARY)
              .param("amount", amount)
              .param("reason", reason)
              .param("by", operator)
              .param("at", OffsetDateTime.now(clock))
              .query(Long.class)
              .single();
      audit.add(operator, "assignment proposed", wanted.kind().id() + " " + id);
      return load(id);
    } catch (DuplicateKeyException e) {
      throw new DeskConflictException(
          "assignment-exists", "another assignment to this payout is pending");
    }
  }

  private static void requireShape(Wanted w) {
    boolean right =
        switch (w.kind()) {
          case NETTING ->
              w.creditLine() != null
                  && (w.debitLine() == null) != (w.fundingId() == null)
                  && w.payout() == null;
          case CHARGE ->
              w.debitLine() != null
                  && w.creditLine() == null
                  && w.fundingId() == null
                  && w.payout() == null;
          case PAYMENT ->
              w.debitLine() != null
                  && w.payout() != null
                  && w.creditLine() == null
                  && w.fundingId() == null;
          case RETURN ->
              w.creditLine() != null
                  && w.payout() != null
                  && w.debitLine() == null
                  && w.fundingId() == null;
        };
    if (!right) {
      throw ProtocolException.malformed(
          "netting needs a credit line and a debit line or a funding; charge a debit line; payment a debit line and a payout;"
              + " return a credit line and a payout");
    }
  }

  private long amount(Wanted w) {
    long open = open(w);
    return switch (w.kind()) {
      case NETTING, CHARGE -> w.amountMinor() == null ? open : w.amountMinor();
      case PAYMENT -> payout(w).amount().minor();
      case RETURN -> Math.min(open, payout(w).amount().minor());
    };
  }

  /** How much of what is named is in suspense and claimed. */
  private long open(Wanted w) {
    return jdbc.sql(
            "SELECT least(in_suspense(:credit::bigint), claim_of_line(:debit::bigint),"
                + " CASE WHEN :funding::text IS NOT NULL THEN claim_of_funding(:funding::text) END)")
        .param("credit", w.creditLine(), Types.BIGINT)
        .param("debit", w.debitLine(), Types.BIGINT)
        .param("funding", w.fundingId(), Types.VARCHAR)
        .query((row, n) -> {
          BigDecimal least = row.getBigDecimal(1);
          return least == null ? 0L : least.longValueExact();
        })
        .single();
  }

  private void requireOpen(Wanted w, long amount) {
    if (amount < 1 || amount > open(w)) {
      throw new DeskConflictException(
          "assignment-open", "less than this amount is in suspense, or claimed");
    }
    if (w.kind() == Kind.PAYMENT && !payout(w).canBeAssignedAPayment()) {
      throw new DeskConflictException(
          "payout-state", "a line pays a payout that is not settled, and in no pending batch");
    }
    if (w.kind() == Kind.RETURN && !payout(w).canBeAssignedAReturn()) {
      throw new DeskConflictException("payout-state", "only a settled payout comes back");
    }
  }

  private Known payout(Wanted w) {
    return payouts.load(Objects.requireNonNull(w.payout()));
  }

  /**
   * Approves an assignment and makes its entries.
   *
   * @throws ProtocolException forbidden when the caller proposed it
   * @throws DeskConflictException assignment-decided, proposal-expired, assignment-open,
   *     payout-state
   */
  @Transactional
  Assignment approve(long assignmentId, String approver) {
    ledger.lock();
    Assignment assignment = lockPending(assignmentId);
    if (Operator.samePerson(assignment.proposedBy(), approver)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "another person than the proposer approves an assignment");
    }
    expiry.require(assignment.proposedAt());
    Wanted wanted = assignment.wanted();
    requireOpen(wanted, assignment.amount().minor());
    decide(assignmentId, "approved", approver);
    switch (wanted.kind()) {
      case NETTING -> ledger.claimNetted(assignmentId, assignment.amount());
      case CHARGE -> ledger.bankCharge(assignmentId, assignment.amount());
      case PAYMENT -> payouts.assignPayment(payout(wanted).lead(), assignmentId, approver);
      case RETURN ->
          payouts.assignReturn(
              payout(wanted).lead(),
              assignmentId,
              assignment.amount(),
              assignment.reason(),
              approver);
    }
    explain(wanted.creditLine(), "in_suspense", assignmentId, approver);
    explain(wanted.debitLine(), "claim_of_line", assignmentId, approver);
    audit.add(approver, "assignment approved", wanted.kind().id() + " " + assignmentId);
    return load(assignmentId);
  }

  /** Closes the differences of a line of which nothing is open any more. */
  private void explain(@Nullable Long lineId, String rest, long assignmentId, String approver) {
    if (lineId != null) {
      jdbc.sql(
              "UPDATE bank_difference SET closed_by = ?, closed_at = ?, note = ? WHERE line_id = ? AND closed_by IS NULL"
                  + " AND name NOT IN ('duplicate-line', 'line-differs') AND "
                  + rest
                  + "(line_id) = 0")
          .params(approver, OffsetDateTime.now(clock), "assignment " + assignmentId, lineId)
          .update();
    }
  }

  /** Refuses an assignment, or takes the proposal back. */
  @Transactional
  Assignment refuse(long assignmentId, String operator) {
    Assignment assignment = lockPending(assignmentId);
    decide(assignmentId, "refused", operator);
    audit.add(operator, "assignment refused", assignment.wanted().kind().id() + " " + assignmentId);
    return load(assignmentId);
  }

  List<Assignment> page(@Nullable String status, long cursor, int limit) {
    return jdbc.sql(
            SELECT
                + " WHERE assignment_id > :cursor AND (:status::text IS NULL OR status = :status)"
                + " ORDER BY assignment_id LIMIT :limit")
        .param("cursor", cursor)
        .param("status", status, Types.VARCHAR)
        .param("limit", limit)
        .query(LineAssignments::read)
        .list();
  }

  private Assignment lockPending(long assignmentId) {
    Assignment assignment =
        jdbc.sql(SELECT + " WHERE assignment_id = ? FOR NO KEY UPDATE")
            .param(assignmentId)
            .query(LineAssignments::read)
            .optional()
            .orElseThrow(LineAssignments::notFound);
    if (!assignment.status().equals("pending")) {
      throw new DeskConflictException("assignment-decided", "the assignment is already decided");
    }
    return assignment;
  }

  private void decide(long assignmentId, String status, String by) {
    jdbc.sql(
            "UPDATE line_assignment SET status = ?, decided_by = ?, decided_at = ? WHERE assignment_id = ?")
        .params(status, by, OffsetDateTime.now(clock), assignmentId)
        .update();
  }

  private Assignment load(long assignmentId) {
    return jdbc.sql(SELECT + " WHERE assignment_id = ?")
        .param(assignmentId)
        .query(LineAssignments::read)
        .optional()
        .orElseThrow(LineAssignments::notFound);
  }

  private static Assignment read(ResultSet row, int number) throws SQLException {
    byte[] lead = row.getBytes(6);
    OffsetDateTime decided = row.getObject(13, OffsetDateTime.class);
    return new Assignment(
        row.getLong(1),
        new Wanted(
            Kind.of(row.getString(2)),
            row.getObject(3, Long.class),
            row.getObject(4, Long.class),
            row.getString(5),
            lead == null ? null : SerialNumber.of(lead),
            row.getLong(7)),
        new Amount(row.getLong(7)),
        row.getString(8),
        row.getString(9),
        row.getString(10),
        row.getObject(11, OffsetDateTime.class).toInstant(),
        row.getString(12),
        decided == null ? null : decided.toInstant());
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such assignment");
  }
}
