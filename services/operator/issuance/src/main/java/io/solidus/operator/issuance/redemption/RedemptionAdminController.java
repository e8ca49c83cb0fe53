package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.BookCurrency;
import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.redemption.PayoutBatches.Batch;
import io.solidus.operator.issuance.redemption.PayoutBatches.Proposal;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.bank.Banks;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The operators' and approvers' API for payouts and their batches. */
@RestController
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Payouts",
    description =
        "Reading needs issuance-operator, money-approver or auditor; proposing a batch and reporting an outcome need issuance-operator;"
            + " releasing needs money-approver, another person than the proposer.")
public class RedemptionAdminController extends DeskController {

  private final Redemptions redemptions;
  private final PayoutStates states;
  private final PayoutBatches batches;
  private final BatchMessages messages;
  private final BookCurrency currency;
  private final Banks banks;

  RedemptionAdminController(
      Redemptions redemptions,
      PayoutStates states,
      PayoutBatches batches,
      BatchMessages messages,
      BookCurrency currency,
      Banks banks) {
    this.redemptions = redemptions;
    this.states = states;
    this.batches = batches;
    this.messages = messages;
    this.currency = currency;
    this.banks = banks;
  }

  /**
   * A payout with its account.
   *
   * @param bank that holds the account; null: none of the platform's
   * @param status accepted, sent, settled, failed or returned
   * @param attempt counts from 1 how often the money was to be sent
   * @param statusReason why it failed or came back, or null
   * @param batchId the batch of this attempt, or null
   * @param ibanValid whether the account's check digits are correct; if not, no batch takes it
   * @param hold why no batch takes it: none (one does), iban-invalid, agent-unknown, screening, or
   *     unexamined until the next proposal of a batch
   */
  public record PayoutView(
      String leadSerial,
      String core,
      @Nullable String bank,
      String status,
      int attempt,
      @Nullable String statusReason,
      Instant statusAt,
      @Nullable String batchId,
      long amountMinor,
      String currency,
      String endToEndId,
      Instant acceptedAt,
      String creditorName,
      String iban,
      boolean ibanValid,
      String hold,
      String reference) {
    @Override
    public String toString() {
      return "PayoutView[" + endToEndId + "]";
    }
  }

  /** A page of payouts; {@code next} is the cursor of the next page, null on the last one. */
  public record PayoutPage(List<PayoutView> redemptions, @Nullable Long next) {}

  /**
   * What became of a payout.
   *
   * @param status settled, failed, returned, or accepted to try again
   * @param reason 1 to 500 characters, required when it failed or came back
   */
  public record Outcome(
      @Member(pattern = "settled|failed|returned|accepted") @Nullable String status,
      @Member(optional = true, min = 1, max = 500) @Nullable String reason) {}

  /**
   * A batch to propose.
   *
   * @param limit 1 to 1000, null for 1000
   * @param bank whose customers are paid; null: the caller's, and for the centre's staff what
   *     belongs to no bank
   */
  public record NewBatch(
      @Member(optional = true, min = 1, max = 1000) @Nullable Integer limit,
      @Nullable String bank) {}

  /**
   * A batch; its status is pending, released or withdrawn.
   *
   * @param bank whose customers are paid; null: nobody's
   */
  public record BatchView(
      String batchId,
      @Nullable String bank,
      String status,
      int count,
      long totalMinor,
      String currency,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  /** A new batch; {@code leftOut} has the end-to-end ids of the oldest payouts on hold. */
  public record ProposalView(BatchView batch, List<String> leftOut) {}

  /** A batch with its payouts. */
  public record BatchWithPayouts(BatchView batch, List<PayoutView> payouts) {}

  /** A page of batches; {@code next} is the cursor of the next page, null on the last one. */
  public record BatchPage(List<BatchView> batches, @Nullable Long next) {}

  @GetMapping("/admin/v1/redemptions")
  @PreAuthorize(READS)
  @Operation(
      summary = "Payouts in the order of acceptance, all or of one status; each view is recorded",
      description =
          "held=true shows only accepted payouts that no batch takes: two persons have to correct the payee.")
  public ResponseEntity<PayoutPage> list(
      BankScope scope,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "false") boolean held,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Redemption> page =
        redemptions.page(
            scope,
            status == null ? null : PayoutState.of(status),
            held,
            cursor,
            limit,
            Operator.current().subject());
    return uncached(
        new PayoutPage(
            page.stream().map(this::view).toList(), next(page, limit, Redemption::sequence)));
  }

  @PostMapping("/admin/v1/redemptions/{leadSerial}/outcome")
  @PreAuthorize(OPERATES)
  @Operation(
      summary = "Report what the bank did with a payout",
      description =
          "sent to settled or failed, settled to returned, failed or returned to accepted. 409 payout-state otherwise.")
  @Refuses(conflicts = {"bank-decides", "books-full", "payout-disputed", "payout-state"})
  public ResponseEntity<PayoutView> report(
      @PathVariable String leadSerial, @RequestBody Outcome body) {
    PayoutState next = PayoutState.of(Fields.required(body.status(), "status"));
    SerialNumber lead = SerialNumber.of(Base64Url.decode(leadSerial, "leadSerial"));
    if (next != PayoutState.ACCEPTED && messages.areUsed()) {
      throw new DeskConflictException(
          "bank-decides", "with a bank configured, its messages say what became of a payout");
    }
    states.move(lead, next, body.reason(), Operator.current().subject());
    return uncached(view(redemptions.load(lead)));
  }

