package io.solidus.operator.sanctions.screening;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Brings names to comparable tokens: compatibility decomposition, accents away, one case, letters
 * that do not decompose and Cyrillic and Greek spelled in Latin, apostrophes closed up and every
 * other mark a separator. The order of tokens is kept.
 */
final class NameNormaliser {
  private static final int MAX_TOKENS = 24;
  private static final int MAX_TOKEN_CHARS = 40;

  private static final Map<Character, String> LATIN = latin();

  private NameNormaliser() {}

  static List<String> tokens(String name) {
    String decomposed = Normalizer.normalize(name, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
    List<String> tokens = new ArrayList<>();
    StringBuilder token = new StringBuilder();
    for (int i = 0; i < decomposed.length() && tokens.size() < MAX_TOKENS; i++) {
      char c = decomposed.charAt(i);
      if (isSilent(c)) {
        continue;
      }
      if (Character.isLetterOrDigit(c) || Character.isSurrogate(c)) {
        token.append(LATIN.getOrDefault(c, String.valueOf(c)));
      } else {
        flush(token, tokens);
      }
    }
    flush(token, tokens);
    return tokens;
  }

  /** Combining accents, vowel marks and apostrophes vanish without parting a word. */
  private static boolean isSilent(char c) {
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT
        || c == '\''
        || c == '`'
        || c == '\u2018'
        || c == '\u2019'
        || c == '\u02BB'
        || c == '\u02BC'
        || c == '\u02BF'
        || c == '\u0640';
  }

  private static void flush(StringBuilder token, List<String> tokens) {
    if (!token.isEmpty() && tokens.size() < MAX_TOKENS) {
      tokens.add(
          token.length() <= MAX_TOKEN_CHARS
              ? token.toString()
              : token.substring(0, MAX_TOKEN_CHARS));
    }
    token.setLength(0);
  }

  private static Map<Character, String> latin() {
    Map<Character, String> map = new HashMap<>();
    put(map, "ß ss æ ae œ oe ø o đ d ð d þ th ł l ħ h ı i ŋ ng ə a");
    put(
        map,
        "а a б b в v г g д d е e ж zh з z и i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch");
    put(
        map,
        "ы y э e ю yu я ya і i є ye ґ g ѓ g ќ k љ lj њ nj џ dz ђ dj ћ c ѕ dz ј j қ k ң n ө o ұ u ү u һ h ғ g");
    put(
        map,
        "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o");
    map.put('ъ', "");
    map.put('ь', "");
    return Map.copyOf(map);
  }

  /**
   * @param pairs letter and spelling in turn, separated by spaces
   */
  private static void put(Map<Character, String> map, String pairs) {
    String[] parts = pairs.split(" ");
    for (int i = 0; i < parts.length; i += 2) {
      map.put(parts[i].charAt(0), parts[i + 1]);
    }
  }
}
