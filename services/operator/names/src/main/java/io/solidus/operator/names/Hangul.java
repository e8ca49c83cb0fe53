package io.solidus.operator.names;

import java.util.ArrayList;
import java.util.List;

/**
 * The ways in which one Hangul syllable is written in Latin letters: Revised Romanisation,
 * McCune-Reischauer without its marks, that of Pyongyang, and what passports of Seoul have.
 */
final class Hangul {
  static final char FIRST = '\uAC00';
  static final char LAST = '\uD7A3';
  private static final int VOWELS = 21;
  private static final int FINALS = 28;

  private static final String[] INITIAL = {
    "g k", "kk g k", "n r l", "d t", "tt t d", "r l -", "m", "b p", "pp p b", "s sh", "ss s", "-",
    "j ch", "jj ch j", "ch j", "k", "t", "p", "h"
  };

  private static final String[] VOWEL = {
    "a ah",
    "ae ai e",
    "ya",
    "yae",
    "eo o u uh",
    "e",
    "yeo yo you yu yeu",
    "ye yae",
    "o oh",
    "wa",
    "wae",
    "oe oi we",
    "yo",
    "u oo woo",
    "wo weo",
    "we",
    "wi ui",
    "yu yoo",
    "eu u",
    "ui eui i",
    "i ee"
  };

  private static final String[] FINAL = {
    "- h", "k g", "k", "k", "n", "n", "n", "t d", "l r", "k", "m", "p", "l", "l", "p", "l", "m",
    "p b", "p", "t s", "t", "ng", "t", "t", "k", "t", "p", "t -"
  };

  /** Before an i or a y, a syllable without an initial consonant may have lost an r. */
  private static final String AFTER_LOST_R = "- r l";

  private static final String I_WITHOUT_INITIAL = "i yi ee rhee";

  private Hangul() {}

  static boolean is(int character) {
    return character >= FIRST && character <= LAST;
  }

  static List<String> spellings(int syllable) {
    int index = syllable - FIRST;
    int initial = index / (VOWELS * FINALS);
    int vowel = index / FINALS % VOWELS;
    int end = index % FINALS;
    boolean soft = VOWEL[vowel].startsWith("y") || VOWEL[vowel].startsWith("i");
    String starts = initial == 11 && soft ? AFTER_LOST_R : INITIAL[initial];
    String middles = VOWEL[vowel] + (initial == 11 && vowel == 20 ? " " + I_WITHOUT_INITIAL : "");
    if (vowel == 0 && (end == 1)) {
      // Park
      middles += " ar";
    }
    List<String> spellings = new ArrayList<>();
    for (String start : starts.split(" ", 0)) {
      for (String middle : middles.split(" ", 0)) {
        for (String close : FINAL[end].split(" ", 0)) {
          String spelling = (start + middle + close).replace("-", "");
          if (!spellings.contains(spelling)) {
            spellings.add(spelling);
          }
        }
      }
    }
    return spellings;
  }
}
