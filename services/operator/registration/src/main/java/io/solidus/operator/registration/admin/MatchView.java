package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseScreening;
import io.solidus.operator.registration.cases.Disposition;
import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.screening.ScreeningMatch;
import java.time.Instant;
import java.time.LocalDate;
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
 * @param concerns whom of an organisation it is about: its name or that of who is behind it; null
 *     of a person
 * @param concernsBorn her birth date, or the founding date of the organisation itself; null of a
 *     person, and when she is not behind it any more
 * @param disposition null while nobody has said anything
 * @param needsTwo whether another person has to confirm a false positive
 * @param open whether the match stands in the way of an approval
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
    @Nullable String concerns,
    @Nullable LocalDate concernsBorn,
    @Nullable DispositionView disposition,
    boolean needsTwo,
    boolean open) {

  /**
   * What an officer found out: false-positive or true-match.
   *
   * @param confirmedBy the other person who confirmed a false positive; null while nobody has
   */
  public record DispositionView(
      String verdict,
      String reason,
      String officer,
      Instant at,
      @Nullable String confirmedBy,
      @Nullable String confirmedReason,
      @Nullable Instant confirmedAt) {

    static DispositionView of(Disposition disposition) {
      Disposition.Confirmation confirmation = disposition.confirmation();
      return new DispositionView(
          disposition.verdict().id(),
          disposition.reason(),
          disposition.officer(),
          disposition.at(),
          confirmation == null ? null : confirmation.officer(),
          confirmation == null ? null : confirmation.reason(),
          confirmation == null ? null : confirmation.at());
    }

    @Override
    public String toString() {
      return "DispositionView[redacted]";
    }
  }

  static MatchView of(CaseScreening.DisposedMatch disposed, Applicant applicant) {
    Disposition disposition = disposed.disposition();
    ScreeningMatch match = disposed.match();
    return new MatchView(
        match.list(),
        match.reference(),
        match.name(),
        match.score(),
        match.birthYear(),
        match.stableKey(),
        match.contentDigest(),
        match.explanation(),
        match.concerns(),
        match.concernsBorn(applicant),
        disposition == null ? null : DispositionView.of(disposition),
        disposed.needsTwo(),
        disposed.isOpen());
  }

  @Override
  public String toString() {
    return "MatchView[redacted]";
  }
}
