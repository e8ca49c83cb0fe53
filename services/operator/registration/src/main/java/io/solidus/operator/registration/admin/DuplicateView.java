package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.PossibleDuplicate;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Another case that may be of the same person.
 *
 * @param caseId of the other case
 * @param waits whether this is the later case, which waits for the verdict; otherwise the other
 *     does. Nobody waits when both are registered.
 * @param sameDocument whether both show the same document
 * @param nearBirthDate whether the birth dates differ by one mistake
 * @param likeness of the names, 0 to 1
 * @param verdict duplicate or other-person; null until two officers agree
 */
public record DuplicateView(
    String caseId,
    boolean waits,
    boolean sameDocument,
    boolean nearBirthDate,
    double likeness,
    @Nullable String verdict,
    List<OpinionView> opinions) {

  /** What one officer thinks. */
  public record OpinionView(String officer, String verdict, String reason, Instant at) {

    @Override
    public String toString() {
      return "OpinionView[redacted]";
    }
  }

  static DuplicateView of(UUID id, PossibleDuplicate pair) {
    return new DuplicateView(
        pair.beside(id).toString(),
        pair.caseId().equals(id),
        pair.sameDocument(),
        pair.nearBirthDate(),
        Math.round(pair.likeness() * 1000) / 1000.0,
        pair.verdict() == null ? null : pair.verdict().id(),
        pair.opinions().stream()
            .map(each ->
                new OpinionView(each.officer(), each.verdict().id(), each.reason(), each.at()))
            .toList());
  }
}
