package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseDecisionService;
import io.solidus.operator.registration.cases.CaseStatus;
import io.solidus.operator.registration.cases.Cursor;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.cases.RefusalCode;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' API for cases. The subject of the access token is recorded as the operator. */
@RestController
@RequestMapping("/admin/v1/kyc/cases")
@PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "KYC cases", description = "Needs the role kyc-operator.")
public class KycController {
  private static final int MAX_PAGE = 200;
  private static final String OLDEST = "oldest";
  private static final String NEWEST = "newest";

  private final CaseDecisionService decisions;

  KycController(CaseDecisionService decisions) {
    this.decisions = decisions;
  }

  /** A page of cases; {@code next} is the cursor of the next page, null on the last one. */
  public record Page(List<CaseSummary> cases, @Nullable String next) {}

  /**
   * An approval. The reason is required for a case in review and for an organisation; the applicant
   * never reads it.
   */
  public record Approval(@Member(optional = true, max = 1000) @Nullable String reason) {}

  /**
   * A refusal.
   *
   * @param code all that the applicant reads: document-unreadable, document-expired,
   *     details-differ, or come-to-the-bank, which says nothing
   * @param reason for the file; the applicant never reads it
   */
  public record Refusal(
      @Nullable String code, @Member(optional = true, max = 1000) @Nullable String reason) {}

  @GetMapping
  @Operation(
      summary =
          "Cases by the time of their submission, oldest first or (sort=newest) newest first; each view of a name is recorded")
  public ResponseEntity<Page> list(
      BankScope scope,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = OLDEST) String sort,
      @RequestParam(required = false) @Nullable String cursor,
      @RequestParam(defaultValue = "50") int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
    if (!sort.equals(OLDEST) && !sort.equals(NEWEST)) {
      throw ProtocolException.malformed("sort is oldest or newest");
    }
    List<KycCase> page =
        decisions.page(
            scope,
            status == null ? null : CaseStatus.of(status),
            cursor == null ? null : Cursor.decode(cursor),
            sort.equals(NEWEST),
            limit);
    decisions.recordListed(page, Operator.current().subject());
    String next = page.size() < limit ? null : CaseDecisionService.after(page).encode();
    return answer(new Page(page.stream().map(CaseSummary::of).toList(), next));
  }

  @GetMapping("/{caseId}")
  @PreAuthorize("hasAnyRole('" + Roles.KYC_OPERATOR + "', '" + Roles.PEOPLE_APPROVER + "')")
  @Operation(summary = "A case with all of its data; each view is recorded")
  public ResponseEntity<CaseFile> view(BankScope scope, @PathVariable UUID caseId) {
    return answer(CaseFile.of(decisions.view(caseId, Operator.current().subject()), scope));
  }

  @PostMapping("/{caseId}/approve")
  @Operation(
      summary =
          "Approves a case and signs its attestation; approving again changes nothing. An organisation needs two officers: after the first its status stays")
  @Refuses(
      conflicts = {
        "address-in-period",
        "address-not-replaced",
        "address-unpublished",
        "case-erased",
        "claimed",
        "decision-conflict",
        "matches-open",
        "phrase-not-lost",
        "possible-duplicate",
        "replacement-unknown",
        "same-person",
        "screening-outdated",
        "screening-pending"
      })
  public ResponseEntity<CaseSummary> approve(
      @PathVariable UUID caseId, @RequestBody(required = false) @Nullable Approval approval) {
    return answer(
        CaseSummary.of(
            decisions.approve(
                caseId,
                Operator.current().subject(),
                approval == null ? null : approval.reason())));
  }

  @PostMapping("/{caseId}/refuse")
  @Operation(summary = "Refuses a case; the applicant reads the code, never the reason")
  @Refuses(conflicts = {"case-erased", "claimed", "decision-conflict"})
  public ResponseEntity<CaseSummary> refuse(
      @PathVariable UUID caseId, @RequestBody Refusal refusal) {
    String code = refusal.code();
    return answer(
        CaseSummary.of(
            decisions.refuse(
                caseId,
                Operator.current().subject(),
                code == null ? null : RefusalCode.of(code),
                refusal.reason())));
  }

  /** No cache may store personal data. */
  private static <T> ResponseEntity<T> answer(T body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }
}
