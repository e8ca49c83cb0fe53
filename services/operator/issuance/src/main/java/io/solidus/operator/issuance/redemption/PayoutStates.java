package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.Ledger.PayoutMove;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Moves payouts from state to state, each move with its entry in the ledger. */
@Service
public class PayoutStates {
  private static final int MAX_REASON_CHARS = 500;
  private static final int MAX_ATTEMPTS = 99;

  private final RedemptionStore store;
  private final Ledger ledger;
  private final OperatorAuditLog audit;
  private final Clock clock;

  PayoutStates(RedemptionStore store, Ledger ledger, OperatorAuditLog audit, Clock clock) {
    this.store = store;
    this.ledger = ledger;
    this.audit = audit;
    this.clock = clock;
  }

  /** What the bank's messages are compared with. */
  public record Known(SerialNumber lead, String endToEndId, Amount amount, PayoutState state) {}

  /** The payout with an end-to-end id. */
  public Optional<Known> find(String endToEndId) {
    return store.findByEndToEndId(endToEndId).map(PayoutStates::known);
  }

  /** The payouts of a batch that are with the bank. */
  public List<Known> sentInBatch(String batchId) {
    return store.sentInBatch(batchId).stream().map(PayoutStates::known).toList();
  }

  private static Known known(Redemption r) {
    return new Known(r.lead(), r.endToEndId(), r.amount(), r.state());
  }

  /**
   * Moves a payout.
   *
   * @param reason required when it failed or came back, 1 to 500 characters
   * @param actor the operator, or the bank's message
   * @throws DeskConflictException payout-state when the present state does not lead there
   */
  @Transactional
  public void move(SerialNumber lead, PayoutState next, @Nullable String reason, String actor) {
    if (next == PayoutState.SENT) {
      throw ProtocolException.malformed("payouts are sent in batches");
    }
    requireReason(next, reason);
    apply(lead, next, reason, actor);
  }

  /** Marks a payout of a released batch as sent. */
  @Transactional(propagation = Propagation.MANDATORY)
  void send(SerialNumber lead, String actor) {
    apply(lead, PayoutState.SENT, null, actor);
  }

  private void apply(SerialNumber lead, PayoutState next, @Nullable String reason, String actor) {
    ledger.lock();
    Redemption payout =
        store
            .lock(lead)
            .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such payout"));
    if (!payout.state().leadsTo(next)) {
      throw new DeskConflictException(
          "payout-state", "this payout is " + payout.state().id() + " and cannot be " + next.id());
    }
    boolean again = next == PayoutState.ACCEPTED;
    if (again && payout.attempt() == MAX_ATTEMPTS) {
      throw new DeskConflictException("payout-state", "this payout was sent too often");
    }
    int attempt = payout.attempt() + (again ? 1 : 0);
    store.change(lead, next, attempt, reason, clock.instant());
    switch (next) {
      case SENT -> ledger.payout(PayoutMove.SENT, lead, attempt, payout.amount());
      case SETTLED -> ledger.payout(PayoutMove.SETTLED, lead, attempt, payout.amount());
      case FAILED -> ledger.payout(PayoutMove.FAILED, lead, attempt, payout.amount());
      case RETURNED -> ledger.payout(PayoutMove.RETURNED, lead, attempt, payout.amount());
      case ACCEPTED -> {
        // owed before and after: no entry
      }
    }
    audit.add(actor, "payout " + next.id(), payout.endToEndId());
  }

  private static void requireReason(PayoutState next, @Nullable String reason) {
    boolean needed = next == PayoutState.FAILED || next == PayoutState.RETURNED;
    if ((needed && (reason == null || reason.isBlank()))
        || (reason != null && reason.length() > MAX_REASON_CHARS)) {
      throw ProtocolException.malformed(
          "a failed or returned payout needs a reason of 1 to " + MAX_REASON_CHARS + " characters");
    }
  }
}
