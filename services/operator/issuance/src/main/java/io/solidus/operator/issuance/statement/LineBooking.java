package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.Ledger.Posting;
import io.solidus.operator.issuance.funding.FundingLines;
import io.solidus.operator.issuance.funding.FundingLines.Named;
import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.BankReport.Line;
import io.solidus.operator.issuance.message.MessageType;
import io.solidus.operator.issuance.redemption.PayoutState;
import io.solidus.operator.issuance.redemption.PayoutStates;
import io.solidus.operator.issuance.redemption.PayoutStates.Change;
import io.solidus.operator.issuance.redemption.PayoutStates.Known;
import io.solidus.operator.issuance.statement.StatementImport.Prepared;
import io.solidus.operator.issuance.statement.StatementStore.NewLine;
import io.solidus.operator.issuance.statement.StatementStore.Noticed;
import io.solidus.operator.issuance.statement.StatementStore.StoredLine;
import io.solidus.protocol.Amount;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The booking of the lines of one message: each becomes an entry of the ledger unless the books
 * have it already. What does not agree gets a named difference.
 *
 * <p>The books are locked meanwhile, so everything is read and written for all lines at once.
 */
final class LineBooking {
  /** How many ids of fundings are looked for in one query. */
  private static final int MAX_WORDS = 20_000;

  /** What a booking reads and writes. */
  record Desk(
      StatementStore store,
      Ledger ledger,
      PayoutStates payouts,
      FundingLines fundings,
      Clock clock) {}

  /** What a new line is, and what its booking changes. */
  private record Meaning(LineName name, @Nullable String subject, List<Change> changes) {
    static Meaning of(LineName name, @Nullable String subject) {
      return new Meaning(name, subject, List.of());
    }
  }

  private final Desk desk;
  private final long message;
  private final boolean statement;
  private final Map<String, byte[]> sealed = new HashMap<>();
  private final List<List<Line>> entries;
  private final Map<String, List<StoredLine>> known;
  private final Map<String, Known> byId = new HashMap<>();
  private final Map<String, List<Known>> byBatch = new HashMap<>();
  private final Set<String> batches;
  private final Map<String, Named> named = new HashMap<>();
  private final Set<String> fundedHere = new HashSet<>();
  private final List<Noticed> noticed = new ArrayList<>();
  private final Map<String, String> learnt = new LinkedHashMap<>();

  LineBooking(Desk desk, long message, Prepared prepared) {
    this.desk = desk;
    this.message = message;
    BankReport report = prepared.report();
    this.statement = report.type() == MessageType.CAMT_053;
    Map<String, List<Line>> grouped = new LinkedHashMap<>();
    for (int i = 0; i < report.lines().size(); i++) {
      Line line = report.lines().get(i);
      grouped.computeIfAbsent(line.entry(), entry -> new ArrayList<>()).add(line);
      sealed.put(line.reference(), prepared.sealed().get(i));
    }
    this.entries = List.copyOf(grouped.values());
    this.known =
        desk.store()
            .linesOf(
                report.lines().stream()
                    .flatMap(line -> Stream.of(line.entry(), line.alias()))
                    .filter(Objects::nonNull)
                    .collect(Collectors.toSet()));
    this.batches = desk.payouts().batches(values(report.lines().stream().map(Line::batchId)));
    readPayouts();
  }

  private static Set<String> values(Stream<@Nullable String> of) {
    return of.filter(Objects::nonNull).collect(Collectors.toSet());
  }

  private Stream<Line> lines() {
    return entries.stream().flatMap(List::stream);
  }

  private void readPayouts() {
    desk.payouts()
        .find(values(lines().map(Line::endToEndId)))
        .forEach(p -> byId.put(p.endToEndId(), p));
    byBatch.clear();
    desk.payouts()
        .inBatches(batches)
        .forEach(p ->
            byBatch
                .computeIfAbsent(String.valueOf(p.batchId()), batch -> new ArrayList<>())
                .add(p));
  }

  void book() {
    List<Line> fresh = new ArrayList<>();
    Set<Long> stated = new LinkedHashSet<>();
    for (List<Line> entry : entries) {
      take(entry, fresh, stated);
    }
    if (!stated.isEmpty()) {
      desk.store().putOnStatement(stated, message);
    }
    readFundings(fresh);
    // what came back left before, in whatever order the bank lists it
    book(fresh.stream().filter(line -> !line.credit()).toList());
    readPayouts();
    book(fresh.stream().filter(Line::credit).toList());
    fresh.forEach(line -> learnt.remove(line.entry()));
    desk.store().know(message, learnt);
    desk.store().notice(message, noticed, desk.clock().instant());
  }

