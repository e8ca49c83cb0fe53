package io.solidus.wallet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.ProtocolException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaymentFileTest {
  @Test
  void readsValuesWithAndWithoutQuotes() {
    Map.of(
            "a,1.00,EUR,b", List.of("a", "1.00", "EUR", "b"),
            "\"King, Ada\",1.00,EUR,\"said \"\"yes\"\"\"",
                List.of("King, Ada", "1.00", "EUR", "said \"yes\""),
            ",,,", List.of("", "", "", ""),
            "", List.of(""),
            "\"\",x", List.of("", "x"),
            "a,", List.of("a", ""))
        .forEach((row, values) -> assertThat(PaymentFile.fields(row)).isEqualTo(values));
  }

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
          .isInstanceOf(ProtocolException.class);
    }
    assertThatThrownBy(() -> Money.parse("7.0", new CurrencyCode("JPY")))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void paymentsOfTheListAreNamedByTheirRows() {
    assertThat(PaymentFile.inRows("payment 7 of the list is above the limit"))
        .isEqualTo("line 8 is above the limit");
    assertThat(PaymentFile.inRows("and payments 1, 2 and 9 more of the list are paid there"))
        .isEqualTo("and lines 2, 3 and 9 more are paid there");
    assertThat(PaymentFile.inRows("payment 7 is above")).isEqualTo("payment 7 is above");
  }

  @Test
  void refusesQuotesThatAreNotClosedOrStandWithin() {
    for (String row : List.of("\"a,1", "a\"b,1", "\"a\"b,1", "\"", "a,\"\"\"")) {
      assertThatThrownBy(() -> PaymentFile.fields(row))
          .as(row)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
