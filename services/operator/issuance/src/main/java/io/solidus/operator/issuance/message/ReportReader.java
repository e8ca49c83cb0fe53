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
  /** The most lines of a message. */
  static final int MAX_LINES = 20_000;

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
    List<Node> reports = parsed.message().all(statement ? "Stmt" : "Ntfctn");
    if (reports.size() != 1) {
      throw BankMessageException.unsupported("a message has one statement or notification");
    }
    Node report = reports.getFirst();
    requireWhole(report.find(statement ? "StmtPgntn" : "NtfctnPgntn"));
    String of = report.firstText("Acct/Id/IBAN", "Acct/Id/Othr/Id").orElse("");
    if (!of.equals(account)) {
      throw BankMessageException.unsupported("the message is of another account");
    }
    List<Line> lines = new ArrayList<>();
    int pending = 0;
    for (Node entry : report.all("Ntry")) {
      if (entry.text("Sts/Cd").equals(Optional.of("BOOK"))) {
        lines.addAll(lines(entry));
      } else {
        pending++;
      }
      if (lines.size() > MAX_LINES) {
        throw BankMessageException.unsupported("a message has at most " + MAX_LINES + " lines");
      }
    }
    requireDistinct(lines);
    Balance opening = statement ? balance(report, "OPBD", "PRCD") : null;
    Balance closing = statement ? balance(report, "CLBD") : null;
    if (opening != null && closing != null) {
      requireSums(opening, closing, lines);
    }
    return new BankReport(
        parsed.type(),
        header.text("MsgId").orElseThrow(),
        report.text("Id").orElseThrow(),
        closing == null ? null : closing.day(),
        opening == null ? null : Long.valueOf(opening.minor()),
        closing == null ? null : Long.valueOf(closing.minor()),
        lines,
        pending);
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

  /** The bank reuses no reference; two lines with one would be one movement, counted twice. */
  private static void requireDistinct(List<Line> lines) {
    Set<String> seen = new HashSet<>();
    for (Line line : lines) {
      if (!seen.add(line.reference())) {
        throw BankMessageException.inconsistent("two lines have the same reference");
      }
    }
  }

  private static void requireWhole(Optional<Node> pagination) {
    if (pagination.isPresent()
        && !(pagination.get().text("PgNb").equals(Optional.of("1"))
            && pagination.get().text("LastPgInd").equals(Optional.of("true")))) {
      throw BankMessageException.unsupported("a statement in several pages is not taken");
    }
  }

  private List<Line> lines(Node entry) {
    boolean credit = isCredit(entry.text("CdtDbtInd").orElseThrow());
    long amount = positive(money.minor(entry.find("Amt").orElseThrow()));
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
    if (details.size() <= 1) {
      Node detail = details.isEmpty() ? entry : details.getFirst();
      return List.of(line(reference(entry, detail), credit, amount, bookedOn, batchId, detail));
    }
    List<Line> lines = new ArrayList<>();
    long sum = 0;
    for (Node detail : details) {
      long part =
          positive(
              money.minor(
                  detail
                      .find("Amt")
                      .or(() -> detail.find("AmtDtls/TxAmt/Amt"))
                      .orElseThrow(() ->
                          BankMessageException.unsupported(
                              "one of several transactions of an entry has no amount"))));
      if (detail.text("CdtDbtInd").map(ReportReader::isCredit).orElse(credit) != credit) {
        throw BankMessageException.unsupported("an entry has transactions in both directions");
      }
      String reference =
          detail
              .text("Refs/AcctSvcrRef")
              .orElseGet(() -> numbered(reference(entry, entry), lines.size() + 1));
      lines.add(line(reference, credit, part, bookedOn, batchId, detail));
      sum += part; // no more than 2^53 before, and 2^53 more
      if (sum > amount) {
        break;
      }
    }
    if (sum != amount) {
      throw BankMessageException.inconsistent(
          "the transactions of an entry do not give its amount");
    }
    return lines;
  }

  private static String numbered(String reference, int number) {
    return reference + "/" + number;
  }

  private static String reference(Node entry, Node detail) {
    return entry
        .text("AcctSvcrRef")
        .or(() -> detail.text("Refs/AcctSvcrRef"))
        .or(() -> entry.text("NtryRef"))
        .orElseThrow(
            () -> BankMessageException.unsupported("an entry has no account servicer's reference"));
  }

  private static Line line(
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

  private static long positive(long minor) {
    if (minor == 0) {
      throw BankMessageException.unsupported("an entry moves no money");
    }
    return minor;
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
