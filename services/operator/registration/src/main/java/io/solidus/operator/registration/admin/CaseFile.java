package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseDecisionService;
import io.solidus.operator.registration.cases.CaseEvent;
import io.solidus.operator.registration.cases.CaseScreening;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.person.Person;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A case with all of its data and events.
 *
 * @param apk hex
 * @param personId outlives documents, names and cases
 * @param core hex, of the registration
 * @param matches of the newest screening
 * @param screenings newest first, at most 50
 * @param changes of the person's details, oldest first
 * @param documents the numbers of all documents that the person has shown
 * @param refusalCode all that a refused applicant reads
 * @param reason for staff alone
 */
public record CaseFile(
    String caseId,
    String status,
    String personId,
    PersonView person,
    String apk,
    String core,
    List<MatchView> matches,
    List<ScreeningView> screenings,
    @Nullable Instant screenedAt,
    int screeningAttempts,
    @Nullable String refusalCode,
    @Nullable String reason,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    @Nullable String attestationNote,
    Instant createdAt,
    List<CaseEvent> events,
    List<DuplicateView> duplicates,
    List<ChangeView> changes,
    List<String> documents) {

  /** A person, as the applicant entered the data or two officers changed them. */
  public record PersonView(
      String givenName,
      String familyName,
      LocalDate birthDate,
      String nationality,
      String documentNumber) {

    static PersonView of(Person person) {
      return new PersonView(
          person.givenName(),
          person.familyName(),
          person.birthDate(),
          person.nationality(),
          person.documentNumber());
    }

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
        found.personId().toString(),
        PersonView.of(person),
        found.apk().hex(),
        found.core().hex(),
        matches(caseWithEvents),
        caseWithEvents.screenings().stream().map(ScreeningView::of).toList(),
        found.screenedAt(),
        found.screeningAttempts(),
        found.refusalCode() == null ? null : found.refusalCode().id(),
        found.reason(),
        found.decidedBy(),
        found.decidedAt(),
        found.attestationNote(),
        found.createdAt(),
        caseWithEvents.events(),
        caseWithEvents.duplicates().stream()
            .map(pair -> DuplicateView.of(found.id(), pair))
            .toList(),
        caseWithEvents.changes().stream().map(ChangeView::of).toList(),
        caseWithEvents.documents());
  }

  /** Those of the newest screening; cases from before screenings were kept have their own. */
  private static List<MatchView> matches(CaseDecisionService.CaseWithEvents caseWithEvents) {
    List<CaseScreening> screenings = caseWithEvents.screenings();
    return screenings.isEmpty()
        ? caseWithEvents.kycCase().matches().stream()
            .map(match -> MatchView.of(match, null))
            .toList()
        : screenings.getFirst().matches().stream().map(MatchView::of).toList();
  }

  @Override
  public String toString() {
    return "CaseFile[" + caseId + "]";
  }
}
