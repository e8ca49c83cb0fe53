package io.solidus.operator.issuance.message;

import io.solidus.operator.issuance.message.BankReport.Line;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads statements (camt.053.001.08) and notifications (camt.054.001.08) of one account. */
public final class ReportReader {
  /** The most lines of a message, so that the books are locked for seconds at most. */
  static final int MAX_LINES = 10_000;

  private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])");

  private final Schemas schemas;
  private final Money money;
  private final String account;

  /**
   * Creates a reader.
   *
   * @param account IBAN or other id of the settlement account
   * @param currency ISO 4217 code
   */
  public ReportReader(Schemas schemas, String account, String currency) {
    this.schemas = schemas;
    this.account = account;
    this.money = Money.of(currency);
  }

  /**
   * Reads a message.
   *
   * @throws BankMessageException when it is not of its schema, of another account or currency, in
   *     several pages, or its sums contradict each other
   */
  public BankReport read(byte[] xml) {
    Schemas.Parsed parsed = schemas.parse(xml, MessageType.CAMT_053, MessageType.CAMT_054);
    boolean statement = parsed.type() == MessageType.CAMT_053;
    Node header = parsed.message().find("GrpHdr").orElseThrow();
    requireWhole(header.find("MsgPgntn"));
    List<Node> pages = pages(parsed.message(), statement);
    Balance opening = statement ? balance(pages.getFirst(), "OPBD", "PRCD") : null;
    Balance closing = statement ? balance(pages.getLast(), "CLBD") : null;
    List<Line> lines = new ArrayList<>();
    Set<String> entries = new HashSet<>();
    int pending = 0;
    int skipped = 0;
    for (Node entry : pages.stream().flatMap(page -> page.all("Ntry").stream()).toList()) {
      if (!entry.text("Sts/Cd").equals(Optional.of("BOOK"))) {
        pending++;
        continue;
      }
      List<Line> moves = lines(entry, closing == null ? null : closing.day());
      if (moves.isEmpty()) {
        skipped++;
      } else if (!entries.add(moves.getFirst().entry())) {
        // the bank reuses no reference: it would be one movement, counted twice
        throw BankMessageException.inconsistent("two entries have the same reference");
      }
      lines.addAll(moves);
      if (lines.size() > MAX_LINES) {
        throw BankMessageException.unsupported("a message has at most " + MAX_LINES + " lines");
      }
    }
    requireDistinct(lines);
    if (opening != null && closing != null) {
      requireSums(opening, closing, lines);
    }
    return new BankReport(
        parsed.type(),
        header.text("MsgId").orElseThrow(),
        pages.getFirst().text("Id").orElseThrow(),
        closing == null ? null : closing.day(),
        opening == null ? null : Long.valueOf(opening.minor()),
        closing == null ? null : Long.valueOf(closing.minor()),
        lines,
        pending,
        skipped);
  }

  /** The statement or notification of the account, in one page or in several that follow. */
  private List<Node> pages(Node message, boolean statement) {
    List<Node> pages =
        message.all(statement ? "Stmt" : "Ntfctn").stream()
            .filter(report ->
                report.firstText("Acct/Id/IBAN", "Acct/Id/Othr/Id").equals(Optional.of(account)))
            .toList();
    if (pages.isEmpty()) {
      throw BankMessageException.unsupported("the message is of another account");
    }
    String pagination = statement ? "StmtPgntn" : "NtfctnPgntn";
    if (pages.size() == 1) {
      requireWhole(pages.getFirst().find(pagination));
      return pages;
    }
    for (int i = 0; i < pages.size(); i++) {
      Optional<Node> at = pages.get(i).find(pagination);
      boolean last = i == pages.size() - 1;
      if (!at.flatMap(node -> node.text("PgNb")).equals(Optional.of(Integer.toString(i + 1)))
          || !at.flatMap(node -> node.text("LastPgInd"))
              .equals(Optional.of(Boolean.toString(last)))) {
        throw BankMessageException.unsupported(
            "several statements of the account are taken as the pages of one only, in their order");
      }
    }
    return pages;
  }

  private record Balance(LocalDate day, long minor) {}

  private Balance balance(Node report, String... codes) {
    for (String code : codes) {
      for (Node balance : report.all("Bal")) {
        if (balance.text("Tp/CdOrPrtry/Cd").equals(Optional.of(code))) {
          long minor = money.minor(balance.find("Amt").orElseThrow());
          return new Balance(
              date(balance.find("Dt").orElseThrow()),
              isCredit(balance.text("CdtDbtInd").orElseThrow()) ? minor : -minor);
        }
      }
    }
    throw BankMessageException.unsupported("the statement has no balance " + codes[0]);
  }

  private static void requireSums(Balance opening, Balance closing, List<Line> lines) {
    long at = opening.minor();
    try {
      for (Line line : lines) {
        at = Math.addExact(at, line.credit() ? line.amountMinor() : -line.amountMinor());
      }
    } catch (ArithmeticException e) {
      throw BankMessageException.inconsistent("the sum of the lines is too large");
    }
    if (at != closing.minor()) {
      throw BankMessageException.inconsistent(
          "the opening balance and the booked lines do not give the closing balance");
    }
  }

  private static void requireDistinct(List<Line> lines) {
    if (lines.stream().map(Line::reference).distinct().count() != lines.size()) {
      throw BankMessageException.inconsistent("two lines have the same reference");
    }
  }

  private static void requireWhole(Optional<Node> pagination) {
    if (pagination.isPresent()
        && !(pagination.get().text("PgNb").equals(Optional.of("1"))
            && pagination.get().text("LastPgInd").equals(Optional.of("true")))) {
      throw BankMessageException.unsupported(
          "only single pages of a statement are taken in messages of their own");
    }
  }

  /** The lines of an entry; none when it moves no money. */
  private List<Line> lines(Node entry, @Nullable LocalDate day) {
    long amount = money.minor(entry.find("Amt").orElseThrow());
    if (amount == 0) {
      return List.of();
    }
    boolean credit = isCredit(entry.text("CdtDbtInd").orElseThrow());
    LocalDate bookedOn =
        entry
            .find("BookgDt")
            .or(() -> entry.find("ValDt"))
            .map(ReportReader::date)
            .orElseThrow(() -> BankMessageException.unsupported("a booked entry has no date"));
    List<Node> details =
        entry.all("NtryDtls").stream().flatMap(d -> d.all("TxDtls").stream()).toList();
    String batchId =
        entry
            .find("NtryDtls/Btch")
            .flatMap(batch -> batch.firstText("MsgId", "PmtInfId"))
            .orElse(null);
    EntryKey key = key(entry, details, day);
    if (details.size() <= 1) {
      Node detail = details.isEmpty() ? entry : details.getFirst();
      return List.of(line(key, key.entry(), credit, amount, bookedOn, batchId, detail));
    }
    List<Line> lines = new ArrayList<>();
    long sum = 0;
    for (int i = 0; i < details.size() && sum <= amount; i++) {
      Node detail = details.get(i);
      long part =
          money.minor(
              detail
                  .find("Amt")
                  .or(() -> detail.find("AmtDtls/TxAmt/Amt"))
                  .orElseThrow(() ->
                      BankMessageException.unsupported(
                          "one of several transactions of an entry has no amount")));
      if (detail.text("CdtDbtInd").map(ReportReader::isCredit).orElse(credit) != credit) {
        throw BankMessageException.unsupported("an entry has transactions in both directions");
      }
      if (part > 0) {
        lines.add(line(key, key.entry() + "/" + (i + 1), credit, part, bookedOn, batchId, detail));
      }
      sum += part; // no more than 2^53 before, and 2^53 more
    }
    if (sum != amount) {
      throw BankMessageException.inconsistent(
          "the transactions of an entry do not give its amount");
    }
    return lines;
  }

  private record EntryKey(String entry, @Nullable String alias, boolean unsure) {}

  /**
   * What identifies an entry. The servicer's reference is the same in a notification and in the
   * statement. The entry's own reference counts within its message alone, so a notification cannot
   * be known again by it, and is refused.
   */
  private static EntryKey key(Node entry, List<Node> details, @Nullable LocalDate day) {
    String detail =
        details.size() == 1 ? details.getFirst().text("Refs/AcctSvcrRef").orElse(null) : null;
    Optional<String> own = entry.text("AcctSvcrRef");
    if (own.isPresent()) {
      return new EntryKey(own.get(), own.get().equals(detail) ? null : detail, false);
    }
    if (detail != null) {
      return new EntryKey(detail, null, false);
    }
    if (day == null) {
      throw BankMessageException.unsupported(
          "an entry of a notification has no account servicer's reference");
    }
    return new EntryKey(
        day
            + "#"
            + entry
                .text("NtryRef")
                .orElseThrow(() ->
                    BankMessageException.unsupported("an entry of a statement has no reference")),
        null,
        true);
  }

  private static Line line(
      EntryKey key,
      String reference,
      boolean credit,
      long amountMinor,
      LocalDate bookedOn,
      @Nullable String batchId,
      Node detail) {
    String side = credit ? "Dbtr" : "Cdtr";
    String remittance =
        detail
            .find("RmtInf")
            .map(
                node -> node.all("Ustrd").stream().map(Node::text).collect(Collectors.joining(" ")))
            .filter(text -> !text.isEmpty())
            .orElse(null);
    return new Line(
        key.entry(),
        key.alias(),
        key.unsure(),
        reference,
        credit,
        amountMinor,
        bookedOn,
        detail.text("Refs/EndToEndId").filter(id -> !id.equals("NOTPROVIDED")).orElse(null),
        batchId,
        detail.find("RtrInf").isEmpty()
            ? null
            : detail.firstText("RtrInf/Rsn/Cd", "RtrInf/Rsn/Prtry").orElse("return"),
        detail
            .firstText("RltdPties/" + side + "/Pty/Nm", "RltdPties/" + side + "/Agt/FinInstnId/Nm")
            .orElse(null),
        detail
            .firstText(
                "RltdPties/" + side + "Acct/Id/IBAN", "RltdPties/" + side + "Acct/Id/Othr/Id")
            .orElse(null),
        remittance);
  }

  private static boolean isCredit(String indicator) {
    return indicator.equals("CRDT");
  }

  private static LocalDate date(Node choice) {
    // of the schema's forms only those of years with four digits; a zone may follow
    Matcher day = DAY.matcher(choice.firstText("Dt", "DtTm").orElse(""));
    try {
      if (day.lookingAt()) {
        return LocalDate.parse(day.group());
      }
    } catch (DateTimeParseException e) {
      // the year 0000
    }
    throw BankMessageException.unsupported("a date is not of the years 0001 to 9999");
  }
}
