package io.solidus.operator.sanctions.screening;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Compares an ISO code of a country with the names that lists write. */
final class Nationalities {
  private static final Pattern WORDS = Pattern.compile("[^a-z]+");

  /** Words of official names that the short name lacks. */
  private static final Set<String> FORMAL =
      Set.of(
          "",
          "the",
          "of",
          "and",
          "republic",
          "democratic",
          "people",
          "peoples",
          "s",
          "islamic",
          "arab",
          "federation",
          "federal",
          "united",
          "state",
          "states",
          "bolivarian",
          "kingdom",
          "plurinational");

  private Nationalities() {}

  /** Whether one of the names is that of the country; false when the code is none. */
  static boolean among(String code, List<String> names) {
    if (code.length() != 2 || names.isEmpty()) {
      return false;
    }
    Set<String> country = words(Locale.of("", code).getDisplayCountry(Locale.ENGLISH));
    return !country.isEmpty() && names.stream().anyMatch(name -> words(name).equals(country));
  }

  private static Set<String> words(String name) {
    Set<String> words = new TreeSet<>(List.of(WORDS.split(name.toLowerCase(Locale.ROOT), 0)));
    words.removeAll(FORMAL);
    return words;
  }
}
