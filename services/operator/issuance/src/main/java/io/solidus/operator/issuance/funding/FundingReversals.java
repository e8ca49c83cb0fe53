package io.solidus.operator.issuance.funding;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.books.Reason;
import io.solidus.platform.bank.BankScope;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes fundings back by reversing entries: an operator proposes, an approver who is another person
 * decides. What was already issued cannot be taken back; with {@code recall} it becomes a claim on
 * the account {@code receivable}, and without it such a reversal is refused.
 */
@Service
class FundingReversals {
  private static final String SELECT =
      "SELECT reversal_id, funding_id, reason, recall, status, proposed_by, proposed_at, decided_by, decided_at"
          + " FROM funding_reversal";

  private final JdbcClient jdbc;
  private final FundingStore fundings;
  private final FundingLines lines;
  private final Ledger ledger;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final Clock clock;

  FundingReversals(
      JdbcClient jdbc,
      FundingStore fundings,
      FundingLines lines,
      Ledger ledger,
      Expiry expiry,
      OperatorAuditLog audit,
      Clock clock) {
    this.jdbc = jdbc;
    this.fundings = fundings;
    this.lines = lines;
    this.ledger = ledger;
    this.expiry = expiry;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * A proposed or decided reversal.
   *
   * @param recall whether the issued part becomes a claim
   * @param status pending, approved or refused
   */
  record Reversal(
      long reversalId,
      String fundingId,
      String reason,
      boolean recall,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  /**
   * Proposes to take a funding back.
   *
   * @throws DeskConflictException reversal-exists when one is proposed or approved
   */
  @Transactional
  Reversal propose(String fundingId, String reason, boolean recall, String operator) {
    Reason.require(reason);
    if (fundings.find(fundingId).isEmpty()) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "no such funding");
    }
    try {
      long id =
          jdbc.sql(
                  "INSERT INTO funding_reversal (funding_id, reason, recall, proposed_by, proposed_at)"
                      + " VALUES (?, ?, ?, ?, ?) RETURNING reversal_id")
              .params(fundingId, reason, recall, operator, OffsetDateTime.now(clock))
              .query(Long.class)
              .single();
      audit.add(operator, "reversal proposed", fundingId);
      return load(id);
    } catch (DuplicateKeyException e) {
      throw new DeskConflictException(
          "reversal-exists", "this funding has a reversal that was not refused");
    }
  }

  List<Reversal> page(BankScope scope, @Nullable String status, long cursor, int limit) {
    return jdbc.sql(
            SELECT
                + " WHERE reversal_id > :cursor AND (:status::text IS NULL OR status = :status)"
                + " AND (:bank = '' OR funding_id IN (SELECT funding_id FROM funding WHERE bank = :bank))"
                + " ORDER BY reversal_id LIMIT :limit")
        .param("cursor", cursor)
        .param("status", status, Types.VARCHAR)
        .param("bank", scope.id())
        .param("limit", limit)
        .query(FundingReversals::read)
        .list();
  }

  /**
   * Approves a reversal and makes its entries.
   *
   * @throws ProtocolException forbidden when the caller proposed it
   * @throws DeskConflictException reversal-decided; proposal-expired; funding-waits when a mint
   *     waits for approval; funding-issued when coins were issued and the reversal is no recall
   */
  @Transactional
  Reversal approve(long reversalId, String approver) {
    Reversal reversal = lockUndecided(reversalId);
    if (Operator.samePerson(reversal.proposedBy(), approver)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "another person than the proposer approves a reversal");
    }
    expiry.require(reversal.proposedAt());
    Funding funding = fundings.lock(reversal.fundingId()).orElseThrow();
    if (fundings.hasWaitingMint(funding.fundingId())) {
      throw new DeskConflictException(
          "funding-waits", "a mint of this funding waits for approval; refuse it first");
    }
    Amount issued = fundings.issued(funding.fundingId());
    if (!issued.isZero() && !reversal.recall()) {
      throw new DeskConflictException(
          "funding-issued",
          "coins were issued against this funding; only a recall books them as a claim");
    }
    decide(reversalId, "approved", approver);
    fundings.reverse(funding.fundingId());
    Amount unissued = funding.amount().minus(issued);
    // with a line the money is at the bank, whatever becomes of the funding
    boolean received = lines.hasLine(funding.fundingId());
    if (received) {
      lines.release(funding.fundingId());
    }
    if (!unissued.isZero()) {
      if (received) {
        ledger.fundingUnassigned(funding.fundingId(), unissued);
      } else {
        ledger.fundingReversed(funding.fundingId(), unissued);
      }
    }
    if (!issued.isZero()) {
      if (received) {
        ledger.fundingClaimed(funding.fundingId(), issued);
      } else {
        ledger.fundingRecalled(funding.fundingId(), issued);
      }
    }
    audit.add(approver, "reversal approved", funding.fundingId());
    return load(reversalId);
  }

  /** Refuses a reversal, or takes the proposal back. */
  @Transactional
  Reversal refuse(long reversalId, String operator) {
    Reversal reversal = lockUndecided(reversalId);
    decide(reversalId, "refused", operator);
    audit.add(operator, "reversal refused", reversal.fundingId());
    return load(reversalId);
  }

  private void decide(long reversalId, String status, String by) {
    jdbc.sql(
            "UPDATE funding_reversal SET status = ?, decided_by = ?, decided_at = ? WHERE reversal_id = ?")
        .params(status, by, OffsetDateTime.now(clock), reversalId)
        .update();
  }

  private Reversal lockUndecided(long reversalId) {
    Reversal reversal =
        find(" WHERE reversal_id = ? FOR NO KEY UPDATE", reversalId)
            .orElseThrow(FundingReversals::notFound);
    if (!reversal.status().equals("pending")) {
      throw new DeskConflictException("reversal-decided", "the reversal is already decided");
    }
    return reversal;
  }

  private Reversal load(long reversalId) {
    return find(" WHERE reversal_id = ?", reversalId).orElseThrow(FundingReversals::notFound);
  }

  private Optional<Reversal> find(String where, long reversalId) {
    return jdbc.sql(SELECT + where).param(reversalId).query(FundingReversals::read).optional();
  }

  private static Reversal read(ResultSet row, int number) throws SQLException {
    OffsetDateTime decided = row.getObject(9, OffsetDateTime.class);
    return new Reversal(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getBoolean(4),
        row.getString(5),
        row.getString(6),
        row.getObject(7, OffsetDateTime.class).toInstant(),
        row.getString(8),
        decided == null ? null : decided.toInstant());
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such reversal");
  }
}
