package io.solidus.operator.registration.person;

import java.time.LocalDate;

/** Persons for tests. */
public final class Persons {
  private Persons() {}

  public static Person ada() {
    return new Person("Ada", "Lovelace", LocalDate.of(1985, 12, 10), "GB", "AL 1815-10");
  }
}
