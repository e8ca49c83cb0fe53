package io.solidus.operator.sanctions.list;

import java.time.LocalDate;
import java.util.List;

/**
 * What a list says of a person besides the names and the years of birth: evidence for or against a
 * match. All parts are as the publisher wrote them, and often absent.
 *
 * @param birthDates full dates of birth; a date that the publisher calls approximate is not among
 *     them
 * @param documents numbers of passports, identity cards and the like
 * @param nationalities names of countries
 * @param gender "male", "female" or empty
 */
public record EntryDetails(
    List<LocalDate> birthDates, List<String> documents, List<String> nationalities, String gender) {
  public static final EntryDetails NONE = new EntryDetails(List.of(), List.of(), List.of(), "");

  private static final int MAX_EACH = 64;
  private static final int MAX_CHARS = 128;

  /** Leaves out what is blank or too long to be of use, and all after the first 64. */
  public EntryDetails {
    birthDates = birthDates.stream().distinct().limit(MAX_EACH).toList();
    documents = usable(documents);
    nationalities = usable(nationalities);
    gender = gender.equals("male") || gender.equals("female") ? gender : "";
  }

  private static List<String> usable(List<String> texts) {
    return texts.stream()
        .map(String::strip)
        .filter(text -> !text.isEmpty() && text.length() <= MAX_CHARS && text.indexOf('\0') < 0)
        .distinct()
        .limit(MAX_EACH)
        .toList();
  }
}
