package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.Disposition;
import io.solidus.operator.registration.cases.MatchService;
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

/** The operators' API for matches with sanction lists. */
@RestController
@RequestMapping("/admin/v1/kyc")
@PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "Matches", description = "Needs the role kyc-operator.")
public class MatchController {
  private static final int MAX_PAGE = 200;

  private final MatchService matches;

  MatchController(MatchService matches) {
    this.matches = matches;
  }

  /**
   * What an officer found out about one match.
   *
   * @param key of the match in the file
   * @param entryDigest of the match in the file
   * @param verdict false-positive or true-match
   * @param reason for the file
   */
  public record DispositionRequest(
      @Member @Nullable String key,
      @Member @Nullable String entryDigest,
      @Member(pattern = "false-positive|true-match") @Nullable String verdict,
      @Member(min = 1, max = 1000) @Nullable String reason) {}

  /**
   * A person or organisation with open matches.
   *
   * @param kind person or organisation
   * @param name the whole name
   * @param givenName null of an organisation
   * @param familyName null of an organisation
   */
  public record AlertView(
      String caseId,
      String kind,
      String name,
      @Nullable String givenName,
      @Nullable String familyName,
      int openMatches) {

    static AlertView of(MatchService.Alert alert) {
      return new AlertView(
          alert.kycCase().id().toString(),
          alert.kycCase().kind(),
          alert.kycCase().person().fullName(),
          ListedName.given(alert.kycCase()),
          ListedName.family(alert.kycCase()),
          alert.openMatches());
    }

    @Override
    public String toString() {
      return "AlertView[" + caseId + "]";
    }
  }

  /** A page of alerts; {@code next} is what to give as {@code after}, null on the last page. */
  public record Alerts(List<AlertView> alerts, @Nullable String next) {}

  @PostMapping("/cases/{caseId}/dispositions")
  @Operation(
      summary = "Says of one match whether it is the person; counts until entry or person changes")
  @Refuses(conflicts = {"case-erased", "decision-conflict", "match-changed"})
  public ResponseEntity<CaseFile> dispose(
      BankScope scope, @PathVariable UUID caseId, @RequestBody DispositionRequest request) {
    return answer(
        CaseFile.of(
            matches.dispose(
                caseId,
                request.key(),
                request.entryDigest(),
                Disposition.Verdict.of(request.verdict()),
                Operator.current().subject(),
                request.reason()),
            scope));
  }

  @PostMapping("/cases/{caseId}/dispositions/confirm")
  @PreAuthorize("hasRole('" + Roles.PEOPLE_APPROVER + "')")
  @Operation(
      summary =
          "Confirms that a match is not the person, as another officer said; with true-match it says that it is. Needs people-approver")
  @Refuses(
      conflicts = {
        "case-erased",
        "decision-conflict",
        "match-changed",
        "nothing-to-confirm",
        "same-person"
      })
  public ResponseEntity<CaseFile> confirm(
      BankScope scope, @PathVariable UUID caseId, @RequestBody DispositionRequest request) {
    return answer(
        CaseFile.of(
            matches.confirm(
                caseId,
                request.key(),
                request.entryDigest(),
                Disposition.Verdict.of(request.verdict()),
                Operator.current().subject(),
                request.reason()),
            scope));
  }

  @GetMapping("/confirmations")
  @PreAuthorize("hasAnyRole('" + Roles.KYC_OPERATOR + "', '" + Roles.PEOPLE_APPROVER + "')")
  @Operation(
      summary = "Cases with a match that one officer has called false and another has to confirm")
  public ResponseEntity<Alerts> confirmations(
      BankScope scope,
      @RequestParam(required = false) @Nullable UUID after,
      @RequestParam(defaultValue = "50") int limit) {
    return page(
        limit, matches.unconfirmed(scope, after, checked(limit), Operator.current().subject()));
  }

  @GetMapping("/alerts")
  @Operation(summary = "Approved persons whom a newer list matches, and who wait for an officer")
  public ResponseEntity<Alerts> alerts(
      BankScope scope,
      @RequestParam(required = false) @Nullable UUID after,
      @RequestParam(defaultValue = "50") int limit) {
    return page(limit, matches.alerts(scope, after, checked(limit), Operator.current().subject()));
  }

  private static ResponseEntity<Alerts> page(int limit, List<MatchService.Alert> found) {
    List<AlertView> page = found.stream().map(AlertView::of).toList();
    return answer(new Alerts(page, page.size() < limit ? null : page.getLast().caseId()));
  }

  private static int checked(int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
    return limit;
  }

  private static <T> ResponseEntity<T> answer(T body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }
}
