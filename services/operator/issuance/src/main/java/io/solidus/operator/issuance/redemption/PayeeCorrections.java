package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.books.Reason;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
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
 * Puts another payee in the place of a wallet's instruction, for example when the account's check
 * digits are wrong. An operator proposes, an approver who is another person decides, and the
 * wallet's instruction stays as evidence.
 */
@Service
class PayeeCorrections {
  private static final String SELECT =
      "SELECT correction_id, lead_serial, sealed, reason, status, proposed_by, proposed_at, decided_by, decided_at"
          + " FROM payee_correction";
  private final JdbcClient jdbc;
  private final RedemptionStore store;
  private final RedemptionKeys keys;
  private final PayeeBanks payees;
  private final Ledger ledger;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final Clock clock;

  PayeeCorrections(
      JdbcClient jdbc,
      RedemptionStore store,
      RedemptionKeys keys,
      PayeeBanks payees,
      Ledger ledger,
      Expiry expiry,
      OperatorAuditLog audit,
      Clock clock) {
    this.jdbc = jdbc;
    this.store = store;
    this.keys = keys;
    this.payees = payees;
    this.ledger = ledger;
    this.expiry = expiry;
    this.audit = audit;
    this.clock = clock;
  }

  /** A proposed or decided correction; its status is pending, approved or refused. */
  record Correction(
      long correctionId,
      SerialNumber lead,
      Payout payee,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    @Override
    public String toString() {
      return "Correction[" + correctionId + "]";
    }
  }

  /**
   * Proposes another payee.
   *
   * @throws DeskConflictException payout-state unless the payout is accepted and in no batch;
   *     correction-exists while another one is pending
   */
  @Transactional
  Correction propose(SerialNumber lead, String name, String iban, String reason, String operator) {
    Reason.require(reason);
    Payout payee = Payout.corrected(name, iban);
    if (!payee.hasValidIban()) {
      throw ProtocolException.malformed("the corrected account is no valid IBAN");
    }
    ledger.lock();
    Redemption payout = requireOpen(lead);
    try {
      long id =
          jdbc.sql(
                  "INSERT INTO payee_correction (lead_serial, attempt, sealed, reason, proposed_by, proposed_at)"
                      + " VALUES (?, ?, ?, ?, ?, ?) RETURNING correction_id")
              .params(
                  lead.bytes(),
                  payout.attempt(),
                  keys.sealRecord(payee.toJson()),
                  reason,
                  operator,
                  OffsetDateTime.now(clock))
              .query(Long.class)
              .single();
      audit.add(operator, "payee correction proposed", payout.endToEndId());
      return load(id);
    } catch (DuplicateKeyException e) {
      throw new DeskConflictException(
          "correction-exists", "another correction of this payout is pending");
    }
  }

  /**
   * Approves a correction.
   *
   * @throws ProtocolException forbidden when the caller proposed it
   * @throws DeskConflictException correction-decided, proposal-expired, payout-state
   */
  @Transactional
  Correction approve(long correctionId, String approver) {
    ledger.lock();
    Correction correction = lockPending(correctionId);
    if (Operator.samePerson(correction.proposedBy(), approver)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "another person than the proposer approves a correction");
    }
    expiry.require(correction.proposedAt());
    Redemption payout = requireOpen(correction.lead());
    decide(correctionId, "approved", approver);
    store.hold(payout.lead(), payees.unscreened(correction.payee()));
    audit.add(approver, "payee correction approved", payout.endToEndId());
    return load(correctionId);
  }

  /** Refuses a correction, or takes the proposal back. */
  @Transactional
  Correction refuse(long correctionId, String operator) {
    ledger.lock();
    lockPending(correctionId);
    decide(correctionId, "refused", operator);
    audit.add(operator, "payee correction refused", Long.toString(correctionId));
    return load(correctionId);
  }

  /** Returns a page of corrections and records that the operator viewed it. */
  List<Correction> page(
      BankScope scope, @Nullable String status, long cursor, int limit, String operator) {
    audit.add(operator, "payee corrections viewed", "after " + cursor);
    return jdbc.sql(
            SELECT
                + " WHERE correction_id > :cursor AND (:status::text IS NULL OR status = :status)"
                + " AND (:bank = '' OR lead_serial IN (SELECT lead_serial FROM redemption WHERE bank = :bank))"
                + " ORDER BY correction_id LIMIT :limit")
        .param("cursor", cursor)
        .param("status", status, Types.VARCHAR)
        .param("bank", scope.id())
        .param("limit", limit)
        .query(this::read)
        .list();
  }

  private Redemption requireOpen(SerialNumber lead) {
    Redemption payout =
        store
            .lock(lead)
            .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such payout"));
    if (payout.state() != PayoutState.ACCEPTED || payout.batchId() != null) {
      throw new DeskConflictException(
          "payout-state", "a payee is corrected while the payout is accepted and in no batch");
    }
    return payout;
  }

  private Correction lockPending(long correctionId) {
    Correction correction =
        jdbc.sql(SELECT + " WHERE correction_id = ? FOR NO KEY UPDATE")
            .param(correctionId)
            .query(this::read)
            .optional()
            .orElseThrow(PayeeCorrections::notFound);
    if (!correction.status().equals("pending")) {
      throw new DeskConflictException("correction-decided", "the correction is already decided");
    }
    return correction;
  }

  private void decide(long correctionId, String status, String by) {
    jdbc.sql(
            "UPDATE payee_correction SET status = ?, decided_by = ?, decided_at = ? WHERE correction_id = ?")
        .params(status, by, OffsetDateTime.now(clock), correctionId)
        .update();
  }

  private Correction load(long correctionId) {
    return jdbc.sql(SELECT + " WHERE correction_id = ?")
        .param(correctionId)
        .query(this::read)
        .optional()
        .orElseThrow(PayeeCorrections::notFound);
  }

  private Correction read(ResultSet row, int number) throws SQLException {
    OffsetDateTime decided = row.getObject(9, OffsetDateTime.class);
    return new Correction(
        row.getLong(1),
        SerialNumber.of(row.getBytes(2)),
        Payout.parse(keys.openRecord(row.getBytes(3))),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getObject(7, OffsetDateTime.class).toInstant(),
        row.getString(8),
        decided == null ? null : decided.toInstant());
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such correction");
  }
}
