package io.solidus.operator.sanctions.screening;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Numbers of documents in comparable form: letters and digits only, upper case. */
final class DocumentNumbers {
  private static final Pattern REST = Pattern.compile("[^A-Z0-9]+");
  private static final Pattern PIECES = Pattern.compile("[\\s,;:/()]+");

  /** A shorter number, or one with fewer digits, is had by many documents. */
  private static final int SHORTEST = 6;

  private static final int LEAST_DIGITS = 4;

  private DocumentNumbers() {}

  /** The key of a number; it may be too short to be found. */
  static String key(String number) {
    return REST.matcher(number.toUpperCase(Locale.ROOT)).replaceAll("");
  }

  /** The keys of a list's text: of the whole, and of each of its pieces that is a number. */
  static Set<String> keys(String text) {
    Set<String> keys = new LinkedHashSet<>();
    keys.add(key(text));
    for (String piece : PIECES.split(text, 0)) {
      keys.add(key(piece));
    }
    keys.removeIf(key ->
        key.length() < SHORTEST || key.chars().filter(Character::isDigit).count() < LEAST_DIGITS);
    return keys;
  }
}
