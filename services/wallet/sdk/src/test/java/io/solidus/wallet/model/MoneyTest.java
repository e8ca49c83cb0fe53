package io.solidus.wallet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.ProtocolException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoneyTest {
  /** Who writes 1.000 may mean a thousand, and gets no thousandth. */
  @Test
  void anAmountIsDigitsAndNoMoreDecimalsThanTheCurrencyHas() {
    CurrencyCode euro = new CurrencyCode("EUR");
    assertThat(Money.parse("1000", euro)).isEqualTo(new Amount(100_000));
    assertThat(Money.parse("1.5", euro)).isEqualTo(new Amount(150));
    assertThat(Money.parse("1.50", euro)).isEqualTo(new Amount(150));
    assertThat(Money.parse("7", new CurrencyCode("JPY"))).isEqualTo(new Amount(7));
    for (String text :
        List.of(
            "1.000",
            "1e3",
            "2.5E+03",
            "+5",
            "-5",
            "1,50",
            "1.000,00",
            "1,000.00",
            ".5",
            "5.",
            "",
            " 1",
            "1 000",
            "0x1",
            "9".repeat(18),
            "\u0661")) {
      assertThatThrownBy(() -> Money.parse(text, euro))
          .as(text)
          .isInstanceOf(ProtocolException.class)
          .hasMessageContaining("write one like 12.50");
    }
    assertThatThrownBy(() -> Money.parse("7.0", new CurrencyCode("JPY")))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("write one like 1250");
    assertThat(Money.format(new Amount(150), euro)).isEqualTo("1.50 EUR");
    assertThat(Money.format(new Amount(7), new CurrencyCode("JPY"))).isEqualTo("7 JPY");
  }
}
