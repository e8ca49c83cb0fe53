package io.solidus.operator.issuance.books;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.OffsetDateTime;
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
 * The double-entry ledger. Each funding, mint and payout has one entry, made in its own
 * transaction. A constraint of the database, the turnstile, refuses an entry after which more would
 * be redeemed than issued.
 */
@Service
public class Ledger {
  private static final Logger log = LoggerFactory.getLogger(Ledger.class);
  private static final String TURNSTILE = "turnstile";

  private enum Entry {
    FUNDING("funding", "settlement", "fundings"),
    ISSUE("issue", "fundings", "circulation"),
    REDEMPTION("redemption", "circulation", "payouts");

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

  /** Enters money received at the bank. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void funded(String fundingId, Amount amount) {
    enter(Entry.FUNDING, fundingId.getBytes(StandardCharsets.US_ASCII), amount);
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

  private void enter(Entry entry, byte[] cause, Amount amount) {
    anchor.requireCurrent();
    jdbc.sql(
            "INSERT INTO ledger_entry (kind, reference, debit_account, credit_account, amount_minor, entered_at)"
                + " VALUES (?, ?, ?, ?, ?, ?)")
        .params(
            entry.kind, cause, entry.debit, entry.credit, amount.minor(), OffsetDateTime.now(clock))
        .update();
    anchor.updateAfterCommit();
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
