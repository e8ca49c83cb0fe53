package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseDecisionService;
import io.solidus.operator.registration.cases.CaseEvent;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.person.Person;
import io.solidus.operator.registration.screening.ScreeningMatch;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A case with all of its data and events.
 *
 * @param apk hex
 * @param core hex, of the registration
 */
public record CaseFile(
    String caseId,
    String status,
    PersonView person,
    String apk,
    String core,
    List<ScreeningMatch> matches,
    @Nullable Instant screenedAt,
    int screeningAttempts,
    @Nullable String reason,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    @Nullable String attestationNote,
    Instant createdAt,
    List<CaseEvent> events) {

  /** A person, as the applicant entered the data. */
  public record PersonView(
      String givenName,
      String familyName,
      LocalDate birthDate,
      String nationality,
      String documentNumber) {

    @Override
    public String toString() {
      return "PersonView[redacted]";
    }
  }

  static CaseFile of(CaseDecisionService.CaseWithEvents caseWithEvents) {
    KycCase found = caseWithEvents.kycCase();
    Person person = found.person();
    return new CaseFile(
        found.id().toString(),
        found.status().id(),
        new PersonView(
            person.givenName(),
            person.familyName(),
            person.birthDate(),
            person.nationality(),
            person.documentNumber()),
        found.apk().hex(),
        found.core().hex(),
        found.matches(),
        found.screenedAt(),
        found.screeningAttempts(),
        found.reason(),
        found.decidedBy(),
        found.decidedAt(),
        found.attestationNote(),
        found.createdAt(),
        caseWithEvents.events());
  }

  @Override
  public String toString() {
    return "CaseFile[" + caseId + "]";
  }
}
