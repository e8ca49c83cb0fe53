package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.funding.FundingLines;
import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.MessageType;
import io.solidus.operator.issuance.message.StatusReader.StatusReport;
import io.solidus.operator.issuance.message.StatusReader.Transaction;
import io.solidus.operator.issuance.redemption.PayoutState;
import io.solidus.operator.issuance.redemption.PayoutStates;
import io.solidus.operator.issuance.redemption.PayoutStates.Change;
import io.solidus.operator.issuance.redemption.PayoutStates.Known;
import io.solidus.operator.issuance.statement.StatementStore.Missing;
import io.solidus.operator.issuance.statement.StatementStore.Noticed;
import io.solidus.operator.issuance.statement.StatementStore.Statement;
import io.solidus.operator.issuance.statement.Uploads.Upload;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Digest32;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Books what the bank says. Each booked line of the account becomes an entry of the ledger unless
 * the books have it already, so the account {@code settlement} follows the statement. What does not
 * agree gets a named difference.
 *
 * <p>The books are locked meanwhile, so everything is read and written for all lines at once.
 */
@Service
class StatementImport {
  /** How long the bank may take to settle a payout, and money may take to reach the account. */
  static final Duration PATIENCE = Duration.ofDays(3);

  static final String SYSTEM = Operator.SYSTEM + "statement";

  private final JdbcClient jdbc;
  private final StatementStore store;
  private final Ledger ledger;
  private final PayoutStates payouts;
  private final LineBooking.Desk desk;
  private final RedemptionKeys keys;
  private final Clock clock;

  StatementImport(
      JdbcClient jdbc,
      StatementStore store,
      Ledger ledger,
      PayoutStates payouts,
      FundingLines fundings,
      RedemptionKeys keys,
      Clock clock) {
    this.jdbc = jdbc;
    this.store = store;
    this.ledger = ledger;
    this.payouts = payouts;
    this.desk = new LineBooking.Desk(store, ledger, payouts, fundings, clock);
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * A statement or notification that is ready to be booked.
   *
   * @param sealed the other sides of its lines, which take a while to seal
   */
  record Prepared(BankReport report, Digest32 digest, List<byte[]> sealed) {}

  /** Prepares a message. Takes no lock of the books. */
  Prepared prepare(BankReport report, Digest32 digest) {
    return new Prepared(
        report,
        digest,
        report.lines().stream().map(line -> Counterparty.of(line).seal(keys)).toList());
  }

  /**
   * Books a statement or a notification. The caller has locked the books.
   *
   * @return the number of the message
   * @throws DeskConflictException message-differs when its id was used before; statement-exists
   *     when the day has a statement
   */
  @Transactional(propagation = Propagation.MANDATORY)
  long book(Prepared prepared, Upload upload) {
    BankReport report = prepared.report();
    requireNew(report.type(), report.messageId());
    LocalDate day = report.day();
    if (day != null && store.hasStatement(day)) {
      throw new DeskConflictException("statement-exists", "the day has a statement already");
    }
    Optional<Statement> former = day == null ? Optional.empty() : store.before(day);
    long sequence = store.insert(report, upload, clock.instant());
    new LineBooking(desk, sequence, prepared).book();
    if (day != null && report.openingMinor() != null) {
      close(sequence, day, report.openingMinor(), former);
    }
    return sequence;
  }

  private void requireNew(MessageType type, String messageId) {
    if (store.digest(type.id(), messageId).isPresent()) {
      throw new DeskConflictException("message-differs", "a message with this id was booked");
    }
  }

  /** Whether the same message was booked before. */
  boolean isKnown(String type, String messageId, Digest32 digest) {
    Optional<Digest32> known = store.digest(type, messageId);
    if (known.isPresent() && !known.get().equals(digest)) {
      throw new DeskConflictException("message-differs", "another message with this id was booked");
    }
    return known.isPresent();
  }

  private void close(long sequence, LocalDate day, long opening, Optional<Statement> former) {
    former
        .filter(before -> before.closingMinor() != opening)
        .ifPresent(before ->
            notice(
                sequence,
                "missing-statement",
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
      notice(sequence, "balance-differs", day.toString(), unexplained);
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
    store.notice(
        sequence,
        missing.stream().map(m -> new Noticed(name, null, m.subject(), m.amountMinor())).toList(),
        clock.instant());
  }

  /**
   * Takes the bank's answer to a batch: what it refused has failed. What it accepted settles with
   * the statement.
   *
   * @return the number of the message
   * @throws DeskConflictException message-differs when its id was used before
   */
  @Transactional(propagation = Propagation.MANDATORY)
  long take(StatusReport answer, Upload upload) {
    requireNew(MessageType.PAIN_002, answer.messageId());
    long sequence =
        store.insert(
            MessageType.PAIN_002,
            answer.messageId(),
            answer.originalMessageId(),
            null,
            null,
            null,
            0,
            0,
            upload,
            clock.instant());
    fail(sequence, answer);
    return sequence;
  }

  private void fail(long sequence, StatusReport answer) {
    String batch = answer.originalMessageId();
    Map<String, Known> sent =
        payouts.inBatches(List.of(batch)).stream()
            .filter(p -> p.state() == PayoutState.SENT)
            .collect(Collectors.toMap(Known::endToEndId, p -> p, (a, b) -> a, LinkedHashMap::new));
    List<Change> changes = new ArrayList<>();
    for (Transaction transaction : answer.transactions()) {
      Known payout = sent.remove(transaction.endToEndId());
      if (!isRefusal(transaction.status())) {
        continue;
      }
      if (payout == null) {
        notice(sequence, "unknown-answer", transaction.endToEndId(), 0);
      } else {
        changes.add(new Change(payout, PayoutState.FAILED, reason(transaction.reason())));
      }
    }
    // the status of the group is that of every payment that is not listed
    if (isRefusal(answer.status())) {
      if (sent.isEmpty() && answer.transactions().isEmpty()) {
        notice(sequence, "unknown-answer", batch, 0);
      }
      sent.values()
          .forEach(p -> changes.add(new Change(p, PayoutState.FAILED, reason(answer.reason()))));
    }
    payouts.changeAll(changes, sequence, SYSTEM);
  }

  private static boolean isRefusal(@Nullable String status) {
    return "RJCT".equals(status) || "CANC".equals(status);
  }

  private static String reason(@Nullable String code) {
    return code == null ? "refused by the bank" : code;
  }

  private void notice(long message, String name, String subject, long amountMinor) {
    store.notice(message, List.of(new Noticed(name, null, subject, amountMinor)), clock.instant());
  }
}
