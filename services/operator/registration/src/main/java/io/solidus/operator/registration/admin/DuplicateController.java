package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.DuplicateDecisionService;
import io.solidus.operator.registration.cases.DuplicateVerdict;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
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
import org.springframework.web.bind.annotation.RestController;

/** The operators' API for cases that may be of one person. */
@RestController
@RequestMapping("/admin/v1/kyc/cases/{caseId}/duplicates")
@PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "Possible duplicates", description = "Needs the role kyc-operator. Two decide.")
public class DuplicateController {
  private final DuplicateDecisionService decisions;

  DuplicateController(DuplicateDecisionService decisions) {
    this.decisions = decisions;
  }

  /** A case beside each other case that may be of the same person. */
  public record SideBySide(CaseFile file, List<CaseFile> others) {}

  /**
   * An officer's verdict.
   *
   * @param verdict duplicate: the case is refused and its document becomes the earlier person's;
   *     other-person: the case goes on; registers-again: it goes on as the earlier person's, whose
   *     registration is closed because she lost her phrase
   * @param reason for the file
   */
  public record Verdict(
      @Member(pattern = "duplicate|other-person|registers-again") @Nullable String verdict,
      @Member(min = 1, max = 1000) @Nullable String reason) {}

  @GetMapping
  @Operation(summary = "The files side by side; the view is recorded in each")
  public ResponseEntity<SideBySide> view(BankScope scope, @PathVariable UUID caseId) {
    DuplicateDecisionService.Review review =
        decisions.review(scope, caseId, Operator.current().subject());
    return answer(
        new SideBySide(
            CaseFile.of(review.file(), scope),
            review.others().stream().map(other -> CaseFile.of(other, scope)).toList()));
  }

  @PostMapping("/{otherId}")
  @Operation(summary = "Gives a verdict on two cases; it counts when a second officer agrees")
  @Refuses(conflicts = {"case-erased", "decision-conflict", "phrase-not-lost", "verdict-given"})
  public ResponseEntity<CaseSummary> decide(
      @PathVariable UUID caseId, @PathVariable UUID otherId, @RequestBody Verdict verdict) {
    return answer(
        CaseSummary.of(
            decisions.decide(
                caseId,
                otherId,
                Operator.current().subject(),
                DuplicateVerdict.of(verdict.verdict()),
                verdict.reason())));
  }

  private static <T> ResponseEntity<T> answer(T body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }
}
