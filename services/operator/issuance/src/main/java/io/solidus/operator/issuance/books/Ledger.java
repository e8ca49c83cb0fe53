package io.solidus.operator.issuance.books;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.outbox.CommitOrder;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The double-entry ledger. Each funding, mint, payout and change of a payout's state has one entry,
 * made in its own transaction. A constraint of the database, the turnstile, refuses an entry after
 * which more would be redeemed than issued. The chart of accounts is in docs/reference/books.md.
 */
@Service
public class Ledger {
  private static final Logger log = LoggerFactory.getLogger(Ledger.class);
  private static final String TURNSTILE = "turnstile";
  private static final String BOUNDS = "balances_are_bounded";

  private enum Entry {
    FUNDING("funding", "settlement", "fundings"),
    ISSUE("issue", "fundings", "circulation"),
    REDEMPTION("redemption", "circulation", "payouts"),
    PAYOUT_SENT("payout-sent", "payouts", "transit"),
    PAYOUT_SETTLED("payout-settled", "transit", "settlement"),
    PAYOUT_FAILED("payout-failed", "transit", "payouts"),
    PAYOUT_RETURNED("payout-returned", "settlement", "payouts"),
    FUNDING_REVERSED("funding-reversed", "fundings", "settlement"),
    FUNDING_RECALLED("funding-recalled", "receivable", "settlement"),
    UNKNOWN_CREDIT("unknown-credit", "settlement", "suspense"),
    UNKNOWN_DEBIT("unknown-debit", "receivable", "settlement"),
    CREDIT_ASSIGNED("credit-assigned", "suspense", "fundings"),
    FUNDING_UNASSIGNED("funding-unassigned", "fundings", "suspense"),
    FUNDING_CLAIMED("funding-claimed", "receivable", "suspense"),
    CLAIM_NETTED("claim-netted", "suspense", "receivable"),
    BANK_CHARGE("bank-charge", "charges", "receivable"),
    SENT_PAYMENT_ASSIGNED("payment-assigned", "transit", "receivable"),
    OWED_PAYMENT_ASSIGNED("payment-assigned", "payouts", "receivable"),
    RETURN_ASSIGNED("return-assigned", "suspense", "payouts"),
    RETURN_CHARGE("return-charge", "charges", "payouts"),
    SETTLEMENT_UNDONE("settlement-undone", "settlement", "transit"),
    RETURN_UNDONE("return-undone", "payouts", "settlement"),
    FAILURE_UNDONE("failure-undone", "payouts", "transit"),
    CREDIT_UNDONE("credit-undone", "suspense", "settlement"),
    DEBIT_UNDONE("debit-undone", "settlement", "receivable");

    private final String kind;
    private final String debit;
    private final String credit;

    Entry(String kind, String debit, String credit) {
      this.kind = kind;
      this.debit = debit;
      this.credit = credit;
    }
  }

  private final JdbcClient jdbc;
  private final BooksAnchor anchor;
  private final Clock clock;
  private final Counter breaches;

  Ledger(JdbcClient jdbc, BooksAnchor anchor, Clock clock, MeterRegistry registry) {
    this.jdbc = jdbc;
    this.anchor = anchor;
    this.clock = clock;
    this.breaches =
        Counter.builder("solidus.issuance.turnstile.breaches")
            .description("payouts refused because more would have been redeemed than was issued")
            .register(registry);
    gauge(registry, "issued", Supply::issuedMinor);
    gauge(registry, "redeemed", Supply::redeemedMinor);
  }

  private void gauge(MeterRegistry registry, String name, ToLongFunction<Supply> value) {
    Gauge.builder("solidus.issuance." + name + ".minor", this, ledger -> ledger.orNaN(value))
        .register(registry);
  }

