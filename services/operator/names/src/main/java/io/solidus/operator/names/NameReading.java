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
  private static final Pattern WORDS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}\\p{Cf}'`‘’]+");
  private static final Pattern PLAIN = Pattern.compile("[a-z0-9]*[a-z][a-z0-9]*");
  private static final Pattern ORDINAL = Pattern.compile("[0-9]+(st|nd|rd|th)");
  private static final UnicodeSet LETTERS = new UnicodeSet("[:L:]").freeze();

  /** Scripts of one writing system: their letters may stand in one word. */
  private static final List<Set<Integer>> TOGETHER =
      List.of(
          Set.of(UScript.HAN, UScript.HIRAGANA, UScript.KATAKANA),
          Set.of(UScript.HAN, UScript.HANGUL),
          Set.of(UScript.HAN, UScript.BOPOMOFO));

  public NameReading {
    latin = List.copyOf(latin);
  }

  /** What became of a name. */
  public enum Outcome {
    /** Every word has a reading in Latin letters. */
    READABLE,
    /** A word has letters of several scripts, or digits among its letters. Nobody is named so. */
    MIXED_SCRIPTS,
    /** A word has no reading in Latin letters, or the name has no letter. */
    UNREADABLE
  }

  /** Whether a search for the name says anything. */
  public boolean readable() {
    return outcome == Outcome.READABLE;
  }

  /** Reads a name in any script. */
  public static NameReading read(String name) {
    List<String> latin =
        NameNormaliser.normalise(name).tokens().stream().map(NameToken::text).toList();
    return new NameReading(outcome(name), latin);
  }

  private static Outcome outcome(String name) {
    boolean letters = false;
    boolean unread = false;
    for (String word : WORDS.split(name, 0)) {
      if (LETTERS.containsNone(word)) {
        continue;
      }
      letters = true;
      if (mixed(word)) {
        return Outcome.MIXED_SCRIPTS;
      }
      List<String> parts = NameNormaliser.latinWords(word);
      unread |= parts.isEmpty() || !parts.stream().allMatch(part -> PLAIN.matcher(part).matches());
    }
    return letters && !unread ? Outcome.READABLE : Outcome.UNREADABLE;
  }

  private static boolean mixed(String word) {
    Set<Integer> scripts = new HashSet<>();
    boolean digits = false;
    for (int at = 0; at < word.length(); at += Character.charCount(word.codePointAt(at))) {
      int letter = word.codePointAt(at);
      int script = UScript.getScript(letter);
      digits |= Character.isDigit(letter);
      if (script != UScript.COMMON && script != UScript.INHERITED) {
        scripts.add(script);
      }
    }
    if (digits && !ORDINAL.matcher(word.toLowerCase(Locale.ROOT)).matches()) {
      return true;
    }
    return scripts.size() > 1 && TOGETHER.stream().noneMatch(group -> group.containsAll(scripts));
  }
}
