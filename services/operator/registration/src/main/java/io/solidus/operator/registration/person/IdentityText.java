package io.solidus.operator.registration.person;

import io.solidus.protocol.ProtocolException;
import java.text.Normalizer;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Normalises names and document numbers for identity hashes: compatibility decomposition, no marks,
 * lower case, only letters and digits. Without spaces, hyphens and apostrophes "Anne Marie",
 * "Anne-Marie" and "Annemarie" are one name.
 *
 * <p>The rules are fixed here and do not come from a transliteration library. Stored hashes depend
 * on them: with other rules of a library release, registered documents would not be found again.
 */
final class IdentityText {
  /** Letters without a Unicode decomposition, and their usual spelling on other keyboards. */
  private static final Map<Integer, String> SPELLED_OUT =
      Map.ofEntries(
          Map.entry((int) 'ø', "o"),
          Map.entry((int) 'ł', "l"),
          Map.entry((int) 'đ', "d"),
          Map.entry((int) 'ð', "d"),
          Map.entry((int) 'ħ', "h"),
          Map.entry((int) 'ŧ', "t"),
          Map.entry((int) 'ß', "ss"),
          Map.entry((int) 'æ', "ae"),
          Map.entry((int) 'œ', "oe"),
          Map.entry((int) 'þ', "th"));

  private static final Pattern LEADING_ZEROS = Pattern.compile("(?<![0-9])0+(?=[0-9])");

  private static final Pattern SEPARATORS = Pattern.compile("[\\s\\p{Z}\\p{Pd}]+");

  private IdentityText() {}

  /**
   * Normalises a name.
   *
   * @throws ProtocolException malformed-request when the name has no letter
   */
  static String name(String raw) {
    String text = normalise(raw);
    if (text.codePoints().noneMatch(IdentityText::isLetter)) {
      throw ProtocolException.malformed("a name has no letters");
    }
    return text;
  }

  /** The normalised words of a name; those without a letter are left out. */
  static Set<String> words(String raw) {
    Set<String> words = new LinkedHashSet<>();
    for (String part : SEPARATORS.split(raw, -1)) {
      String word = normalise(part);
      if (word.codePoints().anyMatch(IdentityText::isLetter)) {
        words.add(word);
      }
    }
    return words;
  }

  /**
   * Normalises a document number. ICAO 9303 allows A-Z and 0-9 only. Look-alike letters of other
   * scripts are refused, because they would give one document a second identity.
   *
   * @throws ProtocolException malformed-request
   */
  static String documentNumber(String raw) {
    String text = normalise(raw);
    boolean ascii = text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
    if (text.isEmpty() || !ascii) {
      throw ProtocolException.malformed(
          "a document number must have only letters A to Z and digits");
    }
    return text;
  }

  /**
   * Normalises a number in a register, as document numbers and without leading zeros, which some
   * extracts of a register write and others do not.
   *
   * @throws ProtocolException malformed-request
   */
  static String registrationNumber(String raw) {
    return LEADING_ZEROS.matcher(documentNumber(raw)).replaceAll("");
  }

  private static String normalise(String raw) {
    StringBuilder out = new StringBuilder();
    // upper case first, because it turns letters such as "ß" into two
    String decomposed = Normalizer.normalize(raw.toUpperCase(Locale.ROOT), Normalizer.Form.NFKD);
    decomposed.codePoints().forEach(codePoint -> append(out, codePoint));
    return Normalizer.normalize(out, Normalizer.Form.NFKC);
  }

  private static void append(StringBuilder out, int codePoint) {
    int digit = Character.digit(codePoint, 10);
    if (digit >= 0) {
      out.append(digit);
    } else if (isLetter(codePoint)) {
      // letter by letter, because String.toLowerCase writes a final sigma differently
      int lower = Character.toLowerCase(codePoint);
      String spelled = SPELLED_OUT.get(lower);
      if (spelled == null) {
        out.appendCodePoint(lower);
      } else {
        out.append(spelled);
      }
    }
  }

  /** Modifier letters do not count, because typists use them as apostrophes. */
  private static boolean isLetter(int codePoint) {
    return Character.isLetter(codePoint)
        && Character.getType(codePoint) != Character.MODIFIER_LETTER;
  }
}
