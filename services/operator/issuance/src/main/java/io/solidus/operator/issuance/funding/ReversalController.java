package io.solidus.operator.issuance.funding;

import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.funding.FundingReversals.Reversal;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The operators' and approvers' API for reversals of fundings. */
@RestController
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Reversals",
    description =
        "Proposing needs issuance-operator; approving needs money-approver, another person.")
public class ReversalController extends DeskController {
  private final FundingReversals reversals;

  ReversalController(FundingReversals reversals) {
    this.reversals = reversals;
  }

  /**
   * A proposal to take a funding back.
   *
   * @param reason 1 to 500 characters
   * @param recall true when coins were issued and their value becomes a claim; null counts as false
   */
  public record NewReversal(
      @Member(min = 1, max = 500) @Nullable String reason, @Nullable Boolean recall) {}

  /** A reversal; its status is pending, approved or refused. */
  public record ReversalView(
      long reversalId,
      String fundingId,
      String reason,
      boolean recall,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    static ReversalView of(Reversal r) {
      return new ReversalView(
          r.reversalId(),
          r.fundingId(),
          r.reason(),
          r.recall(),
          r.status(),
          r.proposedBy(),
          r.proposedAt(),
          r.decidedBy(),
          r.decidedAt());
    }
  }

  /** A page of reversals; {@code next} is the cursor of the next page, null on the last one. */
  public record ReversalPage(List<ReversalView> reversals, @Nullable Long next) {}

  @PostMapping("/admin/v1/fundings/{fundingId}/reversals")
  @ResponseStatus(HttpStatus.CREATED)
  @PreAuthorize(OPERATES)
  @Operation(summary = "Propose to take a funding back by a reversing entry")
  @Refuses(conflicts = "reversal-exists")
  public ResponseEntity<ReversalView> propose(
      @PathVariable String fundingId, @RequestBody NewReversal body) {
    return uncached(
        HttpStatus.CREATED,
        ReversalView.of(
            reversals.propose(
                fundingId,
                Fields.required(body.reason(), "reason"),
                Boolean.TRUE.equals(body.recall()),
                Operator.current().subject())));
  }

  @GetMapping("/admin/v1/funding-reversals")
  @PreAuthorize(READS)
  @Operation(summary = "Reversals in the order of their proposals, all or of one status")
  public ResponseEntity<ReversalPage> list(
      BankScope scope,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Reversal> page = reversals.page(scope, requireWord(status), cursor, limit);
    return uncached(
        new ReversalPage(
            page.stream().map(ReversalView::of).toList(), next(page, limit, Reversal::reversalId)));
  }

  @PostMapping("/admin/v1/funding-reversals/{reversalId}/approval")
  @PreAuthorize(APPROVES)
  @Operation(summary = "Approve a reversal; its entries are made at once")
  @Refuses(
      conflicts = {
        "books-full",
        "funding-issued",
        "funding-waits",
        "proposal-expired",
        "reversal-decided"
      })
  public ResponseEntity<ReversalView> approve(@PathVariable long reversalId) {
    return uncached(ReversalView.of(reversals.approve(reversalId, Operator.current().subject())));
  }

  @PostMapping("/admin/v1/funding-reversals/{reversalId}/refusal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Refuse a reversal finally")
  @Refuses(conflicts = "reversal-decided")
  public ResponseEntity<ReversalView> refuse(@PathVariable long reversalId) {
    return uncached(ReversalView.of(reversals.refuse(reversalId, Operator.current().subject())));
  }
}
