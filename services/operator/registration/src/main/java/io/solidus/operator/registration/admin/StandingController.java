package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.Standing;
import io.solidus.operator.registration.cases.StandingService;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
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
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' API that suspends, resumes, closes and erases registrations. */
@RestController
@RequestMapping("/admin/v1/kyc")
@PreAuthorize("hasAnyRole('" + Roles.KYC_OPERATOR + "', '" + Roles.PEOPLE_APPROVER + "')")
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Standing of registered persons",
    description =
        "kyc-operator proposes, people-approver accepts. Nothing here stops an address: list it at the sanctions service.")
public class StandingController {
  private static final int MAX_PAGE = 200;

  private final StandingService standing;

  StandingController(StandingService standing) {
    this.standing = standing;
  }

  /**
   * A proposed step.
   *
   * @param kind suspend, resume, close or erase; a refused case can only be erased
   * @param reason for the file; the person never reads it
   * @param cause of a closing: phrase-lost when she registers again; or missing
   */
  public record StepRequest(
      @Member(pattern = "suspend|resume|close|erase") @Nullable String kind,
      @Member(min = 1, max = 1000) @Nullable String reason,
      @Member(optional = true, pattern = "phrase-lost") @Nullable String cause) {}

  /**
   * A step of a registration.
   *
   * @param kind suspend, resume, close or erase
   * @param cause of a closing: phrase-lost, or null
   * @param verdict accepted, refused or expired; null until it is decided
   */
  public record StepView(
      String stepId,
      String kind,
      @Nullable String cause,
      String reason,
      String proposedBy,
      Instant proposedAt,
      @Nullable String verdict,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {

    static StepView of(Standing.Step step) {
      return new StepView(
          step.id().toString(),
          step.kind().id(),
          step.cause(),
          step.reason(),
          step.proposedBy(),
          step.proposedAt(),
          step.verdict(),
          step.decidedBy(),
          step.decidedAt());
    }

    @Override
    public String toString() {
      return "StepView[" + stepId + "]";
    }
  }

  /**
   * A step that waits for another person.
   *
   * @param kind person or organisation
   * @param name the whole name
   * @param givenName null of an organisation
   * @param familyName null of an organisation
   */
  public record WaitingView(
      String caseId,
      String kind,
      String name,
      @Nullable String givenName,
      @Nullable String familyName,
      StepView step) {

    @Override
    public String toString() {
      return "WaitingView[" + caseId + "]";
    }
  }

  /** A page of steps; {@code next} is what to give as {@code after}, null on the last page. */
  public record Steps(List<WaitingView> steps, @Nullable String next) {}

  @PostMapping("/cases/{caseId}/steps")
  @PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
  @Operation(
      summary =
          "Proposes to suspend, resume or close a registration, or to erase a closed one or a refused case")
  @Refuses(
      conflicts = {
        "case-erased",
        "not-approved",
        "retention-unmet",
        "step-impossible",
        "step-waits"
      })
  public ResponseEntity<CaseFile> propose(
      BankScope scope, @PathVariable UUID caseId, @RequestBody StepRequest request) {
    return answer(
        CaseFile.of(
            standing.propose(
                caseId,
                Standing.Kind.of(request.kind()),
                request.cause(),
                Operator.current().subject(),
                request.reason()),
            scope));
  }

  @PostMapping("/cases/{caseId}/steps/{stepId}/accept")
  @PreAuthorize("hasRole('" + Roles.PEOPLE_APPROVER + "')")
  @Operation(summary = "Accepts a step that somebody else proposed; needs people-approver")
  @Refuses(
      conflicts = {
        "case-erased",
        "decision-conflict",
        "not-approved",
        "retention-unmet",
        "same-person",
        "step-impossible"
      })
  public ResponseEntity<CaseFile> accept(
      BankScope scope, @PathVariable UUID caseId, @PathVariable UUID stepId) {
    return answer(
        CaseFile.of(standing.accept(caseId, stepId, Operator.current().subject()), scope));
  }

  @PostMapping("/cases/{caseId}/steps/{stepId}/refuse")
  @Operation(summary = "Refuses a step, or takes it back")
  @Refuses(conflicts = {"case-erased", "decision-conflict", "not-approved"})
  public ResponseEntity<CaseFile> refuse(
      BankScope scope, @PathVariable UUID caseId, @PathVariable UUID stepId) {
    return answer(
        CaseFile.of(standing.refuse(caseId, stepId, Operator.current().subject()), scope));
  }

  @GetMapping("/steps")
  @Operation(summary = "Steps that wait for another person; each view of a name is recorded")
  public ResponseEntity<Steps> waiting(
      BankScope scope,
      @RequestParam(required = false) @Nullable UUID after,
      @RequestParam(defaultValue = "50") int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
    List<WaitingView> page =
        standing.waiting(scope, after, limit, Operator.current().subject()).stream()
            .map(each ->
                new WaitingView(
                    each.kycCase().id().toString(),
                    each.kycCase().kind(),
                    each.kycCase().person().fullName(),
                    ListedName.given(each.kycCase()),
                    ListedName.family(each.kycCase()),
                    StepView.of(each.step())))
            .toList();
    return answer(new Steps(page, page.size() < limit ? null : page.getLast().step().stepId()));
  }

  private static <T> ResponseEntity<T> answer(T body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }
}
