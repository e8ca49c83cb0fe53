package io.solidus.wallet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Samples;
import io.solidus.wallet.transfer.PayoutEnvelope;
import io.solidus.wire.hpke.HpkePrivateKey;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayoutInstructionTest {
  @Test
  void normalisesSpacesAndSmallLetters() {
    assertThat(new PayoutInstruction(" Ada ", "gb82 west 1234 5698 7654 32", "").iban())
        .isEqualTo("GB82WEST12345698765432");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GB82WEST12345698765433",
        "GB28WEST12345698765432",
        "DE1",
        "",
        "GB82WEST1234569876543!"
      })
  void refusesAnAccountWithWrongCheckDigits(String iban) {
    assertThatThrownBy(() -> new PayoutInstruction("Ada", iban, ""))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void refusesEmptyLongAndControlCharacterTexts() {
    String iban = "GB82WEST12345698765432";
    assertThatThrownBy(() -> new PayoutInstruction(" ", iban, ""))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> new PayoutInstruction("Ada\n", iban, "a\u0007"))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> new PayoutInstruction("A".repeat(141), iban, ""))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  @Spec("F-07")
  void refusesTextsThatDoNotFitTheBlock() {
    PayoutInstruction wide =
        new PayoutInstruction("語".repeat(140), "GB82WEST12345698765432", "語".repeat(140));
    try (HpkePrivateKey issuer = HpkePrivateKey.generate(new SecureRandom())) {
      EncryptionKey key = issuer.publicKey();
      assertThatThrownBy(() -> PayoutEnvelope.seal(key, Samples.NETWORK, wide))
          .isInstanceOf(ProtocolException.class);
      PayoutInstruction plain = new PayoutInstruction("Ada", "GB82WEST12345698765432", "rent");
      assertThat(PayoutEnvelope.seal(key, Samples.NETWORK, plain)).hasSize(512);
    }
  }

  @Test
  void isNeverPrinted() {
    assertThat(new PayoutInstruction("Ada", "GB82WEST12345698765432", "").toString())
        .isEqualTo("PayoutInstruction[redacted]");
  }
}
