package io.solidus.operator.issuance.funding;

import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
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
import org.springframework.web.bind.annotation.RestController;

/** The operators' API for money received at the bank. */
@RestController
@RequestMapping("/admin/v1/fundings")
@PreAuthorize("hasRole('" + Roles.ISSUANCE_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "Fundings", description = "Needs the role issuance-operator.")
public class FundingController {
  private final Fundings fundings;

  FundingController(Fundings fundings) {
    this.fundings = fundings;
  }

  /**
   * Received money.
   *
   * @param fundingId 1 to 64 characters of A-Z a-z 0-9 . _ : -
   * @param holderPersonTag 32 bytes, base64url; this or the account is required
   * @param accountReference the sender's account, 1 to 140 characters
   */
  public record NewFunding(
      @Nullable String fundingId,
      @Nullable Long amountMinor,
      @Nullable String holderPersonTag,
      @Nullable String accountReference) {
    @Override
    public String toString() {
      return "NewFunding[" + fundingId + "]";
    }
  }

  /** A funding and its new access token, which no later answer contains. */
  public record Recorded(String fundingId, String accessToken) {
    @Override
    public String toString() {
      return "Recorded[" + fundingId + "]";
    }
  }

  /** A funding; {@code remainingMinor} is not yet reserved by a mint. */
  public record FundingView(
      String fundingId,
      long amountMinor,
      long remainingMinor,
      @Nullable String holderPersonTag,
      @Nullable String accountReference,
      String recordedBy,
      Instant recordedAt) {
    @Override
    public String toString() {
      return "FundingView[" + fundingId + "]";
    }
  }

  @PostMapping
  @Operation(summary = "Records received money; only this answer contains the access token")
  public ResponseEntity<Recorded> record(@RequestBody NewFunding body) {
    String fundingId = Fields.required(body.fundingId(), "fundingId");
    String tag = body.holderPersonTag();
    AccessToken token =
        fundings.record(
            fundingId,
            new Amount(Fields.required(body.amountMinor(), "amountMinor")),
            tag == null ? null : new Digest32(Base64Url.decode(tag, "holderPersonTag")),
            body.accountReference(),
            Operator.current().subject());
    return uncached(HttpStatus.CREATED, new Recorded(fundingId, token.text()));
  }

  @GetMapping("/{fundingId}")
  @Operation(summary = "A funding; each view is recorded")
  public ResponseEntity<FundingView> view(@PathVariable String fundingId) {
    Funding funding = fundings.view(fundingId, Operator.current().subject());
    Digest32 tag = funding.holderTag();
    return uncached(
        HttpStatus.OK,
        new FundingView(
            funding.fundingId(),
            funding.amount().minor(),
            funding.remaining().minor(),
            tag == null ? null : Base64Url.encode(tag.bytes()),
            fundings.reference(funding).orElse(null),
            funding.recordedBy(),
            funding.recordedAt()));
  }

  @PostMapping("/{fundingId}/access-token")
  @Operation(
      summary =
          "Replaces a lost access token; only for the operator who recorded the funding, before any mint")
  public ResponseEntity<Recorded> replaceToken(@PathVariable String fundingId) {
    AccessToken token = fundings.replaceToken(fundingId, Operator.current().subject());
    return uncached(HttpStatus.OK, new Recorded(fundingId, token.text()));
  }

  @ExceptionHandler
  ResponseEntity<Problem> conflict(FundingConflictException e) {
    return ProblemResponses.answer(
        HttpStatus.CONFLICT.value(), "funding-conflict", String.valueOf(e.getMessage()), false);
  }

  private static <T> ResponseEntity<T> uncached(HttpStatus status, T body) {
    return ResponseEntity.status(status).cacheControl(CacheControl.noStore()).body(body);
  }
}