  @PostMapping("/admin/v1/payout-batches")
  @ResponseStatus(HttpStatus.CREATED)
  @PreAuthorize(OPERATES)
  @Operation(summary = "Propose a batch of the oldest accepted payouts with a valid IBAN")
  @Refuses(
      conflicts = "nothing-to-pay",
      own =
          @Refuses.Own(
              status = 400,
              codes = {"bank-needed", "unknown-bank"}))
  public ResponseEntity<ProposalView> propose(BankScope scope, @RequestBody NewBatch body) {
    Integer limit = body.limit();
    Proposal proposal =
        batches.propose(
            bank(scope, body.bank()),
            limit == null ? PayoutBatches.MAX_ITEMS : limit,
            Operator.current().subject());
    return uncached(
        HttpStatus.CREATED, new ProposalView(view(proposal.batch()), proposal.leftOut()));
  }

  private @Nullable String bank(BankScope scope, @Nullable String named) {
    return scope.isEvery() && named == null
        ? banks.unnamed().orElse(null)
        : banks.choose(scope, named);
  }

  @GetMapping("/admin/v1/payout-batches")
  @PreAuthorize(READS)
  @Operation(summary = "Batches in the order of their proposals, all or of one status")
  public ResponseEntity<BatchPage> batches(
      BankScope scope,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Batch> page = batches.page(scope, requireWord(status), cursor, limit);
    return uncached(
        new BatchPage(page.stream().map(this::view).toList(), next(page, limit, Batch::sequence)));
  }

  @GetMapping("/admin/v1/payout-batches/{batchId}")
  @PreAuthorize(READS)
  @Operation(summary = "A batch with its payouts and their accounts; each view is recorded")
  public ResponseEntity<BatchWithPayouts> batch(@PathVariable String batchId) {
    Batch batch = batches.load(batchId);
    return uncached(
        new BatchWithPayouts(
            view(batch),
            batches.items(batchId, Operator.current().subject()).stream()
                .map(this::view)
                .toList()));
  }

  @GetMapping(path = "/admin/v1/payout-batches/{batchId}/message")
  @PreAuthorize(OPERATES)
  @Operation(
      summary = "The message to the bank of a released batch, the same at each call",
      description = "pain.001.001.09 or pacs.008.001.08, as configured; each view is recorded.")
  @ApiResponse(
      responseCode = "200",
      content =
          @Content(mediaType = MediaType.APPLICATION_XML_VALUE, schema = @Schema(type = "string")))
  @Refuses(
      conflicts = {"agent-unknown", "bank-unknown", "batch-not-released", "message-unwritable"})
  public ResponseEntity<byte[]> message(@PathVariable String batchId) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_XML)
        .cacheControl(CacheControl.noStore())
        .body(batches.message(batchId, Operator.current().subject()));
  }

  @PostMapping("/admin/v1/payout-batches/{batchId}/release")
  @PreAuthorize(APPROVES)
  @Operation(
      summary = "Release a batch that another person proposed; its payouts are sent",
      description =
          "Screens the payees once more and writes the file for the bank in the same step. 409 screening-match: withdraw the batch. 409 agent-unknown or message-unwritable: the file cannot be written, and nothing is sent.")
  @Refuses(
      conflicts = {
        "agent-unknown",
        "batch-decided",
        "books-full",
        "message-unwritable",
        "payout-disputed",
        "payout-state",
        "proposal-expired",
        "screening-match"
      })
  public ResponseEntity<BatchView> release(@PathVariable String batchId) {
    return uncached(view(batches.release(batchId, Operator.current().subject())));
  }

  @PostMapping("/admin/v1/payout-batches/{batchId}/withdrawal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Withdraw a batch; its payouts wait for another one")
  @Refuses(conflicts = "batch-decided")
  public ResponseEntity<BatchView> withdraw(@PathVariable String batchId) {
    return uncached(view(batches.withdraw(batchId, Operator.current().subject())));
  }

  private BatchView view(Batch b) {
    return new BatchView(
        b.batchId(),
        b.bank(),
        b.status(),
        b.count(),
        b.total().minor(),
        currency.code(),
        b.proposedBy(),
        b.proposedAt(),
        b.decidedBy(),
        b.decidedAt());
  }

  private PayoutView view(Redemption redemption) {
    Payout payout = redemptions.payout(redemption);
    return new PayoutView(
        Base64Url.encode(redemption.lead().bytes()),
        redemption.core().hex(),
        redemption.bank(),
        redemption.state().id(),
        redemption.attempt(),
        redemption.reason(),
        redemption.changedAt(),
        redemption.batchId(),
        redemption.amount().minor(),
        currency.code(),
        redemption.endToEndId(),
        redemption.acceptedAt(),
        payout.creditorName(),
        payout.account(),
        payout.hasValidIban(),
        redemption.hold().id(),
        payout.reference());
  }
}
