package io.solidus.wallet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
