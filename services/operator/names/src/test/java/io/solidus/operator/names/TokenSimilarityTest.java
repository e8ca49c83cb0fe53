package io.solidus.operator.names;

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
    assertThat(likeness(a, b)).isGreaterThan(0.7);
    assertThat(likeness(b, a)).isEqualTo(likeness(a, b));
  }

  @ParameterizedTest
  @CsvSource({
    "hsyn, hussein",
    "hsyn, husayn",
    "mhmd, mohammed",
    "mhmwd, mahmoud",
    "khzwryn, khazourin",
    "brzan, barzan",
    "syd, said",
    "ly, ali"
  })
  void spellingsWithAndWithoutVowelsAreAlike(String bare, String full) {
    NameToken consonants = NameToken.of(bare, false);
    NameToken whole = NameToken.of(full, true);
    assertThat(consonants.likeness(whole)).isGreaterThanOrEqualTo(0.6);
    assertThat(whole.likeness(consonants)).isEqualTo(consonants.likeness(whole));
  }

  @ParameterizedTest
  @CsvSource({"hsyn, hadi", "mhmd, ahmed", "ly, lu", "syd, sadu", "brzan, berezovsky", "7, 8"})
  void differentNamesWithAndWithoutVowelsAreNotAlike(String bare, String full) {
    assertThat(NameToken.of(bare, false).likeness(NameToken.of(full, true))).isZero();
  }

  @Test
  void aDifferentLongVowelIsWeakerEvidence() {
    assertThat(NameToken.of("hsyn", false).likeness(NameToken.of("hassan", true)))
        .isLessThan(NameToken.of("hsyn", false).likeness(NameToken.of("hussein", true)));
  }

  @ParameterizedTest
  @CsvSource({"anna, otto", "li, lu", "ali, ala", "baker, miller", "1960, 1961", "max, may"})
  void differentNamesAreNotAlike(String a, String b) {
    assertThat(likeness(a, b)).isLessThan(0.5);
  }

  @Test
  void comparesTokensOfMaximumLength() {
    String longest = "ab".repeat(20);
    assertThat(TokenSimilarity.jaroWinkler(longest, longest)).isEqualTo(1);
  }

  private static double likeness(String a, String b) {
    return NameToken.of(a, true).likeness(NameToken.of(b, true));
  }
}
