package io.solidus.operator.names;

import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** How alike two tokens are: 1 when equal, 0 when they are not spellings of one name. */
final class TokenSimilarity {
  /** Below this two tokens count as different. */
  static final double FLOOR = 0.4;

  private static final double SAME_KEY = 0.96;
  private static final double SAME_CONSONANTS = 0.85;
  private static final double FEW_CONSONANTS = 0.6;
  private static final int MANY_CONSONANTS = 4;
  private static final double KEY_FACTOR = 0.95;

  /** Jaro-Winkler values below this are noise between unrelated names. */
  private static final double NOISE = 0.8;

  private static final int SHORT = 3;
  private static final int MAX_LENGTH_DIFFERENCE = 5;
  private static final JaroWinklerSimilarity JARO_WINKLER = new JaroWinklerSimilarity();

  private TokenSimilarity() {}

  static double of(NameToken a, NameToken b) {
    if (a.text().equals(b.text())) {
      return 1;
    }
    if (isNumber(a) || isNumber(b)) {
      return 0;
    }
    if (a.vowelsWritten() != b.vowelsWritten()) {
      return a.vowelsWritten() ? withoutVowels(b, a) : withoutVowels(a, b);
    }
    if (Math.abs(a.text().length() - b.text().length()) > MAX_LENGTH_DIFFERENCE) {
      return 0;
    }
    if (a.phonetic().equals(b.phonetic())) {
      return a.phonetic().length() > 1 ? SAME_KEY : 0;
    }
    if (a.text().length() <= SHORT || b.text().length() <= SHORT) {
      return 0;
    }
    double letters = aboveNoise(jaroWinkler(a.text(), b.text()));
    double sounds = KEY_FACTOR * aboveNoise(jaroWinkler(a.phonetic(), b.phonetic()));
    double likeness = Math.max(sameConsonants(a, b), Math.max(letters, sounds));
    return likeness < FLOOR ? 0 : likeness;
  }

  /**
   * Compares a token of a script without short vowels with one that has them. The consonants must
   * be equal. The long vowels that are written should occur in the other token in their order: with
   * few consonants that is required.
   */
  private static double withoutVowels(NameToken bare, NameToken full) {
    String consonants = withoutW(bare.consonants());
    if (consonants.isEmpty() || !consonants.equals(withoutW(full.consonants()))) {
      return 0;
    }
    boolean longVowelsAgree = isSubsequence(withWAsU(bare.phonetic()), withWAsU(full.phonetic()));
    return switch (consonants.length()) {
      case 1 -> longVowelsAgree ? FEW_CONSONANTS : 0;
      case 2 -> longVowelsAgree ? SAME_CONSONANTS : 0;
      default -> longVowelsAgree ? SAME_KEY : SAME_CONSONANTS;
    };
  }

  /** In these scripts one letter writes both w and a long u. The phonetic key has it as v. */
  private static String withoutW(String consonants) {
    return consonants.replace("v", "");
  }

  private static String withWAsU(String phonetic) {
    return phonetic.replace('v', 'u');
  }

  private static boolean isSubsequence(String part, String whole) {
    int found = 0;
    for (int i = 0; i < whole.length() && found < part.length(); i++) {
      if (whole.charAt(i) == part.charAt(found)) {
        found++;
      }
    }
    return found == part.length();
  }

  /** Spellings by ear differ in their vowels first; few equal consonants are weak evidence. */
  private static double sameConsonants(NameToken a, NameToken b) {
    if (a.phonetic().charAt(0) != b.phonetic().charAt(0)
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

  private static boolean isNumber(NameToken token) {
    return Character.isDigit(token.text().charAt(0));
  }

  /** Jaro similarity, raised by a common prefix of up to four letters. */
  static double jaroWinkler(String a, String b) {
    return JARO_WINKLER.apply(a, b);
  }
}
