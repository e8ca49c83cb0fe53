package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.ChangeService;
import io.solidus.operator.registration.wallet.ApplicantReader;
import io.solidus.operator.registration.wallet.OrganisationJson;
import io.solidus.operator.registration.wallet.PersonJson;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operators' API for changes of a registered person's details. */
@RestController
@RequestMapping("/admin/v1/kyc/cases/{caseId}/changes")
@PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "Changes of persons", description = "Needs the role kyc-operator. Two decide.")
public class ChangeController {
  private final ChangeService changes;
  private final ApplicantReader applicants;

  ChangeController(ChangeService changes, ApplicantReader applicants) {
    this.changes = changes;
    this.applicants = applicants;
  }

  /**
   * New details of a person or of an organisation.
   *
   * @param person with all details, the changed ones included
   * @param organisation the same of an organisation
   * @param reason for the file
   */
  public record Change(
      @Nullable PersonJson person,
      @Nullable OrganisationJson organisation,
      @Member(min = 1, max = 1000) @Nullable String reason) {

    @Override
    public String toString() {
      return "Change[redacted]";
    }
  }

  @PostMapping
  @Operation(
      summary = "Proposes new details: a marriage, a renewed document, other owners, a correction")
  @Refuses(conflicts = {"case-erased", "change-waits", "not-approved", "registration-closed"})
  public ResponseEntity<CaseFile> propose(
      BankScope scope, @PathVariable UUID caseId, @RequestBody Change change) {
    return answer(
        CaseFile.of(
            changes.propose(
                caseId,
                applicants.read(change.person(), change.organisation()),
                Operator.current().subject(),
                change.reason()),
            scope));
  }

  @PostMapping("/{changeId}/accept")
  @Operation(summary = "Screens the new details and makes them the person's; needs another officer")
  @Refuses(
      conflicts = {
        "case-erased",
        "decision-conflict",
        "not-approved",
        "registration-closed",
        "same-person",
        "screening-pending"
      })
  public ResponseEntity<CaseFile> accept(
      BankScope scope, @PathVariable UUID caseId, @PathVariable UUID changeId) {
    return answer(
        CaseFile.of(changes.accept(caseId, changeId, Operator.current().subject()), scope));
  }

  @PostMapping("/{changeId}/refuse")
  @Operation(summary = "Refuses new details")
  @Refuses(conflicts = {"case-erased", "decision-conflict", "not-approved"})
  public ResponseEntity<CaseFile> refuse(
      BankScope scope, @PathVariable UUID caseId, @PathVariable UUID changeId) {
    return answer(
        CaseFile.of(changes.refuse(caseId, changeId, Operator.current().subject()), scope));
  }

  private static ResponseEntity<CaseFile> answer(CaseFile file) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(file);
  }
}
