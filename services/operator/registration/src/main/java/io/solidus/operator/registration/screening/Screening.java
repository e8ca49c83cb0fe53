package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Person;
import java.util.List;

/** Searches the sanctions lists for a person. */
public interface Screening {

  /**
   * Returns the matches; the list is empty when there are none.
   *
   * @throws ScreeningUnavailableException when there is no reliable answer
   */
  List<ScreeningMatch> screen(Person person);
}
