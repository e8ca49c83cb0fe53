package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.person.Person;
import org.jspecify.annotations.Nullable;

/** The parts of a name in a list; an organisation has none. */
final class ListedName {
  private ListedName() {}

  /** "(erased)" of an erased person. */
  static @Nullable String given(KycCase found) {
    Person person = person(found);
    return person == null ? null : person.givenName();
  }

  /** Empty of an erased person. */
  static @Nullable String family(KycCase found) {
    Person person = person(found);
    return person == null ? null : person.isErased() ? "" : person.familyName();
  }

  private static @Nullable Person person(KycCase found) {
    return found.kind().equals(Person.KIND) && found.person() instanceof Person person
        ? person
        : null;
  }
}
