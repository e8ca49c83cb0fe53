package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Person;
import java.util.List;

/** Searches the sanctions lists for persons. */
public interface Screening {

  /**
   * Screens a person.
   *
   * @throws ScreeningUnavailableException when there is no reliable answer
   */
  ScreeningResult screen(Person person);

  /**
   * Screens at most {@link #MAX_BATCH} persons in one call; the answers are in their order.
   *
   * @throws ScreeningUnavailableException when there is no reliable answer for one of them
   */
  List<ScreeningResult> screenAll(List<Person> persons);

  /**
   * The basis that a screening would have now.
   *
   * @throws ScreeningUnavailableException when there is no reliable answer
   */
  ScreeningBasis basis();

  /** The most persons in one call. */
  int MAX_BATCH = 80;
}
