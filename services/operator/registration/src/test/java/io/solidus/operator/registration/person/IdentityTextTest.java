package io.solidus.operator.registration.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.protocol.ProtocolException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTextTest {

  @ParameterizedTest
  @CsvSource({
    "José,JOSE",
    "Zoë,zoe",
    "Strauß,STRAUSS",
    "STRAUẞ,strauss",
    "Anne-Marie,Anne Marie",
    "Annemarie,anne  marie",
    "Søren,Soren",
    "Łukasz,Lukasz",
    "Æthelred,Aethelred",
    "İpek,Ipek",
    "Ipek,ıpek",
    "Ｊｏｓé,Jose",
    "ΝΙΚΟΣ,Νίκος",
    "ﬁnn,Finn"
  })
  void spellingsOfOneNameCompareEqual(String one, String other) {
    assertThat(IdentityText.name(one)).isEqualTo(IdentityText.name(other));
  }

  @Test
  void removesApostrophesHyphensAndSpaces() {
    for (String between :
        List.of(
            "'", "’", "ʼ", "ʻ", "`", "´", "-", "‐", "–", "−", " ", "\u00a0", "\u2009", "\u200b",
            "\u00ad")) {
      assertThat(IdentityText.name("O" + between + "Neill"))
          .as("U+%04x", (int) between.charAt(0))
          .isEqualTo("oneill");
    }
  }

  @Test
  void composedAndDecomposedFormsCompareEqual() {
    assertThat(IdentityText.name("Jose\u0301")).isEqualTo(IdentityText.name("Jos\u00e9"));
    assertThat(IdentityText.name("\uac00")).isEqualTo(IdentityText.name("\u1100\u1161"));
  }

  @Test
  void differentNamesStayDifferent() {
    assertThat(IdentityText.name("Anna")).isNotEqualTo(IdentityText.name("Anne"));
    assertThat(IdentityText.name("王伟")).isNotEqualTo(IdentityText.name("王芳"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "''", "123", "\u0301", "ʼ"})
  void refusesNamesWithoutLetters(String name) {
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> IdentityText.name(name));
  }

  @Test
  void documentNumbersCompareByLettersAndDigits() {
    assertThat(IdentityText.documentNumber("ab 12-34"))
        .isEqualTo(IdentityText.documentNumber("AB1234"));
    assertThat(IdentityText.documentNumber("ＡＢ１２３４")).isEqualTo("ab1234");
    assertThat(IdentityText.documentNumber("AB٣٤")).isEqualTo("ab34");
  }

  @Test
  void refusesLookAlikeLettersInDocumentNumbers() {
    String cyrillicA = "\u0410" + "B1234";
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> IdentityText.documentNumber(cyrillicA));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> IdentityText.documentNumber("--"));
  }
}