  /**
   * Enters money received at the bank.
   *
   * @throws DeskConflictException books-full when a balance would exceed 2^53
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void funded(String fundingId, Amount amount) {
    enterBounded(Entry.FUNDING, ascii(fundingId), amount);
  }

  /** Takes a funding back of which nothing, or only the rest, was issued. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void fundingReversed(String fundingId, Amount unissued) {
    enter(Entry.FUNDING_REVERSED, ascii(fundingId), unissued);
  }

  /** Turns the issued part of a reversed funding into a claim. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void fundingRecalled(String fundingId, Amount issued) {
    enterBounded(Entry.FUNDING_RECALLED, ascii(fundingId), issued);
  }

  /** Settles a claim with money in suspense. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void claimNetted(long assignmentId, Amount amount) {
    enter(Entry.CLAIM_NETTED, number(assignmentId), amount);
  }

  /** Turns a claim into the bank's charge. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void bankCharge(long assignmentId, Amount amount) {
    enterBounded(Entry.BANK_CHARGE, number(assignmentId), amount);
  }

  /**
   * Turns a claim into the payment of a payout.
   *
   * @param sent whether the payout was with the bank
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void paymentAssigned(long assignmentId, Amount amount, boolean sent) {
    enter(
        sent ? Entry.SENT_PAYMENT_ASSIGNED : Entry.OWED_PAYMENT_ASSIGNED,
        number(assignmentId),
        amount);
  }

  /**
   * Turns money in suspense into a payout that came back.
   *
   * @param charge what the bank kept of it
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void returnAssigned(long assignmentId, Amount amount, Amount charge) {
    enter(Entry.RETURN_ASSIGNED, number(assignmentId), amount);
    if (!charge.isZero()) {
      enterBounded(Entry.RETURN_CHARGE, number(assignmentId), charge);
    }
  }

  /** Gives money in suspense to a funding. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void creditAssigned(String fundingId, Amount amount) {
    enterBounded(Entry.CREDIT_ASSIGNED, ascii(fundingId), amount);
  }

  /** Puts the unissued money of a reversed funding back into suspense: it is still at the bank. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void fundingUnassigned(String fundingId, Amount unissued) {
    enterBounded(Entry.FUNDING_UNASSIGNED, ascii(fundingId), unissued);
  }

  /** Turns the issued part of a reversed funding into a claim; its money is in suspense. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void fundingClaimed(String fundingId, Amount issued) {
    enterBounded(Entry.FUNDING_CLAIMED, ascii(fundingId), issued);
  }

  /**
   * What the bank's account holds in minor units if every entry is right; negative if overdrawn.
   */
  public long bankBalance() {
    return jdbc.sql(
            "SELECT debit_minor - credit_minor FROM ledger_account WHERE name = 'settlement'")
        .query(BigDecimal.class)
        .single()
        .longValueExact();
  }

  /**
   * Locks the books until the transaction ends. Who enters several things at once locks before the
   * rows that cause them, so that no two wait for each other.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void lock() {
    CommitOrder.enter(jdbc, "ledger_entry");
  }

  /** A change of a payout's state that moves money. */
  public enum PayoutMove {
    SENT(Entry.PAYOUT_SENT),
    SETTLED(Entry.PAYOUT_SETTLED),
    FAILED(Entry.PAYOUT_FAILED),
    RETURNED(Entry.PAYOUT_RETURNED),
    /** A settlement was taken back. */
    SETTLEMENT_UNDONE(Entry.SETTLEMENT_UNDONE),
    /** A return was taken back. */
    RETURN_UNDONE(Entry.RETURN_UNDONE),
    /** A failure was taken back. */
    FAILURE_UNDONE(Entry.FAILURE_UNDONE);

    private final Entry entry;

    PayoutMove(Entry entry) {
      this.entry = entry;
    }
  }

  /**
   * Enters what became of a payout.
   *
   * @param attempt 1 to 99
   * @param undone how often a move of this payout was taken back, 0 to 99
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void payout(PayoutMove move, SerialNumber lead, int attempt, int undone, Amount amount) {
    enter(List.of(Posting.payout(move, lead, attempt, undone, amount)));
  }

  /** Enters a mint with two approvals. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void issued(MintId mint, Amount amount) {
    enter(Entry.ISSUE, mint.bytes(), amount);
  }

  /**
   * Enters a withdrawal that is owed to a bank account.
   *
   * @throws ProtocolException unavailable when more would be redeemed than was issued; then an
   *     alarm is logged and nothing is paid out
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void redeemed(SerialNumber lead, Amount amount) {
    try {
      enter(Entry.REDEMPTION, lead.bytes(), amount);
    } catch (DataIntegrityViolationException e) {
      if (!String.valueOf(e.getMessage()).contains(TURNSTILE)) {
        throw e;
      }
      breaches.increment();
      log.error("ALARM: a payout would redeem more than was ever issued; it is refused");
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "payouts are stopped until the issuer has checked them", e);
    }
  }

  /** The current supply. */
  public Supply supply() {
    return jdbc.sql(
            "SELECT credit_minor, debit_minor FROM ledger_account WHERE name = 'circulation'")
        .query((row, n) -> Supply.of(row.getLong(1), row.getLong(2)))
        .single();
  }

