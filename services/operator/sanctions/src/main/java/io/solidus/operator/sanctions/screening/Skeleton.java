package io.solidus.operator.sanctions.screening;

/**
 * What is left of a Latin token when the choices that transliterations differ in are taken away:
 * doubled letters, which vowel was heard, and the spelling of consonants that other alphabets write
 * with one letter.
 */
final class Skeleton {
  private static final String[][] CLUSTERS = {
    {"shch", "s"},
    {"sch", "s"},
    {"tch", "c"},
    {"dzh", "j"},
    {"ou", "u"},
    {"oo", "u"},
    {"ee", "i"},
    {"kh", "h"},
    {"gh", "g"},
    {"ph", "f"},
    {"sh", "s"},
    {"ch", "c"},
    {"zh", "j"},
    {"dj", "j"},
    {"th", "t"},
    {"dh", "d"},
    {"ck", "k"},
    {"ts", "s"},
    {"tz", "s"},
    {"ks", "x"},
    {"iy", "i"},
    {"yi", "i"},
    {"ya", "a"},
    {"ia", "a"},
    {"ye", "i"},
    {"ie", "i"},
  };

  private Skeleton() {}

  static String of(String token) {
    StringBuilder out = new StringBuilder(token.length());
    int at = 0;
    while (at < token.length()) {
      String cluster = null;
      for (String[] pair : CLUSTERS) {
        if (token.startsWith(pair[0], at)) {
          cluster = pair[1];
          at += pair[0].length();
          break;
        }
      }
      if (cluster == null) {
        cluster = String.valueOf(folded(token.charAt(at++)));
      }
      appendOnce(out, cluster);
    }
    return out.toString();
  }

  /** A skeleton without its vowels: what alphabets that write none keep of a name. */
  static String consonants(String skeleton) {
    StringBuilder out = new StringBuilder(skeleton.length());
    for (int i = 0; i < skeleton.length(); i++) {
      char c = skeleton.charAt(i);
      if (c != 'a' && c != 'i' && c != 'u') {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static void appendOnce(StringBuilder out, String piece) {
    for (int i = 0; i < piece.length(); i++) {
      char c = folded(piece.charAt(i));
      if (out.isEmpty() || out.charAt(out.length() - 1) != c) {
        out.append(c);
      }
    }
  }

  private static char folded(char c) {
    return switch (c) {
      case 'q', 'c' -> 'k';
      case 'w' -> 'v';
      case 'z' -> 's';
      case 'e', 'y' -> 'i';
      case 'o' -> 'u';
      default -> c;
    };
  }
}
