package io.solidus.operator.sanctions.list;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The last field of a row of SDN.CSV: everything that OFAC says of a person, as statements between
 * semicolons. "DOB 02 Jan 1960; alt. DOB circa 1961; Passport A123 (Cuba); a.k.a. 'THE CLERK'."
 */
final class OfacRemarks {
  private static final Pattern BIRTH = Pattern.compile("\\bDOB\\s([^;.]{1,80})");
  private static final Pattern FULL_DATE = Pattern.compile("[0-9]{2} [A-Z][a-z]{2} [0-9]{4}");
  private static final DateTimeFormatter DAY_MONTH_YEAR =
      DateTimeFormatter.ofPattern("dd MMM uuuu", Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);
  private static final Pattern WEAK_NAME =
      Pattern.compile("a\\.k\\.a\\. '(.{1,200}?)'(?=[.;(]| \\(|\\s*$)");
  private static final Pattern STATEMENTS = Pattern.compile(";");
  private static final Pattern COUNTRY =
      Pattern.compile("(?:alt\\. )?(?:nationality|citizen) ([^;]{1,100})");
  private static final Pattern GENDER = Pattern.compile("\\bGender (Male|Female)\\b");

  /** Kinds of numbers that one person has. Numbers of companies are left out. */
  private static final Pattern DOCUMENT =
      Pattern.compile(
          "(?:alt\\. )?(?:\\w+ )?(?:Passport(?: Booklet:)?|Cedula No\\.|Cedula de Ciudadania|National ID No\\.|D\\.N\\.I\\.|C\\.U\\.R\\.P\\."
              + "|R\\.F\\.C\\.|I\\.F\\.E\\.|SSN|Identification Number|Identificiation Number|Personal ID Card|Driver's License No\\."
              + "|Electoral Registry No\\.|Fiscal Code|Tax ID No\\.|National Foreign ID Number|Travel Document Number|Residency Number"
              + "|Citizen's Card Number|Credencial electoral|Numero de Identidad|Birth Certificate Number|Cartilla de Servicio Militar Nacional)"
              + " ([^();]{3,60}?)(?: \\(.*| issued .*| expires .*|\\.)?$");

  private static final int MAX_EACH = 64;

  /** Four times the length of OFAC's column, so that a hostile file costs little. */
  private static final int MAX_CHARS = 4_000;

  private final String text;

  OfacRemarks(String text) {
    this.text = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
  }

  /** Aliases that OFAC calls weak: they stand here and not in ALT.CSV. */
  List<String> weakNames() {
    return WEAK_NAME
        .matcher(text)
        .results()
        .limit(MAX_EACH)
        .map(found -> found.group(1).strip())
        .filter(name -> !name.isEmpty())
        .distinct()
        .toList();
  }

  /** Years of birth: "DOB 02 Jan 1960", "DOB circa 1960", "DOB 1958 to 1962". */
  List<YearRange> birthYears() {
    List<YearRange> ranges = new ArrayList<>();
    Matcher births = BIRTH.matcher(text);
    while (births.find() && ranges.size() < MAX_EACH / 2) {
      String birth = births.group(1);
      int from = 0;
      int to = 0;
      Matcher years = YearRange.YEAR.matcher(birth);
      while (years.find()) {
        int year = Integer.parseInt(years.group());
        from = from == 0 ? year : Math.min(from, year);
        to = Math.max(to, year);
      }
      if (from >= YearRange.FIRST && to <= YearRange.LAST) {
        YearRange range = new YearRange(from, to);
        ranges.add(birth.contains("circa") ? range.approximate() : range);
      }
    }
    return ranges;
  }

  EntryDetails details() {
    return new EntryDetails(
        birthDates(),
        statements(DOCUMENT),
        statements(COUNTRY),
        GENDER
            .matcher(text)
            .results()
            .map(found -> found.group(1).toLowerCase(Locale.ROOT))
            .findFirst()
            .orElse(""));
  }

  private List<LocalDate> birthDates() {
    return BIRTH
        .matcher(text)
        .results()
        .limit(MAX_EACH) // each result keeps a copy of the text
        .map(found -> found.group(1).strip())
        .filter(birth -> FULL_DATE.matcher(birth).matches())
        .flatMap(birth -> date(birth).stream())
        .toList();
  }

  private static Optional<LocalDate> date(String text) {
    try {
      return Optional.of(LocalDate.parse(text, DAY_MONTH_YEAR));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The first group of the pattern in each statement that has it. */
  private List<String> statements(Pattern pattern) {
    return Arrays.stream(STATEMENTS.split(text, 0))
        .map(statement -> withoutFullStop(statement.strip()))
        .flatMap(statement -> first(pattern.matcher(statement)))
        .toList();
  }

  private static String withoutFullStop(String statement) {
    return statement.endsWith(".") ? statement.substring(0, statement.length() - 1) : statement;
  }

  private static Stream<String> first(Matcher matcher) {
    return matcher.matches() ? Stream.of(matcher.group(1)) : Stream.empty();
  }
}
