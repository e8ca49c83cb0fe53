package io.solidus.operator.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
        "O’Quillan 3rd. | oquillan 3rd",
        "İlham Əliyev | ilham aliyev",
        "Ŋuŋi Məmmədov | ngungi mammadov",
        "Първанов Игорь | prvanov igor"
      })
  void writesLatinCyrillicAndGreekNamesInPlainLatinLetters(String name, String expected) {
    assertThat(String.join(" ", texts(name))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "حسين | hsyn",
        "إدريسو الخزورين | adrysw al khzwryn",
        "مُحَمَّد عبد الله | mhmd bd allh",
        "فاطمة | fatma",
        "מנחם | mnhm",
        "侯赛因 | hou sai yin",
        "후세인 | hu se in",
        "フセイン | fusein",
        "ჰუსეინ | husein",
        "Գևորգ | geworg",
        "राजेश | rajesh",
        "Љиљана Ђорђевић | ljiljana dordevic",
        "Євген Їжакевич | yevgen izhakevich",
        "Братск Ельцин | bratsk yeltsin"
      })
  void writesNamesOfOtherScriptsInPlainLatinLetters(String name, String expected) {
    assertThat(String.join(" ", texts(name))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"حسين,false", "מנחם,false", "Хусейн,true", "후세인,true", "Husayn,true", "ʿAbd,true"})
  void detectsScriptsWithoutVowels(String name, boolean vowelsWritten) {
    assertThat(NameNormaliser.tokens(name))
        .allMatch(token -> (token.writing() != NameToken.Writing.BARE) == vowelsWritten);
  }

  @Test
  void composedAndDecomposedAccentsAreTheSame() {
    assertThat(texts("Ame\u0301lie")).isEqualTo(texts("Am\u00e9lie"));
  }

  @Test
  void limitsTokensAndTheirLength() {
    assertThat(texts("ab ".repeat(1000))).hasSize(24);
    assertThat(texts("x".repeat(5000)).getFirst()).hasSize(40);
    assertThat(texts("щ".repeat(5000)).getFirst()).hasSize(40);
    assertThat(texts(" -.'\u0301 ")).isEmpty();
  }

  private static List<String> texts(String name) {
    return NameNormaliser.tokens(name).stream().map(NameToken::text).toList();
  }
}
