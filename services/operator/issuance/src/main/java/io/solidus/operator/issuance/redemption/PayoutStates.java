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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /**
   * What the bank's messages are compared with.
   *
   * @param undone how often a move of it was taken back
   * @param batchId the batch of the present attempt, or null
   */
  public record Known(
      SerialNumber lead,
      String endToEndId,
      Amount amount,
      PayoutState state,
      int attempt,
      int undone,
      @Nullable String batchId) {
    /** Whether two persons can say which line paid it. */
    public boolean canBeAssignedAPayment() {
      return switch (state) {
        case SENT, FAILED, RETURNED -> true;
        case ACCEPTED -> batchId == null;
        case SETTLED -> false;
      };
    }

    /** Whether two persons can say which line brought it back. */
    public boolean canBeAssignedAReturn() {
      return state == PayoutState.SETTLED;
    }
  }

  /**
   * A payout.
   *
   * @throws ProtocolException not-found
   */
  public Known load(SerialNumber lead) {
    return known(lock(lead));
  }

  private Redemption lock(SerialNumber lead) {
    return store
        .lock(lead)
        .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such payout"));
  }

  /** The payouts with these end-to-end ids. */
  public List<Known> find(Collection<String> endToEndIds) {
    return store.known("end_to_end_id", endToEndIds);
  }

  /** The payouts whose present attempt is in these batches, in the order of acceptance. */
  public List<Known> inBatches(Collection<String> batchIds) {
    return store.known("batch_id", batchIds);
  }

  /** Which of these are ids of batches. */
  public Set<String> batches(Collection<String> ids) {
    return store.batches(ids);
  }

  /**
   * A payout's change of state.
   *
   * @param reason why it failed or came back, or null
   */
  public record Change(Known payout, PayoutState next, @Nullable String reason) {}

  /**
   * Changes the states of payouts, each to one of settled, failed and returned, and makes their
   * entries. The caller has locked the books and has read the payouts since.
   *
   * @param message of the bank, which the changes can be taken back with
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void changeAll(List<Change> changes, long message, String actor) {
    for (Change change : changes) {
      if (!change.payout().state().leadsTo(change.next())) {
        throw new IllegalStateException("a payout does not go there from its state");
      }
    }
    store.changeAll(changes, clock.instant());
    store.keepMoves(message, changes);
    ledger.enterAll(
        changes.stream()
            .map(c ->
                Ledger.Posting.payout(
                    move(c.next()),
                    c.payout().lead(),
                    c.payout().attempt(),
                    c.payout().undone(),
                    c.payout().amount()))
            .toList());
    audit.addAll(
        actor,
        changes.stream()
            .map(c -> Map.entry("payout " + c.next().id(), c.payout().endToEndId()))
            .toList());
  }

  /** Whether every payout is still where a message of the bank moved it. */
  public boolean canBeTakenBack(long message) {
    return store.isWhereMoved(message);
  }

  /** Takes back what a message of the bank moved. Two persons have reversed it. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void takeBack(long message, String actor) {
    // what the message settled and brought back, it brought back last
    takeBack(message, PayoutState.RETURNED, PayoutState.SETTLED, PayoutMove.RETURN_UNDONE, actor);
    takeBack(message, PayoutState.SETTLED, PayoutState.SENT, PayoutMove.SETTLEMENT_UNDONE, actor);
    takeBack(message, PayoutState.FAILED, PayoutState.SENT, PayoutMove.FAILURE_UNDONE, actor);
  }

  private void takeBack(
      long message, PayoutState from, PayoutState to, PayoutMove move, String actor) {
    List<Known> moved = store.moved(message, from);
    store.takeBack(moved, to, clock.instant());
    ledger.enterAll(
        moved.stream()
            .map(p -> Ledger.Posting.payout(move, p.lead(), p.attempt(), p.undone(), p.amount()))
            .toList());
    audit.addAll(
        actor, moved.stream().map(p -> Map.entry("payout " + to.id(), p.endToEndId())).toList());
  }

  private static PayoutMove move(PayoutState next) {
    return switch (next) {
      case SENT -> PayoutMove.SENT;
      case SETTLED -> PayoutMove.SETTLED;
      case FAILED -> PayoutMove.FAILED;
      case RETURNED -> PayoutMove.RETURNED;
      case ACCEPTED -> throw new IllegalArgumentException("owed before and after: no entry");
    };
  }

  private static Known known(Redemption r) {
    return new Known(r.lead(), r.endToEndId(), r.amount(), r.state(), r.attempt(), 0, r.batchId());
  }

  /**
   * Moves a payout.
   *
   * @param reason required when it failed or came back, 1 to 500 characters
   * @param actor the operator, or the bank's message
   * @throws DeskConflictException payout-state when the present state does not lead there;
   *     payout-disputed when it is to be paid again while a difference names it
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

  /**
   * Settles a payout by a line that two persons assigned to it. The books have the line's money as
   * a claim.
   *
   * @throws DeskConflictException payout-state
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void assignPayment(SerialNumber lead, long assignmentId, String actor) {
    Redemption payout = lock(lead);
    if (!known(payout).canBeAssignedAPayment()) {
      throw new DeskConflictException("payout-state", "this payout is " + payout.state().id());
    }
    int attempt = payout.attempt();
    if (payout.state() == PayoutState.RETURNED) {
      // it was paid once more: another attempt, which may come back, too
      requireAttempts(payout);
      attempt++;
      store.change(lead, PayoutState.ACCEPTED, attempt, null, clock.instant());
    }
    store.change(lead, PayoutState.SETTLED, attempt, null, clock.instant());
    ledger.paymentAssigned(assignmentId, payout.amount(), payout.state() == PayoutState.SENT);
    audit.add(actor, "payout settled", payout.endToEndId());
  }

  /**
   * Takes a payout back by a line that two persons assigned to it. The books have the line's money
   * in suspense.
   *
   * @param received at most the payout's amount; the rest is the bank's charge
   * @throws DeskConflictException payout-state
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void assignReturn(
      SerialNumber lead, long assignmentId, Amount received, String reason, String actor) {
    Redemption payout = lock(lead);
    if (!known(payout).canBeAssignedAReturn()) {
      throw new DeskConflictException("payout-state", "this payout is " + payout.state().id());
    }
    store.change(lead, PayoutState.RETURNED, payout.attempt(), reason, clock.instant());
    ledger.returnAssigned(assignmentId, received, payout.amount().minus(received));
    audit.add(actor, "payout returned", payout.endToEndId());
  }

  private static void requireAttempts(Redemption payout) {
    if (payout.attempt() == MAX_ATTEMPTS) {
      throw new DeskConflictException("payout-state", "this payout was sent too often");
    }
  }

  private void apply(SerialNumber lead, PayoutState next, @Nullable String reason, String actor) {
    ledger.lock();
    Redemption payout = lock(lead);
    if (!payout.state().leadsTo(next)) {
      throw new DeskConflictException(
          "payout-state", "this payout is " + payout.state().id() + " and cannot be " + next.id());
    }
    boolean again = next == PayoutState.ACCEPTED;
    if (again) {
      requireAttempts(payout);
    }
    if (again || next == PayoutState.SENT) {
      requireUndisputed(payout);
    }
    int attempt = payout.attempt() + (again ? 1 : 0);
    store.change(lead, next, attempt, reason, clock.instant());
    if (!again) {
      ledger.payout(move(next), lead, attempt, store.undone(lead), payout.amount());
    }
    audit.add(actor, "payout " + next.id(), payout.endToEndId());
  }

  /** What the bank says of a payout is not clear while a difference names it: it may be paid. */
  private void requireUndisputed(Redemption payout) {
    if (store.isDisputed(payout.lead())) {
      throw new DeskConflictException(
          "payout-disputed",
          "a difference of the bank's lines names this payout or its batch; close it first");
    }
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
