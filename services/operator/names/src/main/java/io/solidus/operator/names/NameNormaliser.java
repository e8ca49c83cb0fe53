package io.solidus.operator.names;

import com.ibm.icu.text.Transliterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Turns a name in any script into Latin tokens that can be compared: no accents, no apostrophes,
 * lower case. The order of the words is kept.
 */
public final class NameNormaliser {
  private static final int MAX_TOKENS = 24;

  /** Marks and format characters stay: in many scripts they are vowels or part of a letter. */
  private static final Pattern SEPARATORS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}\\p{Cf}'`‘’]+");

  private static final Pattern APOSTROPHES = Pattern.compile("['`]");
  private static final Pattern CONSONANT_SCRIPTS =
      Pattern.compile("[\\p{IsArabic}\\p{IsHebrew}\\p{IsSyriac}]");

  /**
   * ICU's romanisations. BGN and UNGEGN come first because passports and lists use them; Any-Latin
   * takes every other script. The three rules for Arabic make the article a separate word and write
   * two letters as Latin lists do. Latin-ASCII does not know the two letters before it, and it
   * would write the soft and the hard sign as quotation marks. Thread-safe, as ICU documents.
   */
  private static final Transliterator TO_LATIN =
      Transliterator.createFromRules(
          "name-to-latin",
          """
          :: NFKD;
          :: [\\u0300-\\u036F \\u0591-\\u05C7 \\u0610-\\u061A \\u064B-\\u065F \\u0670] Remove;
          :: [\\u0027 \\u0060 \\u2018 \\u2019] Remove;
          ^ { ال } [[:L:] - [ل]] > 'ال ' ;
          ة > ا ;
          ھ > ه ;
          [əƏ] > a ;
          [ŋŊ] > ng ;
          :: Russian-Latin/BGN; :: Ukrainian-Latin/BGN; :: Serbian-Latin/BGN;
          :: [\\u00B7] Remove;
          :: [:Greek:] Greek-Latin/UNGEGN;
          :: [:Han:] Han-Latin/Names;
          :: Any-Latin;
          :: [\\u02B9 \\u02BA] Remove;
          :: Latin-ASCII;
          :: NFKD;
          :: [[:M:] [:Lm:] [:Cf:] \\u0027 \\u0060] Remove;
          :: Lower;
          """,
          Transliterator.FORWARD);

  private NameNormaliser() {}

  /**
   * A name in comparable form.
   *
   * @param tokens in the order of the name
   * @param joined the joined tokens of each word whose characters are syllables with a reading of
   *     their own, as in Chinese: foreign names are found by these
   */
  public record Name(List<NameToken> tokens, List<NameToken> joined) {}

  /** A name's tokens, at most {@link #MAX_TOKENS}. */
  public static Name normalise(String name) {
    List<NameToken> tokens = new ArrayList<>();
    List<NameToken> joined = new ArrayList<>();
    for (String word : SEPARATORS.split(name, 0)) {
      boolean vowelsWritten = !CONSONANT_SCRIPTS.matcher(word).find();
      List<String> parts = latinWords(word);
      parts.forEach(part -> tokens.add(NameToken.of(part, vowelsWritten)));
      if (parts.size() > 1 && vowelsWritten) {
        joined.add(NameToken.of(String.join("", parts), true));
      }
    }
    return tokens.size() <= MAX_TOKENS
        ? new Name(tokens, joined)
        : new Name(tokens.subList(0, MAX_TOKENS), List.of());
  }

  /** A word's reading; the reading of one word may be several. */
  static List<String> latinWords(String word) {
    return SEPARATORS.splitAsStream(latin(word)).filter(part -> !part.isEmpty()).toList();
  }

  private static String latin(String word) {
    return word.chars().allMatch(c -> c < 0x80)
        ? APOSTROPHES.matcher(word).replaceAll("").toLowerCase(Locale.ROOT)
        : TO_LATIN.transliterate(word);
  }
}
