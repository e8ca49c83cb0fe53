package io.solidus.operator.registration.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.protocol.ProtocolException;
import java.time.LocalDate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PersonTest {
  private static final LocalDate BORN = LocalDate.of(1990, 1, 1);

  @Test
  void acceptsCountryCodesOfTwoAndThreeLetters() {
    assertThat(new Person("A", "B", BORN, "che", "X1").nationality()).isEqualTo("CH");
    assertThat(new Person("A", "B", BORN, " ch ", "X1").nationality()).isEqualTo("CH");
  }

  @Test
  void refusesInvalidFields() {
    assertRefused(() -> new Person(" ", "B", BORN, "CH", "X1"));
    assertRefused(() -> new Person("A", "", BORN, "CH", "X1"));
    assertRefused(() -> new Person("A\nB", "B", BORN, "CH", "X1"));
    assertRefused(() -> new Person("A", "B".repeat(101), BORN, "CH", "X1"));
    assertRefused(() -> new Person("A", "B", BORN, "XX", "X1"));
    assertRefused(() -> new Person("A", "B", BORN, "Switzerland", "X1"));
    assertRefused(() -> new Person("A", "B", BORN, "CH", "1".repeat(41)));
    assertRefused(() -> new Person("A", "B", LocalDate.of(1889, 12, 31), "CH", "X1"));
  }

  @Test
  void refusesBirthDatesInTheFuture() {
    Person person = new Person("A", "B", BORN, "CH", "X1");
    assertThat(person.requireBornBy(BORN)).isSameAs(person);
    assertRefused(() -> person.requireBornBy(BORN.minusDays(1)));
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code().code()).isEqualTo("malformed-request"));
  }
}
