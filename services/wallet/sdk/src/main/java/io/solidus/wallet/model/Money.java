package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.ProtocolException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Currency;

/** Converts amounts for people: "12.34" of a currency with two decimals is 1234 minor units. */
public final class Money {
  private Money() {}

  /**
   * Reads digits, and behind a point at most as many as the currency has. A comma is refused, and
   * so are more decimals: who writes "1,000" or "1.000" may mean one or a thousand.
   *
   * @throws ProtocolException malformed-request
   */
  public static Amount parse(String text, CurrencyCode currency) {
    int decimals = decimals(currency);
    String fraction = decimals == 0 ? "" : "(\\.[0-9]{1," + decimals + "})?";
    if (!text.matches("[0-9]{1,18}" + fraction)) {
      throw notAnAmount(text, currency);
    }
    try {
      return new Amount(
          new BigDecimal(text)
              .setScale(decimals, RoundingMode.UNNECESSARY)
              .unscaledValue()
              .longValueExact());
    } catch (ArithmeticException e) {
      throw notAnAmount(text, currency);
    }
  }

  private static ProtocolException notAnAmount(String text, CurrencyCode currency) {
    return ProtocolException.malformed(
        "'"
            + text
            + "' is not an amount in "
            + currency.value()
            + ": write one like "
            + one(currency));
  }

  private static String one(CurrencyCode currency) {
    return BigDecimal.valueOf(1250, decimals(currency)).toPlainString();
  }

  /** The amount with all decimals of the currency and its code, such as "12.50 EUR". */
  public static String format(Amount amount, CurrencyCode currency) {
    return BigDecimal.valueOf(amount.minor(), decimals(currency)).toPlainString()
        + " "
        + currency.value();
  }

  /** How many decimals an amount of the currency has: two of the euro, none of the yen. */
  private static int decimals(CurrencyCode currency) {
    try {
      return Math.max(0, Currency.getInstance(currency.value()).getDefaultFractionDigits());
    } catch (IllegalArgumentException e) {
      return 2; // a test currency that is not in ISO 4217
    }
  }
}
