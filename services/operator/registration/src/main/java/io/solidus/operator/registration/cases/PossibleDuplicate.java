package io.solidus.operator.registration.cases;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A later case and an earlier one that may be of one person.
 *
 * @param caseId the later case, which waits for the verdict unless both are registered
 * @param otherId the earlier case
 * @param sameDocument whether both show the same document
 * @param nearBirthDate whether the birth dates differ by one mistake
 * @param likeness of the names, 0 to 1
 * @param verdict null until two officers agree
 * @param acrossBanks whether the cases are of two banks; officers of the centre decide then
 */
public record PossibleDuplicate(
    UUID caseId,
    UUID otherId,
    boolean sameDocument,
    boolean nearBirthDate,
    double likeness,
    @Nullable DuplicateVerdict verdict,
    List<Opinion> opinions,
    boolean acrossBanks) {

  public PossibleDuplicate {
    opinions = List.copyOf(opinions);
  }

  /**
   * What one officer thinks.
   *
   * @param expired whether no second opinion came in time; it counts no more
   */
  public record Opinion(
      String officer, DuplicateVerdict verdict, String reason, Instant at, boolean expired) {

    @Override
    public String toString() {
      return "Opinion[redacted]";
    }
  }

  /** The case beside this one. */
  public UUID beside(UUID id) {
    return id.equals(caseId) ? otherId : caseId;
  }
}
