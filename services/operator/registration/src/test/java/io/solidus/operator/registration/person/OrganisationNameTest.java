package io.solidus.operator.registration.person;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of organisations: which are one, and which are two. */
class OrganisationNameTest {

  @ParameterizedTest
  @CsvSource({
    "Brightwater Trading Ltd, Brightwater Trading Limited",
    "Brightwater Trading Ltd, BRIGHT-WATER TRADING PLC",
    "Brightwater Trading Ltd, Brightwatr Trading Ltd",
    "Brightwater Trading Ltd, Trading Brightwater",
    "Brightwater Ltd, Bright-water Limited",
    "Müller GmbH, Mueller G.m.b.H.",
    "Société Exemple S.A., Societe Exemple SARL"
  })
  void alike(String one, String other) {
    assertThat(NameLikeness.isAlike(NameLikeness.of(organisation(one), organisation(other)), false))
        .isTrue();
    assertThat(Collections.disjoint(OrganisationName.keys(one), OrganisationName.keys(other)))
        .as("found by a word")
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Alpha Bakery GmbH, Omega Bakery GmbH",
    "Brightwater Ltd, Stonehill Ltd",
    "Verein der Freunde Zugs, Verein der Freunde Lyons"
  })
  void different(String one, String other) {
    assertThat(NameLikeness.isAlike(NameLikeness.of(organisation(one), organisation(other)), false))
        .isFalse();
  }

  private static Organisation organisation(String name) {
    return new Organisation(
        name,
        null,
        "company",
        "a register",
        "1234",
        "DE",
        LocalDate.of(2001, 2, 3),
        null,
        false,
        List.of(new Organisation.Member(Persons.ada(), BigDecimal.valueOf(100), true)));
  }
}
