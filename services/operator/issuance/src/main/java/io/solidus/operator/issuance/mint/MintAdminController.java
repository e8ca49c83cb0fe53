package io.solidus.operator.issuance.mint;

import io.solidus.operator.issuance.books.BookCurrency;
import io.solidus.operator.issuance.books.DeskController;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.MintApprovalJson;
import io.solidus.wire.json.MintStatementJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' and approvers' API for mints. */
@RestController
@RequestMapping("/admin/v1/mints")
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Mint approvals",
    description =
        "Reading needs issuance-operator, money-approver or auditor; approving needs money-approver.")
public class MintAdminController extends DeskController {

  private final Mints mints;
  private final BookCurrency currency;

  MintAdminController(Mints mints, BookCurrency currency) {
    this.mints = mints;
    this.currency = currency;
  }

  /** A mint with the statement that approvers sign; two approvals show their signatures. */
  public record MintView(
      String mintId,
      String status,
      String fundingId,
      long valueMinor,
      String currency,
      MintStatementJson statement,
      List<Approval> approvals,
      Instant requestedAt,
      @Nullable String reason) {

    static MintView of(Mint mint, BookCurrency currency) {
      boolean approved = mint.status() == MintStatus.APPROVED;
      return new MintView(
          Base64Url.encode(mint.id().bytes()),
          mint.status().id(),
          mint.fundingId(),
          mint.statement().value().minor(),
          currency.code(),
          MintStatementJson.of(mint.statement()),
          mint.approvals().stream()
              .map(approval ->
                  new Approval(
                      approval.approver(),
                      approved ? MintApprovalJson.of(approval).signature() : null))
              .toList(),
          mint.requestedAt(),
          mint.reason());
    }
  }

  /**
   * One of the two approvals of a mint.
   *
   * @param signature base64url; null until there are two
   */
  public record Approval(String approver, @Nullable String signature) {}

  /** A page of mints; {@code next} is the cursor of the next page, null on the last one. */
  public record MintPage(List<MintView> mints, @Nullable Long next) {}

  /** A refusal; its reason has 1 to 500 characters. */
  public record Refusal(@Member(min = 1, max = 500) @Nullable String reason) {}

  @GetMapping
  @PreAuthorize(READS)
  @Operation(summary = "Mints in the order of their requests, all or of one status")
  public ResponseEntity<MintPage> list(
      BankScope scope,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Mint> page =
        mints.page(scope, status == null ? null : MintStatus.of(status), cursor, limit);
    return uncached(
        new MintPage(page.stream().map(this::view).toList(), next(page, limit, Mint::sequence)));
  }

  @GetMapping("/{mintId}")
  @PreAuthorize(READS)
  @Operation(summary = "A mint with the statement that approvers sign")
  public ResponseEntity<MintView> view(@PathVariable String mintId) {
    return uncached(view(mints.load(id(mintId))));
  }

  @PostMapping("/{mintId}/approvals")
  @PreAuthorize(APPROVES)
  @Operation(
      summary = "Approve a mint with the approver's signature",
      description =
          "Ed25519 over \"solidus/mint-approval/v1\\n\" || network digest || mint id || value || c_m || k. With the second approval the coin"
              + " counts as issued. A repeated approval by the same approver changes nothing.")
  @Refuses(
      value = {
        RejectionCode.APPROVAL_INVALID,
        RejectionCode.MINT_CONFLICT,
        RejectionCode.MINT_CAP_EXCEEDED
      },
      conflicts = {"books-full", "proposal-expired", "screening-match"})
  public ResponseEntity<MintView> approve(
      @PathVariable String mintId, @RequestBody MintApprovalJson body) {
    MintApproval approval = body.toDomain();
    return uncached(view(mints.approve(id(mintId), approval, Operator.current().subject())));
  }

  @PostMapping("/{mintId}/refusal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Refuse a mint finally; its value is free again")
  @Refuses(RejectionCode.MINT_CONFLICT)
  public ResponseEntity<MintView> refuse(@PathVariable String mintId, @RequestBody Refusal body) {
    String reason = Fields.required(body.reason(), "reason");
    return uncached(view(mints.refuse(id(mintId), reason, Operator.current().subject())));
  }

  private MintView view(Mint mint) {
    return MintView.of(mint, currency);
  }

  private static MintId id(String text) {
    return MintId.of(Base64Url.decode(text, "mintId"));
  }
}
