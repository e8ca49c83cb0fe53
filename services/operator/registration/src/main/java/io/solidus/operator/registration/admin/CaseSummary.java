package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.KycCase;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A case in the list of cases.
 *
 * @param givenName "(erased)" of an erased case
 * @param familyName empty when erased
 */
public record CaseSummary(
    String caseId,
    String status,
    String bank,
    String givenName,
    String familyName,
    int matches,
    int screeningAttempts,
    Instant createdAt,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    boolean erased) {

  static CaseSummary of(KycCase kycCase) {
    return new CaseSummary(
        kycCase.id().toString(),
        kycCase.status().id(),
        kycCase.bank(),
        kycCase.person().givenName(),
        kycCase.person().isErased() ? "" : kycCase.person().familyName(),
        kycCase.matches().size(),
        kycCase.screeningAttempts(),
        kycCase.createdAt(),
        kycCase.decidedBy(),
        kycCase.decidedAt(),
        kycCase.person().isErased());
  }

  @Override
  public String toString() {
    return "CaseSummary[" + caseId + "]";
  }
}