  /** Finds out whether the books have an entry, however it and its transactions were told. */
  private void take(List<Line> entry, List<Line> fresh, Set<Long> stated) {
    Line first = entry.getFirst();
    List<StoredLine> former = former(entry, stated);
    if (former.isEmpty()) {
      fresh.addAll(entry);
      learn(first.alias(), first.entry());
      if (first.unsure() && desk.store().isNotified(first.credit(), sum(entry))) {
        noticed.add(new Noticed("uncertain-line", null, first.entry(), signed(first, sum(entry))));
      }
      return;
    }
    boolean same = isSame(former, entry);
    if (same) {
      learn(first.entry(), former.getFirst().entry());
      learn(first.alias(), former.getFirst().entry());
    }
    if (same
        && statement
        && former.stream().noneMatch(line -> line.stated() || stated.contains(line.lineId()))) {
      former.forEach(line -> stated.add(line.lineId()));
    } else if (!same || statement) {
      // the bank's sums are right, so the money moved, and the books did not follow
      noticed.add(
          new Noticed(
              same ? "duplicate-line" : "line-differs",
              former.getFirst().lineId(),
              first.entry(),
              signed(first, sum(entry))));
    }
  }

  /**
   * The lines of an entry that the books know by either of its references.
   *
   * @param statedHere the lines that this statement has so far
   */
  private List<StoredLine> former(List<Line> entry, Set<Long> statedHere) {
    Line first = entry.getFirst();
    List<StoredLine> former = known.getOrDefault(first.entry(), List.of());
    String alias = first.alias();
    if (!former.isEmpty() || alias == null) {
      return former;
    }
    former = known.getOrDefault(alias, List.of());
    // a payment and its charge have references of their own, and that of one transaction
    boolean ownReferences = former.stream().noneMatch(line -> line.entry().equals(alias));
    // and money that a statement has comes again under another own reference only when it moves
    boolean stated =
        former.stream().allMatch(line -> line.stated() || statedHere.contains(line.lineId()));
    return ownReferences && (stated || !isSame(former, entry)) ? List.of() : former;
  }

  private static boolean isSame(List<StoredLine> former, List<Line> entry) {
    return former.stream().allMatch(line -> line.credit() == entry.getFirst().credit())
        && former.stream().mapToLong(StoredLine::amountMinor).sum() == sum(entry);
  }

  /** An entry is known by another reference from now on, unless another one is known by it. */
  private void learn(@Nullable String reference, String entry) {
    if (reference != null && !known.containsKey(reference)) {
      learnt.putIfAbsent(reference, entry);
    }
  }

  private void readFundings(List<Line> fresh) {
    Set<String> words = new HashSet<>();
    for (Line line : fresh) {
      if (line.credit()) {
        words.addAll(words(line));
      }
      if (words.size() > MAX_WORDS) {
        named.putAll(desk.fundings().named(words));
        words.clear();
      }
    }
    named.putAll(desk.fundings().named(words));
  }

  private Set<String> words(Line line) {
    return desk.fundings()
        .ofOneBank(FundingLines.words(line.endToEndId(), line.reference(), line.remittance()));
  }

