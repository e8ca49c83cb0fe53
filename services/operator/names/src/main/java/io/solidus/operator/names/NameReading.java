package io.solidus.operator.names;

import com.ibm.icu.lang.UScript;
import com.ibm.icu.text.UnicodeSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a name can be compared with names in Latin letters.
 *
 * @param outcome readable, or why not
 * @param latin the words that could be read in plain Latin letters, lower case; empty without any
 */
public record NameReading(Outcome outcome, List<String> latin) {
  private static final Pattern PLAIN = Pattern.compile("[a-z0-9]*[a-z][a-z0-9]*");
  private static final Pattern ORDINAL = Pattern.compile("[0-9]+(st|nd|rd|th)");
  private static final UnicodeSet LETTERS = new UnicodeSet("[:L:]").freeze();

  /** Scripts of one writing system: their letters may stand in one word. */
  private static final List<Set<Integer>> TOGETHER =
      List.of(
          Set.of(UScript.HIRAGANA, UScript.KATAKANA),
          Set.of(UScript.HAN, UScript.HANGUL),
          Set.of(UScript.HAN, UScript.BOPOMOFO));

  private static final Set<Integer> JAPANESE = Set.of(UScript.HIRAGANA, UScript.KATAKANA);

  public NameReading {
    latin = List.copyOf(latin);
  }

  /** What became of a name. */
  public enum Outcome {
    /** Every word has a reading in Latin letters. */
    READABLE,
    /** A word has letters of several scripts, or digits among its letters. Nobody is named so. */
    MIXED_SCRIPTS,
    /**
     * A word has no reading in Latin letters, or the name has no letter, or more tokens than are
     * compared. Han characters beside Kana have a Japanese reading, which no table gives.
     */
    UNREADABLE
  }

  /** Whether a search for the name says anything. */
  public boolean readable() {
    return outcome == Outcome.READABLE;
  }

  /** Reads a name in any script. */
  public static NameReading read(String name) {
    List<NameToken> tokens = NameNormaliser.allTokens(name);
    List<String> latin =
        tokens.stream().limit(NameNormaliser.MAX_TOKENS).map(NameToken::text).toList();
    return new NameReading(outcome(name, tokens.size()), latin);
  }

  private static Outcome outcome(String name, int tokens) {
    Set<Integer> all = new HashSet<>();
    boolean unread = false;
    int words = 0;
    for (String word : NameNormaliser.SEPARATORS.split(name, 0)) {
      if (LETTERS.containsNone(word)) {
        continue;
      }
      words++;
      Set<Integer> scripts = scripts(word);
      if (mixed(word, scripts)) {
        return Outcome.MIXED_SCRIPTS;
      }
      all.addAll(scripts);
      List<String> parts = NameNormaliser.parts(NameNormaliser.latin(word));
      unread |= parts.isEmpty() || !parts.stream().allMatch(part -> PLAIN.matcher(part).matches());
    }
    boolean japanese = all.contains(UScript.HAN) && JAPANESE.stream().anyMatch(all::contains);
    boolean whole = words <= NameNormaliser.MAX_TOKENS && tokens <= NameNormaliser.MAX_TOKENS;
    boolean read = words > 0 && whole && !unread && !japanese;
    return read ? Outcome.READABLE : Outcome.UNREADABLE;
  }

  private static Set<Integer> scripts(String word) {
    Set<Integer> scripts = new HashSet<>();
    word.codePoints()
        .map(UScript::getScript)
        .filter(script -> script != UScript.COMMON && script != UScript.INHERITED)
        .forEach(scripts::add);
    return scripts;
  }

  private static boolean mixed(String word, Set<Integer> scripts) {
    if (word.codePoints().anyMatch(Character::isDigit)
        && !ORDINAL.matcher(word.toLowerCase(Locale.ROOT)).matches()) {
      return true;
    }
    boolean japanese =
        scripts.contains(UScript.HAN) && JAPANESE.stream().anyMatch(scripts::contains);
    return scripts.size() > 1
        && !japanese
        && TOGETHER.stream().noneMatch(group -> group.containsAll(scripts));
  }
}
