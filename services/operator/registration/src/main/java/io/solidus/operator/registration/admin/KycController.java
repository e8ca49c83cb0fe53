package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.CaseConflictException;
import io.solidus.operator.registration.cases.CaseDecisionService;
import io.solidus.operator.registration.cases.CaseStatus;
import io.solidus.operator.registration.cases.Cursor;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.ExceptionHandler;
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

  private final CaseDecisionService decisions;

  KycController(CaseDecisionService decisions) {
    this.decisions = decisions;
  }

  /** A page of cases; {@code next} is the cursor of the next page, null on the last one. */
  public record Page(List<CaseSummary> cases, @Nullable String next) {}

  /** A decision. The reason is required to refuse a case and to approve a case in review. */
  public record Decision(@Nullable String reason) {}

  @GetMapping
  @Operation(summary = "Cases, oldest first; each view of a name is recorded")
  public ResponseEntity<Page> list(
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(required = false) @Nullable String cursor,
      @RequestParam(defaultValue = "50") int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
    List<KycCase> page =
        decisions.page(
            status == null ? null : CaseStatus.of(status),
            cursor == null ? null : Cursor.decode(cursor),
            limit);
    decisions.recordListed(page, Operator.current().subject());
    String next = page.size() < limit ? null : CaseDecisionService.after(page).encode();
    return answer(new Page(page.stream().map(CaseSummary::of).toList(), next));
  }

  @GetMapping("/{caseId}")
  @Operation(summary = "A case with all of its data; each view is recorded")
  public ResponseEntity<CaseFile> view(@PathVariable UUID caseId) {
    return answer(CaseFile.of(decisions.view(caseId, Operator.current().subject())));
  }

  @PostMapping("/{caseId}/approve")
  @Operation(summary = "Approves a case and signs its attestation; approving again changes nothing")
  public ResponseEntity<CaseSummary> approve(
      @PathVariable UUID caseId, @RequestBody(required = false) @Nullable Decision decision) {
    return answer(
        CaseSummary.of(decisions.approve(caseId, Operator.current().subject(), reason(decision))));
  }

  @PostMapping("/{caseId}/refuse")
  @Operation(summary = "Refuses a case; the applicant can read the reason")
  public ResponseEntity<CaseSummary> refuse(
      @PathVariable UUID caseId, @RequestBody(required = false) @Nullable Decision decision) {
    return answer(
        CaseSummary.of(decisions.refuse(caseId, Operator.current().subject(), reason(decision))));
  }

  @ExceptionHandler
  ResponseEntity<Problem> conflict(CaseConflictException e) {
    CaseConflictException.Kind kind = e.kind();
    return ProblemResponses.answer(
        HttpStatus.CONFLICT.value(), kind.code(), kind.detail(), kind.retryable());
  }

  private static @Nullable String reason(@Nullable Decision decision) {
    return decision == null ? null : decision.reason();
  }

  /** No cache may store personal data. */
  private static <T> ResponseEntity<T> answer(T body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }
}
