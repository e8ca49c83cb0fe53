package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.funding.FundingLines;
import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.BankReport.Line;
import io.solidus.operator.issuance.message.MessageType;
import io.solidus.operator.issuance.message.StatusReader.StatusReport;
import io.solidus.operator.issuance.redemption.PayoutState;
import io.solidus.operator.issuance.redemption.PayoutStates;
import io.solidus.operator.issuance.redemption.PayoutStates.Known;
import io.solidus.operator.issuance.statement.StatementStore.Missing;
import io.solidus.operator.issuance.statement.StatementStore.Statement;
import io.solidus.operator.issuance.statement.StatementStore.StoredLine;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Books what the bank says. Each booked line of the account becomes an entry of the ledger unless
 * the books have it already, so the account {@code settlement} follows the statement. What does not
 * agree gets a named difference.
 */
@Service
class StatementImport {
  /** How long the bank may take to settle a payout, and money may take to reach the account. */
  static final Duration PATIENCE = Duration.ofDays(3);

  private static final String SYSTEM = "statement";

  private final JdbcClient jdbc;
  private final StatementStore store;
  private final Ledger ledger;
  private final PayoutStates payouts;
  private final FundingLines fundings;
  private final RedemptionKeys keys;
  private final OperatorAuditLog audit;
  private final Clock clock;

