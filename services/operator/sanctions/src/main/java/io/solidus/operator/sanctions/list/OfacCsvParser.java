package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses OFAC's SDN.CSV and ALT.CSV: no header, a fixed number of fields, "-0-" for empty. */
final class OfacCsvParser implements ListParser {
  /**
   * SDN.CSV: entity number, name, type, programme, title, call sign, vessel type, tonnage, gross
   * tonnage, flag, owner, remarks.
   */
  static final Format SDN = new Format(12, OfacCsvParser::sdnEntry);

  /** ALT.CSV: entity number, alternate number, type, alternate name, remarks. */
  static final Format ALT = new Format(5, OfacCsvParser::altEntry);

  private static final String EMPTY = "-0-";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final Pattern ALT_TYPE = Pattern.compile("(?i)[afn]\\.?k\\.?a\\.?");

  /** After so many rows without a valid one the file is refused. */
  private static final int PROBE_ROWS = 50;

  private final Format format;

  OfacCsvParser(Format format) {
    this.format = format;
  }

  /** The number of fields of a row, and how a row becomes an entry. */
  record Format(int fields, RowReader reader) {}

  @FunctionalInterface
  interface RowReader {
    /**
     * Reads the entry of a row.
     *
     * @throws IllegalArgumentException when the row is malformed
     */
    ListedEntry read(List<String> fields);
  }

  @Override
  public ParseReport parse(InputStream file, EntrySink sink)
      throws IOException, ListRefusedException {
    ParseTally tally = new ParseTally(sink);
    CsvRows rows = new CsvRows(file);
    for (CsvRows.Row row = rows.next(); row != null; row = rows.next()) {
      ListedEntry entry = entry(row.fields());
      if (entry != null) {
        tally.accept(entry);
      } else {
        tally.malformed(row.number());
      }
      if (tally.accepted() == 0 && row.number() >= PROBE_ROWS) {
        throw new ListRefusedException(
            Reason.NOT_THIS_FORMAT, "the file has no row of this list's format");
      }
    }
    return tally.finish("", rows.endMarked());
  }

  private @Nullable ListedEntry entry(@Nullable List<String> fields) {
    if (fields == null || fields.size() != format.fields()) {
      return null;
    }
    try {
      return format.reader().read(fields);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static ListedEntry sdnEntry(List<String> fields) {
    EntryKind kind =
        switch (fields.get(2).toLowerCase(Locale.ROOT)) {
          case "individual" -> EntryKind.INDIVIDUAL;
          case EMPTY, "" -> EntryKind.ENTITY;
          case "vessel", "aircraft" -> EntryKind.OTHER;
          default -> throw new IllegalArgumentException("unknown type");
        };
    OfacRemarks remarks = new OfacRemarks(fields.get(11));
    boolean person = kind == EntryKind.INDIVIDUAL;
    return new ListedEntry(
        number(fields.get(0)),
        kind,
        List.of(name(fields.get(1))),
        remarks.weakNames(),
        person ? remarks.birthYears() : List.of(),
        person ? remarks.details() : EntryDetails.NONE);
  }

  private static ListedEntry altEntry(List<String> fields) {
    number(fields.get(1));
    if (!ALT_TYPE.matcher(fields.get(2)).matches()) {
      throw new IllegalArgumentException("unknown kind of alternate name");
    }
    return new ListedEntry(
        number(fields.get(0)), EntryKind.ALIAS, List.of(name(fields.get(3))), List.of(), List.of());
  }

  private static String number(String field) {
    if (!NUMBER.matcher(field).matches()) {
      throw new IllegalArgumentException("not an entity number");
    }
    return field;
  }

  private static String name(String field) {
    if (EMPTY.equals(field)) {
      throw new IllegalArgumentException("no name");
    }
    return field;
  }
}
