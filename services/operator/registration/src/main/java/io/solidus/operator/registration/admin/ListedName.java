package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Person;
import org.jspecify.annotations.Nullable;

/** The parts of a name in a list; an organisation has none. */
final class ListedName {
  private ListedName() {}

  static @Nullable String given(Applicant applicant) {
    return applicant instanceof Person person ? person.givenName() : null;
  }

  static @Nullable String family(Applicant applicant) {
    return applicant instanceof Person person ? person.familyName() : null;
  }
}