  StatementImport(
      JdbcClient jdbc,
      StatementStore store,
      Ledger ledger,
      PayoutStates payouts,
      FundingLines fundings,
      RedemptionKeys keys,
      OperatorAuditLog audit,
      Clock clock) {
    this.jdbc = jdbc;
    this.store = store;
    this.ledger = ledger;
    this.payouts = payouts;
    this.fundings = fundings;
    this.keys = keys;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Books a statement or a notification.
   *
   * @return false when the same message was booked before
   * @throws DeskConflictException message-differs when its id was used for another one;
   *     statement-exists when the day has a statement
   */
  @Transactional
  boolean book(BankReport report, Digest32 digest, String operator) {
    ledger.lock();
    if (isKnown(report.type().id(), report.messageId(), digest)) {
      return false;
    }
    LocalDate day = report.day();
    if (day != null && store.hasStatement(day)) {
      throw new DeskConflictException("statement-exists", "the day has a statement already");
    }
    boolean statement = report.type() == MessageType.CAMT_053;
    Optional<Statement> former = day == null ? Optional.empty() : store.before(day);
    long sequence = store.insert(report, digest, operator, clock.instant());
    // what came back left before, in whatever order the bank lists it
    report.lines().stream()
        .filter(line -> !line.credit())
        .forEach(l -> take(sequence, statement, l));
    report.lines().stream().filter(Line::credit).forEach(l -> take(sequence, statement, l));
    if (day != null && report.openingMinor() != null) {
      close(sequence, day, report.openingMinor(), former);
    }
    audit.add(operator, "bank message booked", report.type().id() + " " + report.messageId());
    return true;
  }

  private boolean isKnown(String type, String messageId, Digest32 digest) {
    Optional<Digest32> known = store.digest(type, messageId);
    if (known.isPresent() && !known.get().equals(digest)) {
      throw new DeskConflictException("message-differs", "another message with this id was booked");
    }
    return known.isPresent();
  }

  private void take(long message, boolean statement, Line line) {
    Optional<StoredLine> known = store.line(line.reference());
    if (known.isEmpty()) {
      book(message, statement, line);
      return;
    }
    StoredLine former = known.get();
    boolean same = former.credit() == line.credit() && former.amountMinor() == line.amountMinor();
    if (same && statement && !former.stated()) {
      store.putOnStatement(former.lineId(), message);
    } else if (!same || statement) {
      // the bank's sums are right, so the money moved, and the books did not follow
      notice(
          message,
          same ? "duplicate-line" : "line-differs",
          former.lineId(),
          line.reference(),
          signed(line.credit(), line.amountMinor()));
    }
  }

  private record Meaning(LineName name, @Nullable String subject, @Nullable Runnable booking) {}

  private void book(long message, boolean statement, Line line) {
    Meaning meaning = line.credit() ? credit(line) : debit(line);
    long lineId =
        store.insert(
            message,
            statement,
            line,
            meaning.name(),
            meaning.subject(),
            Counterparty.of(line).seal(keys));
    Amount amount = new Amount(line.amountMinor());
    switch (meaning.name()) {
      case FUNDING -> fundings.assign(String.valueOf(meaning.subject()), lineId);
      case SETTLED, RETURNED -> {
        if (meaning.booking() != null) {
          meaning.booking().run();
        }
      }
      default -> {
        if (line.credit()) {
          ledger.unknownCredit(lineId, amount);
        } else {
          ledger.unknownDebit(lineId, amount);
        }
        notice(
            message,
            meaning.name().id(),
            lineId,
            line.reference(),
            signed(line.credit(), line.amountMinor()));
      }
    }
  }

  private Meaning debit(Line line) {
    String id = line.endToEndId();
    Optional<Known> payout = id == null ? Optional.empty() : payouts.find(id);
    if (payout.isPresent()) {
      Known known = payout.get();
      LineName name =
          known.amount().minor() != line.amountMinor()
              ? LineName.AMOUNT_DIFFERS
              : switch (known.state()) {
                case SENT -> LineName.SETTLED;
                case SETTLED, RETURNED -> LineName.DUPLICATE_PAYMENT;
                case ACCEPTED, FAILED -> LineName.UNEXPECTED_PAYMENT;
              };
      return new Meaning(
          name, id, () -> payouts.move(known.lead(), PayoutState.SETTLED, null, SYSTEM));
    }
    String batch = line.batchId();
    if (batch != null) {
      List<Known> sent = payouts.sentInBatch(batch);
      if (!sent.isEmpty()
          && sent.stream().mapToLong(p -> p.amount().minor()).sum() == line.amountMinor()) {
        return new Meaning(
            LineName.SETTLED,
            batch,
            () -> sent.forEach(p -> payouts.move(p.lead(), PayoutState.SETTLED, null, SYSTEM)));
      }
      if (payouts.isBatch(batch)) {
        return new Meaning(LineName.AMOUNT_DIFFERS, batch, null);
      }
    }
    return new Meaning(LineName.UNKNOWN_DEBIT, null, null);
  }

  private Meaning credit(Line line) {
    String id = line.endToEndId();
    Optional<Known> payout = id == null ? Optional.empty() : payouts.find(id);
    if (payout.isPresent()) {
      Known known = payout.get();
      LineName name =
          known.amount().minor() != line.amountMinor()
              ? LineName.AMOUNT_DIFFERS
              : switch (known.state()) {
                case SETTLED -> LineName.RETURNED;
                case SENT -> LineName.EARLY_RETURN;
                case ACCEPTED, FAILED, RETURNED -> LineName.DUPLICATE_PAYMENT;
              };
      String code = line.returnCode() == null ? "returned by the bank" : line.returnCode();
      return new Meaning(
          name, id, () -> payouts.move(known.lead(), PayoutState.RETURNED, code, SYSTEM));
    }
    return fundings
        .named(id, line.reference(), line.remittance())
        .map(named ->
            new Meaning(
                named.amountMinor() != line.amountMinor()
                    ? LineName.AMOUNT_DIFFERS
                    : named.hasLine() ? LineName.DUPLICATE_FUNDING : LineName.FUNDING,
                named.fundingId(),
                null))
        .orElseGet(() -> new Meaning(LineName.UNKNOWN_CREDIT, null, null));
  }

  private void close(long sequence, LocalDate day, long opening, Optional<Statement> former) {
    former
        .filter(before -> before.closingMinor() != opening)
        .ifPresent(before ->
            notice(
                sequence,
                "missing-statement",
                null,
                before.day() + " to " + day,
                opening - before.closingMinor()));
    Instant end = day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    renew(sequence, "missing-settlement", () -> store.unsettled(end.minus(PATIENCE)));
    renew(sequence, "missing-money", () -> store.unfunded(end.minus(PATIENCE)));
    renew(
        sequence,
        "missing-line",
        () -> store.unstated(day.plusDays(1).minusDays(PATIENCE.toDays())));
    long books = ledger.bankBalance();
    // statements may come in another order than their days; the books follow the newest
    long bank = store.newestClosing();
    long unexplained = books - store.expectedLead() - bank;
    store.close(sequence, books, unexplained);
    if (unexplained != 0) {
      notice(sequence, "balance-differs", null, day.toString(), unexplained);
    }
  }

  /** Notices what is missing now, and closes what was missing and is no more. */
  private void renew(long sequence, String name, Supplier<List<Missing>> now) {
    List<Missing> missing = now.get();
    List<String> subjects = missing.stream().map(Missing::subject).toList();
    jdbc.sql(
            "UPDATE bank_difference SET closed_by = :by, note = 'no longer missing', closed_at = :at"
                + " WHERE name = :name AND closed_by IS NULL AND NOT subject = ANY(:subjects)")
        .param("by", SYSTEM)
        .param("at", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
        .param("name", name)
        .param("subjects", subjects.toArray(String[]::new))
        .update();
    missing.forEach(m -> notice(sequence, name, null, m.subject(), m.amountMinor()));
  }

  /**
   * Takes the bank's answer to a batch: what it refused has failed. What it accepted settles with
   * the statement.
   *
   * @return false when the same message was taken before
   */
  @Transactional
  boolean take(StatusReport answer, Digest32 digest, String operator) {
    ledger.lock();
    String type = MessageType.PAIN_002.id();
    if (isKnown(type, answer.messageId(), digest)) {
      return false;
    }
    long sequence =
        store.insert(
            type,
            answer.messageId(),
            answer.originalMessageId(),
            digest,
            null,
            null,
            null,
            0,
            operator,
            clock.instant());
    answer
        .transactions()
        .forEach(t -> {
          if (isRefusal(t.status())) {
            fail(sequence, answer.originalMessageId(), t.endToEndId(), t.reason());
          }
        });
    if (answer.transactions().isEmpty() && isRefusal(answer.status())) {
      List<Known> sent = payouts.sentInBatch(answer.originalMessageId());
      if (sent.isEmpty()) {
        notice(sequence, "unknown-answer", null, answer.originalMessageId(), 0);
      }
      sent.forEach(
          p -> payouts.move(p.lead(), PayoutState.FAILED, reason(answer.reason()), SYSTEM));
    }
    audit.add(operator, "bank message booked", type + " " + answer.messageId());
    return true;
  }

  private void fail(long sequence, String batch, String endToEndId, @Nullable String reason) {
    Optional<Known> sent =
        payouts.sentInBatch(batch).stream()
            .filter(p -> p.endToEndId().equals(endToEndId))
            .findFirst();
    if (sent.isPresent()) {
      payouts.move(sent.get().lead(), PayoutState.FAILED, reason(reason), SYSTEM);
    } else {
      notice(sequence, "unknown-answer", null, endToEndId, 0);
    }
  }

  private static boolean isRefusal(@Nullable String status) {
    return "RJCT".equals(status) || "CANC".equals(status);
  }

  private static String reason(@Nullable String code) {
    return code == null ? "refused by the bank" : code;
  }

  private void notice(
      long message, String name, @Nullable Long lineId, String subject, long amountMinor) {
    store.notice(message, name, lineId, subject, amountMinor, clock.instant());
  }

  private static long signed(boolean credit, long amountMinor) {
    return credit ? amountMinor : -amountMinor;
  }
}