  private void enterBounded(Entry entry, byte[] cause, Amount amount) {
    bounded(() -> enter(entry, cause, amount));
  }

  private static void bounded(Runnable entering) {
    try {
      entering.run();
    } catch (DataIntegrityViolationException e) {
      if (!String.valueOf(e.getMessage()).contains(BOUNDS)) {
        throw e;
      }
      throw new DeskConflictException(
          "books-full", "a balance of the books would exceed 2^53; is an amount wrong?");
    }
  }

  private static byte[] number(long id) {
    return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
  }

  private static byte[] ascii(String id) {
    return id.getBytes(StandardCharsets.US_ASCII);
  }

  private void enter(Entry entry, byte[] cause, Amount amount) {
    enter(List.of(new Posting(entry, cause, amount)));
  }

  private void enter(List<Posting> postings) {
    if (postings.isEmpty()) {
      return;
    }
    lock();
    anchor.requireCurrent();
    // one statement, because the accounts are posted once for each
    jdbc.sql(
            "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
                + " SELECT kind, reference, debit, credit, amount, ? FROM unnest(?, ?, ?, ?, ?)"
                + " WITH ORDINALITY e (kind, reference, debit, credit, amount, place) ORDER BY place")
        .params(
            OffsetDateTime.now(clock),
            postings.stream().map(p -> p.entry().kind).toArray(String[]::new),
            postings.stream().map(Posting::cause).toArray(byte[][]::new),
            postings.stream().map(p -> p.entry().debit).toArray(String[]::new),
            postings.stream().map(p -> p.entry().credit).toArray(String[]::new),
            postings.stream().map(p -> p.amount().minor()).toArray(Long[]::new))
        .update();
    anchor.updateAfterCommit();
  }

  /** An entry to make. */
  public static final class Posting {
    private final Entry entry;
    private final byte[] cause;
    private final Amount amount;

    private Posting(Entry entry, byte[] cause, Amount amount) {
      this.entry = entry;
      this.cause = cause;
      this.amount = amount;
    }

    /** Money on the bank's statement that nothing explains, or that left without a cause. */
    public static Posting unknown(boolean credit, long lineId, Amount amount) {
      return new Posting(
          credit ? Entry.UNKNOWN_CREDIT : Entry.UNKNOWN_DEBIT, number(lineId), amount);
    }

    /**
     * What became of a payout.
     *
     * @param attempt 1 to 99
     * @param undone how often a move of this payout was taken back, 0 to 99
     */
    public static Posting payout(
        PayoutMove move, SerialNumber lead, int attempt, int undone, Amount amount) {
      byte[] serial = lead.bytes();
      byte[] cause = Arrays.copyOf(serial, serial.length + (undone == 0 ? 1 : 2));
      cause[serial.length] = (byte) attempt;
      if (undone > 0) {
        cause[serial.length + 1] = (byte) undone;
      }
      return new Posting(move.entry, cause, amount);
    }

    /** Takes back what a line without an explanation entered. */
    public static Posting undone(boolean credit, long lineId, Amount amount) {
      return new Posting(credit ? Entry.CREDIT_UNDONE : Entry.DEBIT_UNDONE, number(lineId), amount);
    }

    private Entry entry() {
      return entry;
    }

    private byte[] cause() {
      return cause;
    }

    private Amount amount() {
      return amount;
    }
  }

  /**
   * Makes many entries at once.
   *
   * @throws DeskConflictException books-full when a balance would exceed 2^53
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void enterAll(List<Posting> postings) {
    bounded(() -> enter(postings));
  }

  /** NaN when the database is unavailable. */
  private double orNaN(ToLongFunction<Supply> value) {
    try {
      return value.applyAsLong(supply());
    } catch (DataAccessException | TransactionException e) {
      return Double.NaN;
    }
  }
}
