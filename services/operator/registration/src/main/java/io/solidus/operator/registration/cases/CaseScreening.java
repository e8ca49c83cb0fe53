package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.screening.ScreeningMatch;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A screening that was kept.
 *
 * @param lists lists and versions, such as "ofac 4, un 7"
 * @param matcher version of the matcher
 * @param threshold likeness of names from which on an entry matched, 0 to 1
 * @param verdict of the sanctions service: clear, match or unreadable
 * @param buildsOn lists and versions of the clear screening before, when only entries that changed
 *     since were compared
 * @param matches each with its newest disposition
 */
public record CaseScreening(
    Instant at,
    String lists,
    String matcher,
    double threshold,
    String verdict,
    @Nullable String buildsOn,
    List<DisposedMatch> matches) {

  public CaseScreening {
    matches = List.copyOf(matches);
  }

  /**
   * A match; without a disposition it is open.
   *
   * @param needsTwo whether another person has to confirm that it is not the person
   */
  public record DisposedMatch(
      ScreeningMatch match, @Nullable Disposition disposition, boolean needsTwo) {

    /** Whether the person may be the listed one. */
    public boolean isOpen() {
      return !isFalse() || isUnconfirmed();
    }

    /** Whether one officer says that it is not the person, and another one has to confirm it. */
    public boolean isUnconfirmed() {
      return isFalse() && needsTwo && Objects.requireNonNull(disposition).confirmation() == null;
    }

    private boolean isFalse() {
      return disposition != null && disposition.verdict() == Disposition.Verdict.FALSE_POSITIVE;
    }
  }

  @Override
  public String toString() {
    return "CaseScreening[redacted]";
  }
}
