package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.screening.ScreeningMatch;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A screening that was kept.
 *
 * @param lists lists and versions, such as "ofac 4, un 7"
 * @param matcher version of the matcher
 * @param threshold likeness of names from which on an entry matched, 0 to 1
 * @param verdict of the sanctions service: clear, match or unreadable
 * @param matches each with its newest disposition
 */
public record CaseScreening(
    Instant at,
    String lists,
    String matcher,
    double threshold,
    String verdict,
    List<DisposedMatch> matches) {

  public CaseScreening {
    matches = List.copyOf(matches);
  }

  /** A match; without a disposition it is open. */
  public record DisposedMatch(ScreeningMatch match, @Nullable Disposition disposition) {

    /** Whether the person may be the listed one. */
    public boolean isOpen() {
      return disposition == null || disposition.verdict() != Disposition.Verdict.FALSE_POSITIVE;
    }
  }

  @Override
  public String toString() {
    return "CaseScreening[redacted]";
  }
}
