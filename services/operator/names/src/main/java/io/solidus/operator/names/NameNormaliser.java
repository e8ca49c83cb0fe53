package io.solidus.operator.names;

import com.ibm.icu.lang.UScript;
import com.ibm.icu.text.Transliterator;
import io.solidus.operator.names.NameToken.Writing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Turns a name in any script into Latin tokens that can be compared: no accents, no apostrophes,
 * lower case. The order of the words is kept.
 */
final class NameNormaliser {
  static final int MAX_TOKENS = 24;

  /** Marks and format characters stay: in many scripts they are vowels or part of a letter. */
  static final Pattern SEPARATORS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}\\p{Cf}'`‘’]+");

  private static final Pattern APOSTROPHES = Pattern.compile("['`]");

  private static final Set<Integer> CONSONANT_SCRIPTS =
      Set.of(UScript.ARABIC, UScript.HEBREW, UScript.SYRIAC);

  private static final Set<Integer> INDIC_SCRIPTS =
      Set.of(
          UScript.DEVANAGARI,
          UScript.BENGALI,
          UScript.GURMUKHI,
          UScript.GUJARATI,
          UScript.ORIYA,
          UScript.TAMIL,
          UScript.TELUGU,
          UScript.KANNADA,
          UScript.MALAYALAM,
          UScript.SINHALA);

  /** A longer word of Hangul is a foreign name. */
  private static final int KOREAN_SYLLABLES = 4;

  /** In a row of so many single letters or more, somebody spaced out a word. */
  private static final int SPACED_OUT = 4;

  /**
   * Other readings of letters. Two letters side by side may look like one Latin digraph, which the
   * space takes apart.
   */
  private static final String[][] HEBREW = {
    {"b", "v"}, {"p", "f"}, {"k", "h"}, {"h", "ch"}, {"zh", "z h"}, {"sh", "s h"}, {"th", "t h"}
  };

  private static final String[][] ARABIC = {
    {"sh", "ch"},
    {"sh", "s h"},
    {"ts", "t s"},
    {"d", "z"},
    {"b", "p"},
    {"th", "s"},
    {"q", "g"},
    {"j", "g"},
    {"k", "g"},
    {"z", "d"},
    {"z", "th"},
    {"dh", "z"},
    {"kh", "k h"},
    {"th", "t h"},
    {"dh", "d h"},
    {"gh", "g h"}
  };

  private static final String[][] TAMIL = {{"k", "g"}, {"t", "d"}, {"p", "b"}, {"ch", "s"}};
  private static final String[][] INDIC = {{"v", "b"}, {"j", "z"}, {"y", "j"}, {"m", "n"}};

  /** Consonants for which Hangul, Han and Kana have one sign. */
  private static final String[][] FOREIGN = {
    {"l", "r"}, {"r", "l"}, {"g", "k"}, {"b", "p"}, {"d", "t"}, {"p", "f"}, {"h", "f"}, {"b", "v"}
  };

  private static final Set<Integer> KANA = Set.of(UScript.HIRAGANA, UScript.KATAKANA);
  private static final int MAX_VARIANTS = 32;

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

  /** Indic letters carry an a that is often not spoken; only long vowels stay. */
  private static final Transliterator INDIC_TO_LATIN =
      Transliterator.createFromRules(
          "indic-to-latin",
          """
          ੰ > ਨ੍ ;
          :: Any-Latin;
          :: NFC;
          :: Lower;
          :: [a \\u02BC] Remove;
          :: NFKD;
          c > ch ;
          s { [\\u0301 \\u0323] > h ;
          :: Latin-ASCII;
          :: [[:M:] [:Lm:] [:Cf:] \\u0027 \\u0060] Remove;
          chh > ch ;
          :: Lower;
          """,
          Transliterator.FORWARD);

  private static final Transliterator SIMPLIFIED =
      Transliterator.getInstance("Traditional-Simplified");

  private NameNormaliser() {}

  /** A name's tokens, the first {@link #MAX_TOKENS} of them. */
  static List<NameToken> tokens(String name) {
    List<NameToken> whole = allTokens(name);
    return whole.size() <= MAX_TOKENS ? whole : whole.subList(0, MAX_TOKENS);
  }

  /** All tokens of a name. A Han or Hangul character is one. */
  static List<NameToken> allTokens(String name) {
    List<NameToken> tokens = new ArrayList<>();
    for (String word : SEPARATORS.split(name, 0)) {
      addWord(word, tokens);
    }
    return withoutSpacesBetweenLetters(tokens);
  }

  private static void addWord(String word, List<NameToken> tokens) {
    int script = script(word);
    if (script == UScript.HAN) {
      addHan(word, tokens);
    } else if (script == UScript.HANGUL && word.length() <= KOREAN_SYLLABLES) {
      addHangul(word, tokens);
    } else if (KANA.contains(script) || script == UScript.HANGUL) {
      for (String part : parts(latin(word).replace("~", ""))) {
        tokens.add(NameToken.of(part, Writing.BARE, foreignReadings(part), List.of()));
      }
    } else if (INDIC_SCRIPTS.contains(script)) {
      for (String part : parts(INDIC_TO_LATIN.transliterate(word))) {
        String[][] heard = script == UScript.TAMIL ? TAMIL : INDIC;
        tokens.add(NameToken.of(part, Writing.BARE, variants(part, heard), List.of()));
      }
    } else if (CONSONANT_SCRIPTS.contains(script)) {
      for (String part : parts(latin(word))) {
        String[][] heard = script == UScript.HEBREW ? HEBREW : ARABIC;
        tokens.add(NameToken.of(part, Writing.BARE, variants(part, heard), List.of()));
      }
    } else {
      parts(latin(word)).forEach(part -> tokens.add(NameToken.of(part)));
    }
  }

  /** The script of a word's first letter. */
  private static int script(String word) {
    for (int at = 0; at < word.length(); at += Character.charCount(word.codePointAt(at))) {
      int letter = word.codePointAt(at);
      if (letter < 0x250) {
        if (Character.isLetter(letter)) {
          return UScript.LATIN;
        }
      } else {
        int script = UScript.getScript(letter);
        if (script != UScript.COMMON && script != UScript.INHERITED) {
          return script;
        }
      }
    }
    return UScript.COMMON;
  }

  private static void addHan(String word, List<NameToken> tokens) {
    word.codePoints()
        .forEach(character -> {
          String text = Character.toString(character);
          for (String part : parts(latin(text))) {
            boolean han = UScript.getScript(character) == UScript.HAN;
            tokens.add(
                han
                    ? NameToken.of(
                        part,
                        Writing.SYLLABLE,
                        List.of(),
                        Han.spellings(SIMPLIFIED.transliterate(text).codePointAt(0), part))
                    : NameToken.of(part));
          }
        });
  }

  private static void addHangul(String word, List<NameToken> tokens) {
    word.codePoints()
        .forEach(character -> {
          for (String part : parts(latin(Character.toString(character)))) {
            tokens.add(
                Hangul.is(character)
                    ? NameToken.of(part, Writing.SYLLABLE, List.of(), Hangul.spellings(character))
                    : NameToken.of(part));
          }
        });
  }

  /** Readings of a word that may be a foreign name, written by ear. */
  static List<String> foreignReadings(String word) {
    return variants(word, FOREIGN);
  }

  /** Each place may have the one or the other reading. */
  private static List<String> variants(String word, String[][] heard) {
    Set<String> variants = new LinkedHashSet<>(Set.of(word));
    if (word.endsWith("y") && word.length() > 2) {
      // at the end of a word this letter may be an a
      variants.add(word.substring(0, word.length() - 1) + "a");
    }
    for (int at = 1; at < word.length(); at++) {
      if (word.charAt(at) == word.charAt(at - 1)) {
        // a vowel between them is not written
        variants.add(word.substring(0, at) + ' ' + word.substring(at));
      }
    }
    for (String[] pair : heard) {
      for (int at = word.indexOf(pair[0]); at >= 0; at = word.indexOf(pair[0], at + 1)) {
        for (String variant : List.copyOf(variants)) {
          int place = at + variant.length() - word.length();
          if (place >= 0 && variant.startsWith(pair[0], place) && variants.size() < MAX_VARIANTS) {
            variants.add(
                variant.substring(0, place)
                    + pair[1]
                    + variant.substring(place + pair[0].length()));
          }
        }
      }
    }
    return List.copyOf(variants);
  }

  private static List<NameToken> withoutSpacesBetweenLetters(List<NameToken> tokens) {
    if (tokens.size() < SPACED_OUT) {
      return tokens;
    }
    List<NameToken> whole = new ArrayList<>();
    for (int at = 0; at < tokens.size(); ) {
      int end = at;
      while (end < tokens.size() && tokens.get(end).isInitial()) {
        end++;
      }
      if (end - at >= SPACED_OUT) {
        whole.add(NameToken.joined(tokens.subList(at, end)));
        at = end;
      } else {
        whole.add(tokens.get(at));
        at++;
      }
    }
    return whole;
  }

  /** A word's reading; the reading of one word may be several. */
  static List<String> parts(String latin) {
    return SEPARATORS.splitAsStream(latin).filter(part -> !part.isEmpty()).toList();
  }

  /** Transliterates a word; what has no reading stays as it is. */
  static String latin(String word) {
    return word.chars().allMatch(c -> c < 0x80)
        ? APOSTROPHES.matcher(word).replaceAll("").toLowerCase(Locale.ROOT)
        : TO_LATIN.transliterate(word).replace('ǝ', 'e');
  }
}