  private void book(List<Line> lines) {
    List<NewLine> rows = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    Map<String, Line> funding = new LinkedHashMap<>();
    for (Line line : lines) {
      Meaning meaning = line.credit() ? credit(line) : debit(line);
      rows.add(
          new NewLine(
              line,
              meaning.name(),
              meaning.subject(),
              Objects.requireNonNull(sealed.get(line.reference()))));
      for (Change change : meaning.changes()) {
        changes.add(change);
        see(change);
      }
      if (meaning.name() == LineName.FUNDING) {
        funding.put(String.valueOf(meaning.subject()), line);
      }
    }
    Map<String, Long> numbers = desk.store().insert(message, statement, rows);
    desk.fundings()
        .assignAll(
            funding.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> number(numbers, e.getValue()))));
    desk.payouts().changeAll(changes, message, StatementImport.SYSTEM);
    List<Posting> postings = new ArrayList<>();
    for (NewLine row : rows) {
      if (row.name().isDifference()) {
        Line line = row.line();
        postings.add(
            Posting.unknown(line.credit(), number(numbers, line), new Amount(line.amountMinor())));
        noticed.add(
            new Noticed(
                row.name().id(),
                number(numbers, line),
                line.reference(),
                signed(line, line.amountMinor())));
      }
    }
    desk.ledger().enterAll(postings);
  }

  private static long number(Map<String, Long> numbers, Line line) {
    return Objects.requireNonNull(numbers.get(line.reference()));
  }

  /** Later lines of the message see what this one changed. */
  private void see(Change change) {
    Known was = change.payout();
    Known is =
        new Known(
            was.lead(),
            was.endToEndId(),
            was.amount(),
            change.next(),
            was.attempt(),
            was.undone(),
            was.batchId());
    byId.put(was.endToEndId(), is);
    List<Known> batch = was.batchId() == null ? null : byBatch.get(was.batchId());
    if (batch != null) {
      batch.replaceAll(p -> p.lead().equals(was.lead()) ? is : p);
    }
  }

  private Meaning debit(Line line) {
    Known payout = line.endToEndId() == null ? null : byId.get(line.endToEndId());
    if (payout != null) {
      if (payout.amount().minor() != line.amountMinor()) {
        return Meaning.of(LineName.AMOUNT_DIFFERS, payout.endToEndId());
      }
      return switch (payout.state()) {
        case SENT ->
            new Meaning(
                LineName.SETTLED,
                payout.endToEndId(),
                List.of(new Change(payout, PayoutState.SETTLED, null)));
        case SETTLED, RETURNED -> Meaning.of(LineName.DUPLICATE_PAYMENT, payout.endToEndId());
        case ACCEPTED, FAILED -> Meaning.of(LineName.UNEXPECTED_PAYMENT, payout.endToEndId());
      };
    }
    String batch = line.batchId();
    if (batch == null || !batches.contains(batch)) {
      return Meaning.of(LineName.UNKNOWN_DEBIT, null);
    }
    List<Known> sent =
        byBatch.getOrDefault(batch, List.of()).stream()
            .filter(p -> p.state() == PayoutState.SENT)
            .toList();
    if (sent.isEmpty()
        || sent.stream().mapToLong(p -> p.amount().minor()).sum() != line.amountMinor()) {
      return Meaning.of(LineName.AMOUNT_DIFFERS, batch);
    }
    return new Meaning(
        LineName.SETTLED,
        batch,
        sent.stream().map(p -> new Change(p, PayoutState.SETTLED, null)).toList());
  }

  private Meaning credit(Line line) {
    Known payout = line.endToEndId() == null ? null : byId.get(line.endToEndId());
    if (payout != null) {
      if (payout.amount().minor() != line.amountMinor()) {
        return Meaning.of(LineName.AMOUNT_DIFFERS, payout.endToEndId());
      }
      String code = line.returnCode() == null ? "returned by the bank" : line.returnCode();
      return switch (payout.state()) {
        case SETTLED ->
            new Meaning(
                LineName.RETURNED,
                payout.endToEndId(),
                List.of(new Change(payout, PayoutState.RETURNED, code)));
        case SENT -> Meaning.of(LineName.EARLY_RETURN, payout.endToEndId());
        case ACCEPTED, FAILED, RETURNED ->
            Meaning.of(LineName.DUPLICATE_PAYMENT, payout.endToEndId());
      };
    }
    Optional<Named> funding =
        words(line).stream()
            .map(named::get)
            .filter(Objects::nonNull)
            .min(Comparator.comparing(this::hasLine).thenComparingLong(Named::sequence));
    if (funding.isEmpty()) {
      return Meaning.of(LineName.UNKNOWN_CREDIT, null);
    }
    Named found = funding.get();
    if (found.amountMinor() != line.amountMinor()) {
      return Meaning.of(LineName.AMOUNT_DIFFERS, found.fundingId());
    }
    if (hasLine(found)) {
      return Meaning.of(LineName.DUPLICATE_FUNDING, found.fundingId());
    }
    fundedHere.add(found.fundingId());
    return Meaning.of(LineName.FUNDING, found.fundingId());
  }

  private boolean hasLine(Named funding) {
    return funding.hasLine() || fundedHere.contains(funding.fundingId());
  }

  private static long sum(Collection<Line> entry) {
    return entry.stream().mapToLong(Line::amountMinor).sum();
  }

  private static long signed(Line line, long amountMinor) {
    return line.credit() ? amountMinor : -amountMinor;
  }
}
