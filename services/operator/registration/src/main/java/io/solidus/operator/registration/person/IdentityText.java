package io.solidus.operator.registration.person;

import io.solidus.protocol.ProtocolException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;

/**
 * The form in which identities are compared: compatibility decomposition, no marks, one case, and
 * nothing but letters and digits. Spaces, hyphens and apostrophes go altogether, so that "Anne
 * Marie", "Anne-Marie" and "Annemarie" are one name.
 */
final class IdentityText {
  /**
   * Letters that no Unicode decomposition takes apart, with what people without them on their
   * keyboard write.
   */
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

  private IdentityText() {}

  /**
   * @throws ProtocolException malformed-request when nothing comparable is left
   */
  static String name(String raw) {
    String text = compare(raw);
    if (text.codePoints().noneMatch(IdentityText::isLetter)) {
      throw ProtocolException.malformed("a name has no letters");
    }
    return text;
  }

  /**
   * Document numbers are printed in A-Z and 0-9 (ICAO 9303); letters of other scripts that look the
   * same would make a second identity of one document.
   *
   * @throws ProtocolException malformed-request
   */
  static String documentNumber(String raw) {
    String text = compare(raw);
    boolean ascii = text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'));
    if (text.isEmpty() || !ascii) {
      throw ProtocolException.malformed("a document number has the letters A to Z and digits");
    }
    return text;
  }

  private static String compare(String raw) {
    StringBuilder out = new StringBuilder();
    // to upper case first: it takes "ß" and the like apart
    String decomposed = Normalizer.normalize(raw.toUpperCase(Locale.ROOT), Normalizer.Form.NFKD);
    decomposed.codePoints().forEach(codePoint -> append(out, codePoint));
    return Normalizer.normalize(out, Normalizer.Form.NFKC);
  }

  private static void append(StringBuilder out, int codePoint) {
    int digit = Character.digit(codePoint, 10);
    if (digit >= 0) {
      out.append(digit);
    } else if (isLetter(codePoint)) {
      // one by one: String.toLowerCase would treat a sigma at the end of a word differently
      int lower = Character.toLowerCase(codePoint);
      String spelled = SPELLED_OUT.get(lower);
      if (spelled == null) {
        out.appendCodePoint(lower);
      } else {
        out.append(spelled);
      }
    }
  }

  /** Modifier letters are what typists use for apostrophes; they go with them. */
  private static boolean isLetter(int codePoint) {
    return Character.isLetter(codePoint)
        && Character.getType(codePoint) != Character.MODIFIER_LETTER;
  }
}
