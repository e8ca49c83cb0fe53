package io.solidus.operator.registration.person;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameLikenessTest {

  @ParameterizedTest
  @CsvSource({
    "Tamsin,Bellquarry,Tamsin,Bellquarry",
    "Tamsin,Bellquarry,Bellquarry,Tamsin",
    "Tamsin,Bellquarry,TAMSIN,Bell-Quarry",
    "Anne Marie,O'Bellquarry,Annemarie,O Bellquarry",
    "Tamsin,Bellquarry,Tamsin,Bellquary",
    "Tamsin Rose,Bellquarry,Tamsin,Bellquarry",
    "Hussein,Karmani,Хусейн,Кармани"
  })
  void spellingsOfOnePersonAreAlike(String given, String family, String given2, String family2) {
    assertThat(NameLikeness.isAlike(likeness(given, family, given2, family2), false)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "Tamsin,Bellquarry,Ada,Lindqvist",
    "Tamsin,Bellquarry,Rosalind,Bellquarry",
    "Alice,Example,Bob,Example"
  })
  void otherPersonsAreNot(String given, String family, String given2, String family2) {
    assertThat(NameLikeness.isAlike(likeness(given, family, given2, family2), false)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"𓀀𓀁,𓀁𓀀", "Vаskell,Morodan"})
  void aNameThatCannotBeReadIsComparedByItsLatinSpelling(String given, String family) {
    assertThat(likeness(given, family, "Tamsin", "Bellquarry")).isZero();
    assertThat(likeness(given, family, given, family)).isEqualTo(1);
    Person other = person("Tamsin", "Bellquarry");
    assertThat(NameLikeness.of(latin(given, family, "Tamsin Bellquary"), other)).isGreaterThan(0.9);
    assertThat(NameLikeness.of(latin(given, family, "Ada Lindqvist"), other)).isLessThan(0.8);
  }

  private static Person latin(String given, String family, String latinName) {
    return new Person(given, family, LocalDate.of(1980, 1, 1), "FR", "X1", latinName);
  }

  private static double likeness(String given, String family, String given2, String family2) {
    return NameLikeness.of(person(given, family), person(given2, family2));
  }

  private static Person person(String given, String family) {
    return new Person(given, family, LocalDate.of(1980, 1, 1), "FR", "X1");
  }
}
