package io.solidus.operator.sanctions.screening;

/** How alike two tokens are: 1 when equal, 0 when they are no spellings of one name. */
final class TokenSimilarity {
  /** Below this two tokens count as different. */
  static final double FLOOR = 0.4;

  private static final double SAME_SKELETON = 0.96;
  private static final double SAME_CONSONANTS = 0.85;
  private static final double FEW_CONSONANTS = 0.6;
  private static final int MANY_CONSONANTS = 4;
  private static final double SKELETON_FACTOR = 0.95;

  /** Jaro-Winkler values below this are noise between unrelated names. */
  private static final double NOISE = 0.8;

  private static final int SHORT = 3;
  private static final int MAX_LENGTH_DIFFERENCE = 5;

  private TokenSimilarity() {}

  static double of(Token a, Token b) {
    if (a.text().equals(b.text())) {
      return 1;
    }
    if (Math.abs(a.text().length() - b.text().length()) > MAX_LENGTH_DIFFERENCE
        || isNumber(a)
        || isNumber(b)) {
      return 0;
    }
    if (a.skeleton().equals(b.skeleton())) {
      return a.skeleton().length() > 1 ? SAME_SKELETON : 0;
    }
    if (a.text().length() <= SHORT || b.text().length() <= SHORT) {
      return 0;
    }
    double letters = aboveNoise(jaroWinkler(a.text(), b.text()));
    double sounds = SKELETON_FACTOR * aboveNoise(jaroWinkler(a.skeleton(), b.skeleton()));
    double likeness = Math.max(sameConsonants(a, b), Math.max(letters, sounds));
    return likeness < FLOOR ? 0 : likeness;
  }

  /**
   * Names written down from speech differ in their vowels first; with few consonants that says
   * little.
   */
  private static double sameConsonants(Token a, Token b) {
    if (a.skeleton().charAt(0) != b.skeleton().charAt(0)
        || !a.consonants().equals(b.consonants())) {
      return 0;
    }
    int consonants = a.consonants().length();
    return consonants >= MANY_CONSONANTS
        ? SAME_CONSONANTS
        : consonants == MANY_CONSONANTS - 1 ? FEW_CONSONANTS : 0;
  }

  private static double aboveNoise(double similarity) {
    return Math.max(0, (similarity - NOISE) / (1 - NOISE));
  }

  private static boolean isNumber(Token token) {
    return Character.isDigit(token.text().charAt(0));
  }

  /** Jaro similarity, raised by a common prefix of up to four letters. */
  static double jaroWinkler(String a, String b) {
    double jaro = jaro(a, b);
    int prefix = 0;
    int longest = Math.min(4, Math.min(a.length(), b.length()));
    while (prefix < longest && a.charAt(prefix) == b.charAt(prefix)) {
      prefix++;
    }
    return jaro + prefix * 0.1 * (1 - jaro);
  }

  private static double jaro(String a, String b) {
    int window = Math.max(0, Math.max(a.length(), b.length()) / 2 - 1);
    // tokens are at most 40 letters, so the letters already taken fit in one long each
    long takenA = 0;
    long takenB = 0;
    int matches = 0;
    for (int i = 0; i < a.length(); i++) {
      int last = Math.min(b.length() - 1, i + window);
      for (int j = Math.max(0, i - window); j <= last; j++) {
        if ((takenB & (1L << j)) == 0 && a.charAt(i) == b.charAt(j)) {
          takenA |= 1L << i;
          takenB |= 1L << j;
          matches++;
          break;
        }
      }
    }
    if (matches == 0) {
      return 0;
    }
    int outOfOrder = 0;
    int j = 0;
    for (int i = 0; i < a.length(); i++) {
      if ((takenA & (1L << i)) != 0) {
        while ((takenB & (1L << j)) == 0) {
          j++;
        }
        if (a.charAt(i) != b.charAt(j++)) {
          outOfOrder++;
        }
      }
    }
    double m = matches;
    return (m / a.length() + m / b.length() + (m - outOfOrder / 2.0) / m) / 3;
  }
}
