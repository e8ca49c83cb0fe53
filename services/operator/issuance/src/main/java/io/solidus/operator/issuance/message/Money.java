package io.solidus.operator.issuance.message;

import java.math.BigDecimal;
import java.util.Currency;

/** Amounts of one currency between messages and minor units. */
record Money(String currency, int decimals) {
  private static final BigDecimal MOST = BigDecimal.valueOf(1L << 53);

  static Money of(String currency) {
    return new Money(
        currency, Math.max(0, Currency.getInstance(currency).getDefaultFractionDigits()));
  }

  /**
   * Reads an amount of an element with the attribute {@code Ccy}.
   *
   * @throws BankMessageException unsupported for another currency, a fraction of a minor unit or
   *     more than 2^53
   */
  long minor(Node amount) {
    if (!currency.equals(amount.attribute("Ccy"))) {
      throw BankMessageException.unsupported("an amount is not in " + currency);
    }
    BigDecimal minor = new BigDecimal(amount.text()).movePointRight(decimals);
    if (minor.stripTrailingZeros().scale() > 0 || minor.compareTo(MOST) > 0) {
      throw BankMessageException.unsupported(
          "an amount has a fraction of a minor unit, or exceeds 2^53 minor units");
    }
    return minor.longValueExact();
  }

  String text(long minor) {
    return BigDecimal.valueOf(minor, decimals).toPlainString();
  }
}
