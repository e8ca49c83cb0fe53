package io.solidus.operator.sanctions.screening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenSimilarityTest {
  @Test
  void jaroWinklerHasItsPublishedValues() {
    assertThat(TokenSimilarity.jaroWinkler("martha", "marhta")).isCloseTo(0.961, within(0.001));
    assertThat(TokenSimilarity.jaroWinkler("dwayne", "duane")).isCloseTo(0.840, within(0.001));
    assertThat(TokenSimilarity.jaroWinkler("dixon", "dicksonx")).isCloseTo(0.813, within(0.001));
    assertThat(TokenSimilarity.jaroWinkler("abc", "xyz")).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "mohammed, muhammad",
    "yusuf, youssouf",
    "kaddafi, qadafi",
    "wolodymyr, volodimir",
    "hussein, husayn",
    "ahmed, akhmed",
    "alexei, aleksei"
  })
  void spellingsOfOneNameAreAlike(String a, String b) {
    assertThat(Token.of(a).likeness(Token.of(b))).isGreaterThan(0.7);
    assertThat(Token.of(b).likeness(Token.of(a))).isEqualTo(Token.of(a).likeness(Token.of(b)));
  }

  @ParameterizedTest
  @CsvSource({"anna, otto", "li, lu", "ali, ala", "baker, miller", "1960, 1961", "max, may"})
  void differentNamesAreNot(String a, String b) {
    assertThat(Token.of(a).likeness(Token.of(b))).isLessThan(0.5);
  }

  @Test
  void longestTokensAreCompared() {
    String longest = "ab".repeat(20);
    assertThat(TokenSimilarity.jaroWinkler(longest, longest)).isEqualTo(1);
  }
}
