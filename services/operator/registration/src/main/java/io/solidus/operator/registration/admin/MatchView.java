package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseScreening;
import io.solidus.operator.registration.cases.Disposition;
import io.solidus.operator.registration.screening.ScreeningMatch;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A match as officers see it.
 *
 * @param list a sanction list, refused-registrations, unreadable-name or more-matches
 * @param reference the entry's number in its list, or the id of the earlier case
 * @param score similarity of the names, 0 to 1
 * @param key of the entry; a disposition names it
 * @param entryDigest hash of the entry's content; a disposition names it
 * @param explanation how the score came about
 * @param disposition null while the match is open
 */
public record MatchView(
    String list,
    String reference,
    @Nullable String name,
    double score,
    @Nullable String birthYear,
    String key,
    String entryDigest,
    @Nullable JsonNode explanation,
    @Nullable DispositionView disposition) {

  /** What an officer found out: false-positive or true-match. */
  public record DispositionView(String verdict, String reason, String officer, Instant at) {

    static DispositionView of(Disposition disposition) {
      return new DispositionView(
          disposition.verdict().id(),
          disposition.reason(),
          disposition.officer(),
          disposition.at());
    }

    @Override
    public String toString() {
      return "DispositionView[redacted]";
    }
  }

  static MatchView of(CaseScreening.DisposedMatch disposed) {
    Disposition disposition = disposed.disposition();
    return of(disposed.match(), disposition == null ? null : DispositionView.of(disposition));
  }

  static MatchView of(ScreeningMatch match, @Nullable DispositionView disposition) {
    return new MatchView(
        match.list(),
        match.reference(),
        match.name(),
        match.score(),
        match.birthYear(),
        match.stableKey(),
        match.contentDigest(),
        match.explanation(),
        disposition);
  }

  @Override
  public String toString() {
    return "MatchView[redacted]";
  }
}
