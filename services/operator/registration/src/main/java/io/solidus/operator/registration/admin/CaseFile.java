package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseClaim;
import io.solidus.operator.registration.cases.CaseDecisionService;
import io.solidus.operator.registration.cases.CaseEvent;
import io.solidus.operator.registration.cases.CaseScreening;
import io.solidus.operator.registration.cases.DuplicateVerdict;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.cases.PossibleDuplicate;
import io.solidus.operator.registration.cases.Standing;
import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Person;
import io.solidus.platform.bank.BankScope;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A case with all of its data and events.
 *
 * @param apk hex
 * @param personId outlives documents, names and cases; hidden from a bank when the person has a
 *     case at another one
 * @param core hex, of the registration
 * @param kind person or organisation
 * @param person null of an organisation
 * @param organisation null of a person, and when erased
 * @param matches of the newest screening
 * @param screenings newest first, at most 50
 * @param duplicatesCut whether more cases may be of this person than are shown; the next ones are
 *     found at the approval, when these are decided
 * @param changes of the person's details, oldest first
 * @param documents the numbers of all documents that the person has shown to this bank
 * @param registrations how many registrations the person has or had at this bank; the centre reads
 *     those of every bank. More than one after she lost her phrase
 * @param claim of the officer who works on the case; null without one
 * @param standing registered, suspended or closed; null when not approved. A suspension stops no
 *     payment: list the address at the sanctions service
 * @param steps that suspended, resumed, closed or erased, oldest first
 * @param erasedAt when the personal data was erased; null while it is held
 * @param approvals of an organisation, oldest first; two officers approve it
 * @param refusalCode all that a refused applicant reads
 * @param reason for staff alone; hidden from a bank when the centre wrote it about a pair across
 *     banks
 */
public record CaseFile(
    String caseId,
    String status,
    String bank,
    @Nullable String personId,
    String kind,
    @Nullable PersonView person,
    @Nullable OrganisationView organisation,
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
    boolean duplicatesCut,
    List<ChangeView> changes,
    List<String> documents,
    int registrations,
    @Nullable CaseClaim claim,
    @Nullable String standing,
    List<StandingController.StepView> steps,
    @Nullable Instant erasedAt,
    List<ApprovalView> approvals) {

  /**
   * What one of the two officers said who approve an organisation.
   *
   * @param expired whether no second approval came in time; it counts no more
   */
  public record ApprovalView(String officer, String reason, Instant at, boolean expired) {

    @Override
    public String toString() {
      return "ApprovalView[redacted]";
    }
  }

  /**
   * A person, as the applicant entered the data or two officers changed them.
   *
   * @param givenName "(erased)" of an erased case
   * @param familyName empty when erased, as the document's number
   * @param birthDate null when erased, as the nationality
   * @param latinName of a person whose names are in another script
   */
  public record PersonView(
      String givenName,
      String familyName,
      @Nullable LocalDate birthDate,
      @Nullable String nationality,
      String documentNumber,
      @Nullable String latinName) {

    /** Null of an organisation, also of an erased one. */
    static @Nullable PersonView of(Applicant applicant, String kind) {
      return kind.equals(Person.KIND) && applicant instanceof Person person ? of(person) : null;
    }

    static PersonView of(Person person) {
      if (person.isErased()) {
        return new PersonView(person.givenName(), "", null, null, "", null);
      }
      return new PersonView(
          person.givenName(),
          person.familyName(),
          person.birthDate(),
          person.nationality(),
          person.documentNumber(),
          person.latinName());
    }

    @Override
    public String toString() {
      return "PersonView[redacted]";
    }
  }

  static CaseFile of(CaseDecisionService.CaseWithEvents caseWithEvents, BankScope scope) {
    KycCase found = caseWithEvents.kycCase();
    Applicant person = found.person();
    Standing standing = caseWithEvents.standing();
    List<PossibleDuplicate> acrossBanks =
        caseWithEvents.duplicates().stream()
            .filter(pair -> pair.acrossBanks() && !scope.isEvery())
            .toList();
    return new CaseFile(
        found.id().toString(),
        found.status().id(),
        found.bank(),
        caseWithEvents.atOtherBanks() && !scope.isEvery() ? null : found.personId().toString(),
        found.kind(),
        PersonView.of(person, found.kind()),
        OrganisationView.of(person),
        found.apk().hex(),
        found.core().hex(),
        matches(caseWithEvents),
        caseWithEvents.screenings().stream().map(ScreeningView::of).toList(),
        found.screenedAt(),
        found.screeningAttempts(),
        found.refusalCode() == null ? null : found.refusalCode().id(),
        acrossBanks.stream().anyMatch(pair -> isDuplicate(pair, found)) ? null : found.reason(),
        found.decidedBy(),
        found.decidedAt(),
        found.attestationNote(),
        found.createdAt(),
        caseWithEvents.events().stream()
            .map(event -> shown(event, caseWithEvents, scope, acrossBanks))
            .toList(),
        caseWithEvents.duplicates().stream()
            .map(pair -> DuplicateView.of(found.id(), pair, scope))
            .toList(),
        caseWithEvents.duplicatesCut(),
        caseWithEvents.changes().stream()
            .map(change -> ChangeView.of(change, found.kind()))
            .toList(),
        caseWithEvents.documents(),
        (int) caseWithEvents.registrations().stream().filter(scope::allows).count(),
        caseWithEvents.claim(),
        standing == null ? null : standing.id(),
        caseWithEvents.steps().stream().map(StandingController.StepView::of).toList(),
        caseWithEvents.erasedAt(),
        caseWithEvents.approvals().stream()
            .map(each -> new ApprovalView(each.officer(), each.reason(), each.at(), each.expired()))
            .toList());
  }

  private static boolean isDuplicate(PossibleDuplicate pair, KycCase found) {
    return pair.caseId().equals(found.id()) && pair.verdict() == DuplicateVerdict.DUPLICATE;
  }

  /**
   * What an officer of the centre says of another bank's case is not for this bank, nor that the
   * person was registered at another one before.
   */
  private static CaseEvent shown(
      CaseEvent event,
      CaseDecisionService.CaseWithEvents file,
      BankScope scope,
      List<PossibleDuplicate> acrossBanks) {
    if (event.action().equals(CaseDecisionService.APPROVED_AGAIN)
        && !scope.isEvery()
        && !file.againAtBank()) {
      return new CaseEvent(event.at(), event.actor(), CaseDecisionService.APPROVED);
    }
    KycCase found = file.kycCase();
    boolean names =
        acrossBanks.stream()
            .anyMatch(pair -> event.action().contains(pair.beside(found.id()).toString()));
    return names
        ? new CaseEvent(event.at(), event.actor(), "a word on a pair across banks")
        : event;
  }

  /** Those of the newest screening; cases from before screenings were kept have their own. */
  private static List<MatchView> matches(CaseDecisionService.CaseWithEvents caseWithEvents) {
    List<CaseScreening> screenings = caseWithEvents.screenings();
    Applicant person = caseWithEvents.kycCase().person();
    return screenings.isEmpty()
        ? caseWithEvents.kycCase().matches().stream()
            .map(match -> MatchView.of(new CaseScreening.DisposedMatch(match, null, true), person))
            .toList()
        : screenings.getFirst().matches().stream()
            .map(match -> MatchView.of(match, person))
            .toList();
  }

  @Override
  public String toString() {
    return "CaseFile[" + caseId + "]";
  }
}
