package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseDecisionService;
import io.solidus.operator.registration.cases.ErasureService;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.cases.PersonChange;
import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Organisation;
import io.solidus.operator.registration.person.Person;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What the service holds of a person, to hand to her. */
@RestController
@RequestMapping("/admin/v1/kyc/cases/{caseId}/export")
@PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "KYC cases", description = "Needs the role kyc-operator.")
public class ExportController {
  /** The same for everybody, so that it tells nobody anything. */
  private static final List<String> WITHHELD =
      List.of(
          "results of comparisons with lists",
          "comparisons with other files",
          "notes and names of staff");

  private final ErasureService erasure;

  ExportController(ErasureService erasure) {
    this.erasure = erasure;
  }

  /**
   * What is held of a person at this bank.
   *
   * @param personId hidden from a bank when she has a case at another one
   * @param documents numbers of all documents that she has shown; of one of the people behind an
   *     organisation her own
   * @param withheld what is not told, because telling it could warn a suspect; the same for all
   */
  public record Export(
      @Nullable String personId,
      List<CaseExport> cases,
      List<String> documents,
      List<String> withheld) {

    @Override
    public String toString() {
      return "Export[redacted]";
    }
  }

  /**
   * A case of the person.
   *
   * @param status as the applicant's wallet reads it
   * @param person as she entered it, or as it was changed last; null of an organisation
   * @param organisation with the people behind it; null of a person
   * @param changes of her details that were proposed, oldest first
   * @param erasedAt when the personal data was erased; null while it is held
   */
  public record CaseExport(
      String caseId,
      String status,
      CaseFile.@Nullable PersonView person,
      @Nullable OrganisationView organisation,
      String apk,
      String core,
      Instant createdAt,
      @Nullable Instant decidedAt,
      @Nullable String refusalCode,
      @Nullable String attestationNote,
      List<ChangeExport> changes,
      @Nullable Instant erasedAt) {

    static CaseExport of(CaseDecisionService.CaseWithEvents file, @Nullable Person member) {
      KycCase found = file.kycCase();
      return new CaseExport(
          found.id().toString(),
          found.status().publicId(),
          CaseFile.PersonView.of(found.person(), found.kind()),
          OrganisationView.of(found.person(), member),
          found.apk().hex(),
          found.core().hex(),
          found.createdAt(),
          found.decidedAt(),
          found.refusalCode() == null ? null : found.refusalCode().id(),
          found.attestationNote(),
          file.changes().stream()
              .filter(change -> member == null || names(change.person(), member))
              .map(change -> ChangeExport.of(change, found.kind(), member))
              .toList(),
          file.erasedAt());
    }

    @Override
    public String toString() {
      return "CaseExport[" + caseId + "]";
    }
  }

  /**
   * Other details of the person.
   *
   * @param verdict accepted or refused; null until it is decided
   */
  public record ChangeExport(
      CaseFile.@Nullable PersonView person,
      @Nullable OrganisationView organisation,
      Instant proposedAt,
      @Nullable String verdict) {

    static ChangeExport of(PersonChange change, String kind, @Nullable Person member) {
      return new ChangeExport(
          CaseFile.PersonView.of(change.person(), kind),
          OrganisationView.of(change.person(), member),
          change.proposedAt(),
          change.verdict());
    }

    @Override
    public String toString() {
      return "ChangeExport[redacted]";
    }
  }

  @GetMapping
  @Operation(
      summary =
          "What is held of a person at this bank, to hand to her, without what could warn a suspect; the view is recorded in each of her cases. With the place of one of the people behind an organisation (member, from 1, as in the case), what is held of her alone")
  public ResponseEntity<Export> export(
      BankScope scope,
      @PathVariable UUID caseId,
      @RequestParam(required = false) @Nullable Integer member) {
    List<CaseDecisionService.CaseWithEvents> all =
        erasure.export(caseId, Operator.current().subject());
    Person only = member == null ? null : member(all, caseId, member);
    List<CaseDecisionService.CaseWithEvents> shown =
        only == null
            ? all
            : all.stream().filter(file -> people(List.of(file)).anyMatch(only::isLike)).toList();
    CaseDecisionService.CaseWithEvents newest = all.getLast();
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(
            new Export(
                newest.atOtherBanks() && !scope.isEvery()
                    ? null
                    : newest.kycCase().personId().toString(),
                shown.stream().map(file -> CaseExport.of(file, only)).toList(),
                only == null ? newest.documents() : documents(all, only),
                WITHHELD));
  }

  private static Person member(
      List<CaseDecisionService.CaseWithEvents> all, UUID caseId, int place) {
    return all.stream()
        .filter(file -> file.kycCase().id().equals(caseId))
        .flatMap(file -> people(file.kycCase().person()))
        .skip(Math.max(0, place - 1L))
        .findFirst()
        .filter(person -> place > 0)
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NOT_FOUND, "the organisation has nobody at this place"));
  }

  /** Whoever is or was behind the organisation. */
  private static Stream<Person> people(List<CaseDecisionService.CaseWithEvents> all) {
    return all.stream()
        .flatMap(file ->
            Stream.concat(
                Stream.of(file.kycCase().person()),
                file.changes().stream().map(PersonChange::person)))
        .flatMap(ExportController::people);
  }

  private static Stream<Person> people(Applicant applicant) {
    return applicant instanceof Organisation body
        ? body.people().stream().map(Organisation.Member::person)
        : Stream.empty();
  }

  private static boolean names(Applicant applicant, Person member) {
    return people(applicant).anyMatch(each -> each.isLike(member));
  }

  private static List<String> documents(
      List<CaseDecisionService.CaseWithEvents> all, Person member) {
    return people(all)
        .filter(each -> each.isLike(member))
        .map(Person::documentNumber)
        .distinct()
        .sorted()
        .toList();
  }
}
