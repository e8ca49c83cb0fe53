package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.PossibleDuplicate;
import io.solidus.platform.bank.BankScope;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Another case that may be of the same person. Of a case of another bank its own officers alone see
 * more than that there is one.
 *
 * @param caseId of the other case; null when it is hidden
 * @param acrossBanks whether the other case is of another bank: officers of the centre decide
 * @param waits whether this is the later case, which waits for the verdict; otherwise the other
 *     does. Nobody waits when both are registered.
 * @param sameDocument whether both show the same document
 * @param nearBirthDate whether the birth dates differ by one mistake
 * @param likeness of the names, 0 to 1
 * @param verdict duplicate, other-person or registers-again; {@code decided} when the other case is
 *     hidden; null until two officers agree
 */
public record DuplicateView(
    @Nullable String caseId,
    boolean acrossBanks,
    boolean waits,
    boolean sameDocument,
    boolean nearBirthDate,
    double likeness,
    @Nullable String verdict,
    List<OpinionView> opinions) {

  /**
   * What one officer thinks.
   *
   * @param expired whether no second opinion came in time; it counts no more
   */
  public record OpinionView(
      String officer, String verdict, String reason, Instant at, boolean expired) {

    @Override
    public String toString() {
      return "OpinionView[redacted]";
    }
  }

  static DuplicateView of(UUID id, PossibleDuplicate pair, BankScope scope) {
    if (pair.acrossBanks() && !scope.isEvery()) {
      return new DuplicateView(
          null,
          true,
          pair.caseId().equals(id),
          false,
          false,
          0,
          pair.verdict() == null ? null : "decided",
          List.of());
    }
    return new DuplicateView(
        pair.beside(id).toString(),
        pair.acrossBanks(),
        pair.caseId().equals(id),
        pair.sameDocument(),
        pair.nearBirthDate(),
        Math.round(pair.likeness() * 1000) / 1000.0,
        pair.verdict() == null ? null : pair.verdict().id(),
        pair.opinions().stream()
            .map(each ->
                new OpinionView(
                    each.officer(), each.verdict().id(), each.reason(), each.at(), each.expired()))
            .toList());
  }
}
