package io.solidus.operator.names;

import java.util.Map;

/**
 * Folds the choices in which transliterations of one name differ: doubled letters, which vowel was
 * heard, and the Latin spelling of consonants that other alphabets write with one letter.
 */
final class PhoneticKey {
  private static final Map<String, Character> CLUSTERS =
      Map.ofEntries(
          Map.entry("shch", 's'),
          Map.entry("sch", 's'),
          Map.entry("tch", 'k'),
          Map.entry("dzh", 'j'),
          Map.entry("ou", 'u'),
          Map.entry("oo", 'u'),
          Map.entry("ee", 'i'),
          Map.entry("kh", 'h'),
          Map.entry("gh", 'g'),
          Map.entry("ph", 'f'),
          Map.entry("sh", 's'),
          Map.entry("ch", 'k'),
          Map.entry("zh", 'j'),
          Map.entry("dj", 'j'),
          Map.entry("th", 't'),
          Map.entry("dh", 'd'),
          Map.entry("ck", 'k'),
          Map.entry("ts", 's'),
          Map.entry("tz", 's'),
          Map.entry("ks", 'x'),
          Map.entry("iy", 'i'),
          Map.entry("yi", 'i'),
          Map.entry("ya", 'a'),
          Map.entry("ia", 'a'),
          Map.entry("ye", 'i'),
          Map.entry("ie", 'i'),
          Map.entry("q", 'k'),
          Map.entry("c", 'k'),
          Map.entry("w", 'v'),
          Map.entry("z", 's'),
          Map.entry("e", 'i'),
          Map.entry("y", 'i'),
          Map.entry("o", 'u'));
  private static final int LONGEST_CLUSTER = 4;

  private PhoneticKey() {}

  static String of(String token) {
    StringBuilder key = new StringBuilder(token.length());
    int at = 0;
    while (at < token.length()) {
      int length = Math.min(LONGEST_CLUSTER, token.length() - at);
      Character folded = CLUSTERS.get(token.substring(at, at + length));
      while (folded == null && length > 1) {
        length--;
        folded = CLUSTERS.get(token.substring(at, at + length));
      }
      char letter = folded == null ? token.charAt(at) : folded;
      if (length == 1 && token.charAt(at) == 'c' && isSoft(token, at + 1)) {
        letter = 's';
      }
      if (key.isEmpty() || key.charAt(key.length() - 1) != letter) {
        key.append(letter);
      }
      at += length;
    }
    return key.toString();
  }

  private static boolean isSoft(String token, int at) {
    return at < token.length() && "eiy".indexOf(token.charAt(at)) >= 0;
  }

  /**
   * The consonants that every script writes: without vowels, without w, which scripts without
   * vowels write like a long u, and without an h at the end, which many do not hear.
   */
  static String skeleton(String key) {
    StringBuilder consonants = new StringBuilder(key.length());
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (Character.isLetterOrDigit(c) && "aiuv".indexOf(c) < 0) {
        consonants.append(c);
      }
    }
    int last = consonants.length() - 1;
    if (last > 0 && consonants.charAt(last) == 'h') {
      consonants.setLength(last);
    }
    return consonants.toString();
  }

  /** The vowels of a token, each as a, i or u; w is a u and y an i. */
  static String vowels(String token) {
    StringBuilder vowels = new StringBuilder();
    for (int i = 0; i < token.length(); i++) {
      char vowel =
          switch (token.charAt(i)) {
            case 'a' -> 'a';
            case 'e', 'i', 'y' -> 'i';
            case 'o', 'u', 'w', 'v' -> 'u';
            default -> ' ';
          };
      boolean again = i > 0 && token.charAt(i) == token.charAt(i - 1);
      if (vowel != ' ' && !again) {
        vowels.append(vowel);
      }
    }
    return vowels.toString();
  }
}
