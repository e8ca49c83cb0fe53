package io.solidus.operator.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.names.NameReading.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be compared with names in Latin letters says so. */
class NameReadingTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Tamsin O'Bellquarry-Thørne",
        "Хусейн Кармани",
        "حسين القرماني",
        "מנחם זלדנבוים",
        "欧阳志豪",
        "후세인 카심",
        "フセイン・カルマニ",
        "राजेश",
        "ჰუსეინ",
        "Գևորգ",
        "Lee 3rd",
        "Şükrü Əliyev"
      })
  void readsNames(String name) {
    assertThat(NameReading.read(name).outcome()).isEqualTo(Outcome.READABLE);
    assertThat(NameReading.read(name).latin()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Vаskell Morodan", "Vasкell", "Ꭰavid Morodan", "0leg Morodan", "Οleg"})
  void aWordOfSeveralScriptsIsNoName(String name) {
    assertThat(NameReading.read(name).outcome()).isEqualTo(Outcome.MIXED_SCRIPTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " - ", "12345", "\u0301", "𓀀𓀁", "林 さくら"})
  void whatHasNoLatinReadingIsUnreadable(String name) {
    assertThat(NameReading.read(name).outcome()).isEqualTo(Outcome.UNREADABLE);
  }
}
