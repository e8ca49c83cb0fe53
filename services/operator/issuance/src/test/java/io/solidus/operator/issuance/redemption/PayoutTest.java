package io.solidus.operator.issuance.redemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayoutTest {
  private static Payout parse(String json) {
    return Payout.parse(Arrays.copyOf(json.getBytes(StandardCharsets.UTF_8), 464));
  }

  @Test
  void parsesAnInstruction() {
    Payout payout =
        parse(
            "{\"creditorName\":\"Zoë Ångström\",\"iban\":\"gb82 WEST 1234 5698 7654 32\",\"reference\":\"\"}");
    assertThat(payout.creditorName()).isEqualTo("Zoë Ångström");
    assertThat(payout.account()).isEqualTo("GB82WEST12345698765432");
    assertThat(payout.reference()).isEmpty();
    assertThat(payout.hasValidIban()).isTrue();
    assertThat(payout).hasToString("Payout[redacted]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GB83WEST12345698765432", "DE0212030000000020205", "12345678901234567", "XX000"})
  void detectsWrongCheckDigits(String account) {
    assertThat(parse("{\"creditorName\":\"A\",\"iban\":\"" + account + "\"}").hasValidIban())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "7",
        "{",
        "{}",
        "{\"creditorName\":\"A\"}",
        "{\"iban\":\"GB82WEST12345698765432\"}",
        "{\"creditorName\":\" \",\"iban\":\"GB82WEST12345698765432\"}",
        "{\"creditorName\":\"A\\nB\",\"iban\":\"GB82WEST12345698765432\"}",
        "{\"creditorName\":\"A\",\"iban\":\"=cmd|x!A1\"}"
      })
  void refusesInvalidInstructions(String json) {
    assertThatThrownBy(() -> parse(json))
        .isInstanceOf(ProtocolException.class)
        .hasMessageStartingWith("malformed-request");
  }

  @Test
  void endToEndIdsDependOnlyOnSerialNumberAndNetwork() {
    SerialNumber lead = new Generators(1).serial();
    String id = EndToEndId.of(new NetworkId("network-a"), lead);
    assertThat(id)
        .matches("SLD[0-9A-F]{32}")
        .isEqualTo(EndToEndId.of(new NetworkId("network-a"), lead));
    assertThat(EndToEndId.of(new NetworkId("network-b"), lead)).isNotEqualTo(id);
    assertThat(EndToEndId.of(new NetworkId("network-a"), new Generators(2).serial()))
        .isNotEqualTo(id);
  }
}
