package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Person;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
   * @param since compares only with entries that are new or changed since this basis; null for all
   * @throws ScreeningUnavailableException when there is no reliable answer for one of them
   */
  List<ScreeningResult> screenAll(List<Person> persons, @Nullable ScreeningBasis since);

  /**
   * The basis that a screening would have now.
   *
   * @throws ScreeningUnavailableException when there is no reliable answer
   */
  ScreeningBasis basis();

  /** The most persons in one call. */
  int MAX_BATCH = 80;
}
