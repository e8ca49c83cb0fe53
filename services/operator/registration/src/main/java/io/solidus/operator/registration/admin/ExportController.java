package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseDecisionService;
import io.solidus.operator.registration.cases.ErasureService;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.cases.PersonChange;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
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
   * @param documents numbers of all documents that she has shown
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

    static CaseExport of(CaseDecisionService.CaseWithEvents file) {
      KycCase found = file.kycCase();
      return new CaseExport(
          found.id().toString(),
          found.status().publicId(),
          CaseFile.PersonView.of(found.person(), found.kind()),
          OrganisationView.of(found.person()),
          found.apk().hex(),
          found.core().hex(),
          found.createdAt(),
          found.decidedAt(),
          found.refusalCode() == null ? null : found.refusalCode().id(),
          found.attestationNote(),
          file.changes().stream().map(change -> ChangeExport.of(change, found.kind())).toList(),
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

    static ChangeExport of(PersonChange change, String kind) {
      return new ChangeExport(
          CaseFile.PersonView.of(change.person(), kind),
          OrganisationView.of(change.person()),
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
          "What is held of a person at this bank, to hand to her, without what could warn a suspect; the view is recorded in each of her cases")
  public ResponseEntity<Export> export(BankScope scope, @PathVariable UUID caseId) {
    List<CaseDecisionService.CaseWithEvents> all =
        erasure.export(caseId, Operator.current().subject());
    CaseDecisionService.CaseWithEvents newest = all.getLast();
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(
            new Export(
                newest.atOtherBanks() && !scope.isEvery()
                    ? null
                    : newest.kycCase().personId().toString(),
                all.stream().map(CaseExport::of).toList(),
                newest.documents(),
                WITHHELD));
  }
}
