package io.solidus.operator.sanctions.list;

import java.util.List;

/**
 * One entry of a published list, reduced to the data that screening needs.
 *
 * @param reference the publisher's reference of the entry
 * @param names the primary name first, then its aliases; at least one
 * @param weakNames aliases that the publisher marks as low quality
 * @param birthYears empty when the list has none
 * @param details further evidence
 */
public record ListedEntry(
    String reference,
    EntryKind kind,
    List<String> names,
    List<String> weakNames,
    List<YearRange> birthYears,
    EntryDetails details) {
  public static final int MAX_NAMES = 512;
  public static final int MAX_NAME_CHARS = 1024;
  private static final int MAX_REFERENCE_CHARS = 64;
  private static final int MAX_BIRTH_YEARS = 64;

  public ListedEntry {
    names = List.copyOf(names);
    weakNames = List.copyOf(weakNames);
    birthYears = List.copyOf(birthYears);
    if (reference.isEmpty() || reference.length() > MAX_REFERENCE_CHARS) {
      throw new IllegalArgumentException(
          "an entry must have a reference of at most " + MAX_REFERENCE_CHARS + " characters");
    }
    if (names.isEmpty()
        || names.size() + weakNames.size() > MAX_NAMES
        || birthYears.size() > MAX_BIRTH_YEARS) {
      throw new IllegalArgumentException("an entry must have one to " + MAX_NAMES + " names");
    }
    if (names.stream().anyMatch(ListedEntry::unusable)
        || weakNames.stream().anyMatch(ListedEntry::unusable)) {
      throw new IllegalArgumentException(
          "a name must have one to " + MAX_NAME_CHARS + " characters and no NUL");
    }
  }

  /** An entry of which the list says nothing else. */
  public ListedEntry(
      String reference,
      EntryKind kind,
      List<String> names,
      List<String> weakNames,
      List<YearRange> birthYears) {
    this(reference, kind, names, weakNames, birthYears, EntryDetails.NONE);
  }

  private static boolean unusable(String name) {
    return name.isBlank() || name.length() > MAX_NAME_CHARS || name.indexOf('\0') >= 0;
  }
}
