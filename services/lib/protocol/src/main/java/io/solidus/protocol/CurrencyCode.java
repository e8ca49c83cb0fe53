package io.solidus.protocol;

import java.util.regex.Pattern;

/**
 * An ISO 4217 alphabetic code.
 *
 * @param value three capital letters
 */
public record CurrencyCode(String value) {
  private static final Pattern SHAPE = Pattern.compile("[A-Z]{3}");

  public CurrencyCode {
    if (!SHAPE.matcher(value).matches()) {
      throw ProtocolException.malformed("a currency code has three capital letters");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
