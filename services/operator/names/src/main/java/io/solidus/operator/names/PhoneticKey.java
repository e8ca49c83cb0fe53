package io.solidus.operator.names;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * Folds the choices in which transliterations of one name differ: doubled letters, which vowel was
 * heard, and the Latin spelling of consonants that other alphabets write with one letter.
 */
final class PhoneticKey {
  private static final Map<String, String> CLUSTERS =
      Map.ofEntries(
          Map.entry("shch", "s"),
          Map.entry("sch", "s"),
          Map.entry("tch", "k"),
          Map.entry("dzh", "j"),
          Map.entry("ou", "u"),
          Map.entry("oo", "u"),
          Map.entry("ee", "i"),
          Map.entry("kh", "h"),
          Map.entry("gh", "g"),
          Map.entry("ph", "f"),
          Map.entry("sh", "s"),
          Map.entry("ch", "k"),
          Map.entry("zh", "j"),
          Map.entry("dj", "j"),
          Map.entry("th", "t"),
          Map.entry("dh", "d"),
          Map.entry("ck", "k"),
          Map.entry("ts", "s"),
          Map.entry("tz", "s"),
          Map.entry("ks", "x"),
          Map.entry("iy", "i"),
          Map.entry("yi", "i"),
          Map.entry("ya", "a"),
          Map.entry("ia", "a"),
          Map.entry("ye", "i"),
          Map.entry("ie", "i"),
          Map.entry("q", "k"),
          Map.entry("c", "k"),
          Map.entry("w", "v"),
          Map.entry("z", "s"),
          Map.entry("e", "i"),
          Map.entry("y", "i"),
          Map.entry("o", "u"));
  private static final int LONGEST_CLUSTER = 4;
  private static final Pattern VOWELS = Pattern.compile("[aiu]");

  private PhoneticKey() {}

  static String of(String token) {
    StringBuilder key = new StringBuilder(token.length());
    int at = 0;
    while (at < token.length()) {
      int length = Math.min(LONGEST_CLUSTER, token.length() - at);
      while (length > 1 && !CLUSTERS.containsKey(token.substring(at, at + length))) {
        length--;
      }
      String letters = token.substring(at, at + length);
      char folded = CLUSTERS.getOrDefault(letters, letters).charAt(0);
      if (key.isEmpty() || key.charAt(key.length() - 1) != folded) {
        key.append(folded);
      }
      at += length;
    }
    return key.toString();
  }

  /** The key without vowels: all that scripts without vowels keep of a name. */
  static String consonants(String key) {
    return VOWELS.matcher(key).replaceAll("");
  }
}
