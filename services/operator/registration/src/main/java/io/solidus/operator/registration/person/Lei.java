package io.solidus.operator.registration.person;

import io.solidus.protocol.ProtocolException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Legal entity identifiers: ISO 17442, with check digits of ISO 7064 MOD 97-10. */
final class Lei {
  private static final Pattern SHAPE = Pattern.compile("[0-9A-Z]{18}[0-9]{2}");
  private static final int MODULUS = 97;
  private static final int RADIX = 36;

  private Lei() {}

  /**
   * Returns an identifier in capitals.
   *
   * @throws ProtocolException malformed-request when it is none
   */
  static String require(String raw) {
    String lei = raw.strip().toUpperCase(Locale.ROOT);
    if (!SHAPE.matcher(lei).matches() || remainder(lei) != 1) {
      throw ProtocolException.malformed("lei is no legal entity identifier");
    }
    return lei;
  }

  /** Of the number in which letters are written as 10 to 35. */
  private static int remainder(String lei) {
    int remainder = 0;
    for (int at = 0; at < lei.length(); at++) {
      int value = Character.digit(lei.charAt(at), RADIX);
      remainder = (remainder * (value < 10 ? 10 : 100) + value) % MODULUS;
    }
    return remainder;
  }
}
