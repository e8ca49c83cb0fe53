package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.Ledger.Posting;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.books.Reason;
import io.solidus.operator.issuance.redemption.PayoutStates;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes back what a wrong message of the bank did: one person proposes, another approves. The
 * message and its lines stay as they are and count no more; each entry gets an opposite one.
 */
@Service
class MessageReversals {
  private static final String SELECT =
      "SELECT reversal_id, v.message, m.upload, m.type, m.message_id, v.reason, v.status, v.proposed_by, v.proposed_at, v.decided_by,"
          + " v.decided_at FROM message_reversal v JOIN bank_message m ON m.sequence = v.message";

  private final JdbcClient jdbc;
  private final Ledger ledger;
  private final PayoutStates payouts;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final Clock clock;

  MessageReversals(
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

  /** A proposed or decided reversal; its status is pending, approved or refused. */
  record Reversal(
      long reversalId,
      long message,
      long uploadId,
      String type,
      String messageId,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  /**
   * Proposes to take back what a booked message did.
   *
   * @param uploadId under which it was handed in
   * @throws DeskConflictException reversal-exists
   */
  @Transactional
  Reversal propose(long uploadId, String reason, String operator) {
    Reason.require(reason);
    long message =
        jdbc.sql("SELECT sequence FROM bank_message WHERE upload = ?")
            .param(uploadId)
            .query(Long.class)
            .optional()
            .orElseThrow(() ->
                new ProtocolException(
                    RejectionCode.NOT_FOUND, "no booked message has this number"));
    try {
      long id =
          jdbc.sql(
                  "INSERT INTO message_reversal (message, reason, proposed_by, proposed_at) VALUES (?, ?, ?, ?) RETURNING reversal_id")
              .params(message, reason, operator, OffsetDateTime.now(clock))
              .query(Long.class)
              .single();
      Reversal reversal = load(id);
      audit.add(operator, "message reversal proposed", name(reversal));
      return reversal;
    } catch (DuplicateKeyException e) {
      throw new DeskConflictException(
          "reversal-exists", "this message has a reversal that was not refused");
    }
  }

  /**
   * Approves a reversal and makes its entries.
   *
   * @throws ProtocolException forbidden when the caller proposed it
   * @throws DeskConflictException reversal-decided, proposal-expired; message-used when something
   *     was built on the message since: a funding or assignment on one of its lines, a payout that
   *     has gone on, or a later statement with one of its lines
   */
  @Transactional
  Reversal approve(long reversalId, String approver) {
    ledger.lock();
    Reversal reversal = lockPending(reversalId);
    if (Operator.samePerson(reversal.proposedBy(), approver)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "another person than the proposer approves a reversal");
    }
    expiry.require(reversal.proposedAt());
    long message = reversal.message();
    if (isUsed(message) || !payouts.canBeTakenBack(message)) {
      throw new DeskConflictException(
          "message-used",
          "a funding, an assignment, a payout or a later statement rests on this message; undo that first");
    }
    decide(reversalId, "approved", approver);
    jdbc.sql("UPDATE bank_message SET reversed = true WHERE sequence = ?").param(message).update();
    jdbc.sql("UPDATE bank_line SET voided = true WHERE message = ?").param(message).update();
    jdbc.sql("UPDATE bank_line SET statement = NULL WHERE statement = ? AND message <> ?")
        .params(message, message)
        .update();
    jdbc.sql(
            "UPDATE funding_line f SET voided = true FROM bank_line l WHERE l.line_id = f.line_id AND l.message = ? AND NOT f.voided")
        .param(message)
        .update();
    ledger.enterAll(undone(message));
    payouts.takeBack(message, approver);
    jdbc.sql(
            "UPDATE bank_difference d SET closed_by = ?, closed_at = ?, note = ? WHERE closed_by IS NULL"
                + " AND (message = ? OR EXISTS (SELECT 1 FROM bank_line l WHERE l.line_id = d.line_id AND l.message = ?))")
        .params(
            approver,
            OffsetDateTime.now(clock),
            "reversal " + reversalId + " of the message",
            message,
            message)
        .update();
    audit.add(approver, "message reversal approved", name(reversal));
    return load(reversalId);
  }

  private boolean isUsed(long message) {
    return jdbc.sql(
            """
            SELECT EXISTS (
              SELECT 1 FROM bank_line l
               WHERE l.message = :message
                 AND (l.statement <> :message
                      OR EXISTS (SELECT 1 FROM line_assignment a
                                  WHERE l.line_id IN (a.credit_line, a.debit_line) AND a.status <> 'refused')
                      OR (l.name = 'funding' AND in_suspense(l.line_id) <> 0)
                      OR (l.name NOT IN ('funding', 'settled', 'returned')
                          AND l.amount_minor <> CASE WHEN l.credit THEN in_suspense(l.line_id) ELSE claim_of_line(l.line_id) END)))
            """)
        .param("message", message)
        .query(Boolean.class)
        .single();
  }

  private List<Posting> undone(long message) {
    return jdbc.sql(
            "SELECT credit, line_id, amount_minor FROM bank_line WHERE message = ? AND name NOT IN ('funding', 'settled', 'returned')"
                + " ORDER BY line_id")
        .param(message)
        .query((row, n) ->
            Posting.undone(row.getBoolean(1), row.getLong(2), new Amount(row.getLong(3))))
        .list();
  }

  /** Refuses a reversal, or takes the proposal back. */
  @Transactional
  Reversal refuse(long reversalId, String operator) {
    Reversal reversal = lockPending(reversalId);
    decide(reversalId, "refused", operator);
    audit.add(operator, "message reversal refused", name(reversal));
    return load(reversalId);
  }

  List<Reversal> page(@Nullable String status, long cursor, int limit) {
    return jdbc.sql(
            SELECT
                + " WHERE reversal_id > :cursor AND (:status::text IS NULL OR v.status = :status)"
                + " ORDER BY reversal_id LIMIT :limit")
        .param("cursor", cursor)
        .param("status", status, Types.VARCHAR)
        .param("limit", limit)
        .query(MessageReversals::read)
        .list();
  }

  private static String name(Reversal reversal) {
    return reversal.type() + " " + reversal.messageId();
  }

  private void decide(long reversalId, String status, String by) {
    jdbc.sql(
            "UPDATE message_reversal SET status = ?, decided_by = ?, decided_at = ? WHERE reversal_id = ?")
        .params(status, by, OffsetDateTime.now(clock), reversalId)
        .update();
  }

  private Reversal lockPending(long reversalId) {
    Reversal reversal =
        jdbc.sql(SELECT + " WHERE reversal_id = ? FOR NO KEY UPDATE OF v")
            .param(reversalId)
            .query(MessageReversals::read)
            .optional()
            .orElseThrow(MessageReversals::notFound);
    if (!reversal.status().equals("pending")) {
      throw new DeskConflictException("reversal-decided", "the reversal is already decided");
    }
    return reversal;
  }

  private Reversal load(long reversalId) {
    return jdbc.sql(SELECT + " WHERE reversal_id = ?")
        .param(reversalId)
        .query(MessageReversals::read)
        .optional()
        .orElseThrow(MessageReversals::notFound);
  }

  private static Reversal read(ResultSet row, int number) throws SQLException {
    OffsetDateTime decided = row.getObject(11, OffsetDateTime.class);
    return new Reversal(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getObject(9, OffsetDateTime.class).toInstant(),
        row.getString(10),
        decided == null ? null : decided.toInstant());
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such reversal");
  }
}
