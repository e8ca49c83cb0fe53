package io.solidus.operator.names;

import io.solidus.operator.names.NameToken.Writing;
import java.util.List;

/** How alike two tokens are: 1 when equal, 0 when they are not spellings of one name. */
final class TokenLikeness {
  private static final double SAME_SOUND = 0.96;
  private static final double SAME_SYLLABLE = 0.97;
  private static final double INITIAL = 0.65;

  /** Of one error, by the letters of the longer token: little is known of a short name. */
  private static final double[] ONE_ERROR = {0, 0, 0, 0.5, 0.72, 0.82, 0.88, 0.9, 0.92};

  private static final double[] TWO_ERRORS = {0, 0, 0, 0, 0, 0.3, 0.55, 0.66, 0.74, 0.78, 0.8};
  private static final double[] THREE_ERRORS = {0, 0, 0, 0, 0, 0, 0, 0, 0.45, 0.55, 0.6, 0.65, 0.7};

  private static final double SOUND_FACTOR = 0.96;
  private static final double[] SAME_CONSONANTS = {0, 0, 0.3, 0.62, 0.85};
  private static final double[] BARE_AGREES = {0, 0.8, 0.9, 0.96};
  private static final double[] BARE_DIFFERS = {0, 0.2, 0.66, 0.88};
  private static final double BARE_ONE_ERROR = 0.6;
  private static final int BARE_ERROR_FROM = 4;

  private TokenLikeness() {}

  /** What one token has of the other. Letters of the API. */
  enum Kind {
    EQUAL,
    SPELLING,
    SOUND,
    CONSONANTS,
    INITIAL,
    JOINED
  }

  static double of(NameToken a, NameToken b) {
    if (a.text().equals(b.text())) {
      return 1;
    }
    if (a.isNumber() || b.isNumber()) {
      return 0;
    }
    if (a.isInitial() || b.isInitial()) {
      return initial(a, b);
    }
    if (a.writing() == Writing.SYLLABLE || b.writing() == Writing.SYLLABLE) {
      if (a.spellings().contains(b.text()) || b.spellings().contains(a.text())) {
        return SAME_SYLLABLE;
      }
      if (a.writing() == b.writing()) {
        return 0;
      }
    }
    if ((a.writing() == Writing.BARE) != (b.writing() == Writing.BARE)) {
      return a.writing() == Writing.BARE ? withoutVowels(a, b) : withoutVowels(b, a);
    }
    if (a.phonetic().equals(b.phonetic())) {
      return a.phonetic().length() > 1 ? SAME_SOUND : 0;
    }
    int length = Math.max(a.text().length(), b.text().length());
    double likeness = byErrors(EditDistance.of(a.text(), b.text(), 3), length);
    int sounds = Math.max(a.phonetic().length(), b.phonetic().length());
    if (sounds > 3 || length > 4) {
      likeness =
          Math.max(
              likeness,
              SOUND_FACTOR * byErrors(EditDistance.of(a.phonetic(), b.phonetic(), 3), sounds));
    }
    return Math.max(likeness, sameConsonants(a, b));
  }

  static Kind kind(NameToken a, NameToken b) {
    if (a.text().equals(b.text())) {
      return Kind.EQUAL;
    }
    if (a.isInitial() || b.isInitial()) {
      return Kind.INITIAL;
    }
    if (a.spellings().contains(b.text()) || b.spellings().contains(a.text())) {
      return Kind.SOUND;
    }
    if ((a.writing() == Writing.BARE) != (b.writing() == Writing.BARE)) {
      return Kind.CONSONANTS;
    }
    return a.phonetic().equals(b.phonetic()) ? Kind.SOUND : Kind.SPELLING;
  }

  private static double initial(NameToken a, NameToken b) {
    return a.text().charAt(0) == b.text().charAt(0) && !a.isParticle() && !b.isParticle()
        ? INITIAL
        : 0;
  }

  private static double byErrors(int errors, int length) {
    return switch (errors) {
      case 0 -> 1;
      case 1 -> at(ONE_ERROR, length);
      case 2 -> at(TWO_ERRORS, length);
      case 3 -> at(THREE_ERRORS, length);
      default -> 0;
    };
  }

  private static double at(double[] table, int index) {
    return table[Math.min(index, table.length - 1)];
  }

  /**
   * Compares a token of a script without short vowels with one that has them. The consonants must
   * be equal, or nearly so where they are many. The long vowels that are written should occur in
   * the other token in their order: with few consonants that is required.
   */
  private static double withoutVowels(NameToken bare, NameToken full) {
    String consonants = full.skeleton();
    if (consonants.isEmpty()) {
      return 0;
    }
    List<String> readings = bare.readings().get(consonants);
    if (readings != null) {
      String spoken = PhoneticKey.vowels(full.text());
      boolean agrees = readings.stream().anyMatch(vowels -> isSubsequence(vowels, spoken));
      return at(agrees ? BARE_AGREES : BARE_DIFFERS, consonants.length());
    }
    if (consonants.length() >= BARE_ERROR_FROM) {
      for (String skeleton : bare.readings().keySet()) {
        if (skeleton.length() >= BARE_ERROR_FROM - 1
            && EditDistance.of(skeleton, consonants, 1) == 1) {
          return BARE_ONE_ERROR;
        }
      }
    }
    return 0;
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
    if (a.phonetic().charAt(0) != b.phonetic().charAt(0)) {
      return 0;
    }
    String consonants = a.skeleton();
    return consonants.equals(b.skeleton()) ? at(SAME_CONSONANTS, consonants.length()) : 0;
  }
}
