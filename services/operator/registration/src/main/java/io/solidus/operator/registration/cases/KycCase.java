package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Person;
import io.solidus.operator.registration.screening.ScreeningMatch;
import io.solidus.protocol.Apk;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The registration of one person, from submission to decision.
 *
 * @param person the person, or the organisation; {@link Person#ERASED} of either when erased
 * @param kind person or organisation, also when erased
 * @param personId outlives documents, names and cases
 * @param matches empty before the screening, and when it found none
 * @param refusalCode what the applicant reads; set when refused
 * @param reason the operator's reason, if there is one; never for the applicant
 * @param attestationNote set when approved
 * @param bank whose case it is, for ever
 */
public record KycCase(
    UUID id,
    CaseStatus status,
    Applicant person,
    String kind,
    UUID personId,
    Apk apk,
    TxCore core,
    RegisterRequest request,
    List<ScreeningMatch> matches,
    @Nullable Instant screenedAt,
    int screeningAttempts,
    @Nullable RefusalCode refusalCode,
    @Nullable String reason,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    @Nullable String attestationNote,
    Instant createdAt,
    String bank) {

  public KycCase {
    matches = List.copyOf(matches);
  }

  @Override
  public String toString() {
    return "KycCase[" + id + ", " + status.id() + "]";
  }
}
