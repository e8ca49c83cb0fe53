package io.solidus.operator.registration.screening;

import io.solidus.operator.registration.person.Applicant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Searches the sanctions lists for persons and organisations. */
public interface Screening {

  /**
   * Screens a person, or an organisation and everybody behind it: clear only when all of them are.
   *
   * @throws ScreeningUnavailableException when there is no reliable answer
   */
  ScreeningResult screen(Applicant applicant);

  /**
   * Screens at most {@link #MAX_BATCH} applicants; the answers are in their order.
   *
   * @param since compares only with entries that are new or changed since this basis; null for all
   * @throws ScreeningUnavailableException when there is no reliable answer for one of them
   */
  List<ScreeningResult> screenAll(
      List<? extends Applicant> applicants, @Nullable ScreeningBasis since);

  /**
   * The basis that a screening would have now.
   *
   * @throws ScreeningUnavailableException when there is no reliable answer
   */
  ScreeningBasis basis();

  /** The most applicants, and the most names in one call. */
  int MAX_BATCH = 400;
}
