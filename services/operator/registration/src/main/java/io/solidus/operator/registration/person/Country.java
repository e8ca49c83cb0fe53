package io.solidus.operator.registration.person;

import io.solidus.protocol.ProtocolException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.MissingResourceException;

/** ISO 3166-1 codes. Passports have three letters, forms mostly two. */
final class Country {
  private static final Map<String, String> ALPHA2 = table();

  private Country() {}

  /**
   * Returns the two-letter code of a country.
   *
   * @throws ProtocolException malformed-request when {@code code} is not a country code
   */
  static String alpha2(String code) {
    return alpha2(code, "nationality");
  }

  /** As {@link #alpha2(String)}, of another field. */
  static String alpha2(String code, String field) {
    String found = ALPHA2.get(code.strip().toUpperCase(Locale.ROOT));
    if (found == null) {
      throw ProtocolException.malformed("the " + field + " is not an ISO 3166-1 code");
    }
    return found;
  }

  private static Map<String, String> table() {
    Map<String, String> table = new HashMap<>();
    for (String alpha2 : Locale.getISOCountries()) {
      table.put(alpha2, alpha2);
      try {
        table.put(Locale.of("", alpha2).getISO3Country(), alpha2);
      } catch (MissingResourceException e) {
        // a few countries have only a two-letter code
      }
    }
    return Map.copyOf(table);
  }
}
