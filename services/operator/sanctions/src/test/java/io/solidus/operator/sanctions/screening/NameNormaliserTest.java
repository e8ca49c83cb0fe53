package io.solidus.operator.sanctions.screening;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameNormaliserTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ÉLOÏSE D'Estrambert | eloise destrambert",
        "Józef Łukomirski-Thørne | jozef lukomirski thorne",
        "STRAẞNER, Groß | strassner gross",
        "ＦＵＬＬ　ｗｉｄｔｈ | full width",
        "Абдуррахим Щербатый | abdurrakhim shcherbatyi",
        "Αλέξανδρος Ψαράς | alexandros psaras",
        "ʿAbd  al-Raḥmān | abd al rahman",
        "O’Quillan 3rd. | oquillan 3rd"
      })
  void bringsNamesToOneForm(String name, String expected) {
    assertThat(String.join(" ", NameNormaliser.tokens(name))).isEqualTo(expected);
  }

  @Test
  void composedAndDecomposedAccentsAreTheSame() {
    assertThat(NameNormaliser.tokens("Ame\u0301lie"))
        .isEqualTo(NameNormaliser.tokens("Am\u00e9lie"));
  }

  @Test
  void boundsTokensAndTheirLength() {
    assertThat(NameNormaliser.tokens("a ".repeat(1000))).hasSize(24);
    assertThat(NameNormaliser.tokens("x".repeat(5000)).getFirst()).hasSize(40);
    assertThat(NameNormaliser.tokens("щ".repeat(5000)).getFirst()).hasSize(40);
    assertThat(NameNormaliser.tokens(" -.'\u0301 ")).isEmpty();
  }
}
