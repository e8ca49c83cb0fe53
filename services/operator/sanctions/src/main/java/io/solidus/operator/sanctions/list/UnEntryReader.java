package io.solidus.operator.sanctions.list;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds entries of the UN list from the XML elements below INDIVIDUALS and ENTITIES. */
final class UnEntryReader {
  private static final int ENTRY_DEPTH = 3;
  private static final int PART_DEPTH = 4;
  private static final int PART_FIELD_DEPTH = 5;
  private static final Pattern FULL_DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

  private final ParseTally tally;
  private final StringBuilder text = new StringBuilder();
  private int position;
  private @Nullable EntryKind kind;
  private @Nullable String part;
  private boolean keepText;
  private boolean oversize;

  private String reference = "";
  private final String[] nameParts = new String[4];
  private final List<String> aliases = new ArrayList<>();
  private final List<String> weakAliases = new ArrayList<>();
  private final List<YearRange> births = new ArrayList<>();
  private final List<LocalDate> birthDates = new ArrayList<>();
  private final List<String> documents = new ArrayList<>();
  private final List<String> nationalities = new ArrayList<>();
  private String gender = "";
  private @Nullable LocalDate birthDate;
  private boolean weak;
  private String alias = "";
  private boolean approximate;
  private int birthFrom;
  private int birthTo;

  UnEntryReader(ParseTally tally) {
    this.tally = tally;
  }

  /**
   * Handles the start of an element.
   *
   * @param depth 1 for the root
   */
  void start(String element, int depth) {
    text.setLength(0);
    keepText = false;
    if (depth == ENTRY_DEPTH) {
      kind =
          switch (element) {
            case "INDIVIDUAL" -> EntryKind.INDIVIDUAL;
            case "ENTITY" -> EntryKind.ENTITY;
            default -> null;
          };
      begin();
    } else if (kind != null && depth == PART_DEPTH) {
      part = element;
      beginPart();
      keepText = true;
    } else if (kind != null && depth == PART_FIELD_DEPTH) {
      keepText = true;
    }
  }

  void text(char[] chars, int start, int length) {
    if (!keepText) {
      return;
    }
    int room = ListedEntry.MAX_NAME_CHARS - text.length();
    text.append(chars, start, Math.min(room, length));
    // a long comment is cut; a name that long makes the entry malformed
    oversize |= length > room && isName();
  }

  void end(String element, int depth) throws ListRefusedException {
    if (kind == null) {
      return;
    }
    if (depth == PART_FIELD_DEPTH && part != null) {
      field(part, element, text.toString().strip());
    } else if (depth == PART_DEPTH) {
      endPart(element, text.toString().strip());
      part = null;
    } else if (depth == ENTRY_DEPTH) {
      finish();
    }
    text.setLength(0);
    keepText = false;
  }

  private boolean isName() {
    return part != null
        && (part.endsWith("_NAME")
            || part.endsWith("_ALIAS")
            || part.equals("NAME_ORIGINAL_SCRIPT"));
  }

  private void begin() {
    if (kind != null) {
      position++;
    }
    reference = "";
    Arrays.fill(nameParts, "");
    aliases.clear();
    weakAliases.clear();
    births.clear();
    birthDates.clear();
    documents.clear();
    nationalities.clear();
    gender = "";
    part = null;
    oversize = false;
  }

  private void beginPart() {
    alias = "";
    weak = false;
    approximate = false;
    birthDate = null;
    birthFrom = 0;
    birthTo = 0;
  }

  private void field(String owner, String element, String value) {
    switch (owner) {
      case "INDIVIDUAL_ALIAS", "ENTITY_ALIAS" -> {
        switch (element) {
          case "ALIAS_NAME" -> alias = value;
          case "QUALITY" -> weak = value.equalsIgnoreCase("low");
          case "DATE_OF_BIRTH" -> birth(value);
          default -> {}
        }
      }
      case "INDIVIDUAL_DATE_OF_BIRTH" -> {
        switch (element) {
          case "TYPE_OF_DATE" -> approximate = value.equalsIgnoreCase("approximately");
          case "DATE", "YEAR", "FROM_YEAR", "TO_YEAR" -> birth(value);
          default -> {}
        }
      }
      case "INDIVIDUAL_DOCUMENT" -> {
        if (element.equals("NUMBER")) {
          documents.add(value);
        }
      }
      case "NATIONALITY" -> {
        if (element.equals("VALUE")) {
          nationalities.add(value);
        }
      }
      default -> {}
    }
  }

  private void birth(String value) {
    if (FULL_DATE.matcher(value).matches()) {
      try {
        birthDate = LocalDate.parse(value);
      } catch (DateTimeException e) {
        // its year may still be right
      }
    }
    Matcher years = YearRange.YEAR.matcher(value);
    if (years.find()) {
      int year = Integer.parseInt(years.group());
      if (year >= YearRange.FIRST && year <= YearRange.LAST) {
        birthFrom = birthFrom == 0 ? year : Math.min(birthFrom, year);
        birthTo = Math.max(birthTo, year);
      }
    }
  }

  private void endPart(String element, String value) {
    switch (element) {
      case "REFERENCE_NUMBER" -> reference = value;
      case "FIRST_NAME" -> nameParts[0] = value;
      case "SECOND_NAME" -> nameParts[1] = value;
      case "THIRD_NAME" -> nameParts[2] = value;
      case "FOURTH_NAME" -> nameParts[3] = value;
      case "GENDER" -> gender = value.toLowerCase(Locale.ROOT);
      case "NAME_ORIGINAL_SCRIPT" -> addAlias(value, false);
      case "INDIVIDUAL_ALIAS", "ENTITY_ALIAS" -> addAlias(alias, weak);
      default -> {}
    }
    if (birthFrom != 0) {
      YearRange years = new YearRange(birthFrom, birthTo);
      births.add(approximate ? years.approximate() : years);
      if (birthDate != null && !approximate) {
        birthDates.add(birthDate);
      }
    }
  }

  private void addAlias(String name, boolean isWeak) {
    if (!name.isBlank()) {
      (isWeak ? weakAliases : aliases).add(name);
    }
  }

  private EntryDetails details() {
    return new EntryDetails(birthDates, documents, nationalities, gender);
  }

  private void finish() throws ListRefusedException {
    EntryKind finished = kind;
    kind = null;
    String primary = String.join(" ", nameParts).replaceAll("\\s+", " ").strip();
    if (finished == null || oversize) {
      tally.malformed(position);
      return;
    }
    List<String> names = new ArrayList<>();
    names.add(primary);
    names.addAll(aliases);
    ListedEntry entry;
    try {
      entry = new ListedEntry(reference, finished, names, weakAliases, births, details());
    } catch (IllegalArgumentException e) {
      tally.malformed(position);
      return;
    }
    tally.accept(entry);
  }
}
