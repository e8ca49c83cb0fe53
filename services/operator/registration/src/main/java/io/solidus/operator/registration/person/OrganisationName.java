package io.solidus.operator.registration.person;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What tells the names of two organisations apart. */
final class OrganisationName {
  /** Legal forms, which thousands of names share. */
  private static final Set<String> FORMS =
      Set.of(
          ("ab ag aktiengesellschaft gesellschaft aps as asbl bv co company corp corporation doo eg ek ev eurl gmbh"
                  + " inc incorporated kft kg limited llc llp lp ltd ltda mbh nv ohg oy oyj"
                  + " plc pte pty pvt sa sarl sas sasu se sl sp spa srl sro ug")
              .split(" ", -1));

  private static final Pattern SEPARATORS = Pattern.compile("[\\s\\p{Z}\\p{Pd}]+");
  private static final int MAX_WORDS = 12;
  private static final int MAX_WORD_CHARS = 24;
  private static final int MIN_MISSPELLED = 4;

  private OrganisationName() {}

  /** The name without its legal form; the whole name when nothing else is left. */
  static String distinctive(String name) {
    StringBuilder rest = new StringBuilder();
    for (String part : SEPARATORS.split(name, -1)) {
      Set<String> words = IdentityText.words(part);
      if (!words.isEmpty() && !FORMS.containsAll(words)) {
        rest.append(rest.isEmpty() ? "" : " ").append(part);
      }
    }
    return rest.isEmpty() ? name : rest.toString();
  }

  /**
   * The words of a name and the whole without spaces, and each of them without one character: two
   * that differ by one character share one of these.
   */
  static Set<String> keys(String name) {
    Set<String> words = IdentityText.words(distinctive(name));
    return keys(Stream.concat(words.stream().limit(MAX_WORDS), Stream.of(String.join("", words))));
  }

  /** Those of {@link #keys} that are of the whole: a word alone is in thousands of names. */
  static Set<String> wholeKeys(String name) {
    return keys(Stream.of(String.join("", IdentityText.words(distinctive(name)))));
  }

  private static Set<String> keys(Stream<String> words) {
    Set<String> keys = new LinkedHashSet<>();
    words
        .filter(word -> !word.isEmpty())
        .map(word -> word.substring(0, Math.min(word.length(), MAX_WORD_CHARS)))
        .forEach(word -> {
          keys.add(word);
          for (int at = 0; at < word.length() && word.length() >= MIN_MISSPELLED; at++) {
            keys.add(word.substring(0, at) + word.substring(at + 1));
          }
        });
    return keys;
  }
}
