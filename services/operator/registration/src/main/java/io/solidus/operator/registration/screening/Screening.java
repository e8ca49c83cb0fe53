package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Person;
import java.util.List;

/** Asks whether a person may be a listed one. */
public interface Screening {

  /**
   * The matches, an empty list when there are none.
   *
   * @throws ScreeningUnavailableException when there is no answer that can be relied on
   */
  List<ScreeningMatch> screen(Person person);
}
