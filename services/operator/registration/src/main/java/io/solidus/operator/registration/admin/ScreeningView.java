package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseScreening;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A screening, and against what it was made.
 *
 * @param lists lists and versions, such as "ofac 4, un 7"
 * @param matcher version of the matcher
 * @param threshold likeness of names from which on an entry matched, 0 to 1
 * @param verdict clear, match or unreadable
 * @param buildsOn lists and versions of the clear screening before, when only entries that changed
 *     since were compared
 * @param matches how many there were, earlier cases included
 */
public record ScreeningView(
    Instant at,
    String lists,
    String matcher,
    double threshold,
    String verdict,
    @Nullable String buildsOn,
    int matches) {

  static ScreeningView of(CaseScreening screening) {
    return new ScreeningView(
        screening.at(),
        screening.lists(),
        screening.matcher(),
        screening.threshold(),
        screening.verdict(),
        screening.buildsOn(),
        screening.matches().size());
  }
}
