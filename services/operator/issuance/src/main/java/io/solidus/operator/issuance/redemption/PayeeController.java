package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.redemption.PayeeCorrections.Correction;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.json.Base64Url;
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

/** The operators' and approvers' API for corrected payees. */
@RestController
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Payees",
    description =
        "Proposing needs issuance-operator; approving needs money-approver, another person.")
public class PayeeController extends DeskController {
  private final PayeeCorrections corrections;

  PayeeController(PayeeCorrections corrections) {
    this.corrections = corrections;
  }

  /**
   * Another payee.
   *
   * @param creditorName 1 to 140 characters
   * @param iban with valid check digits
   * @param reason 1 to 500 characters
   */
  public record NewPayee(
      @Member(min = 1, max = 140) @Nullable String creditorName,
      @Member @Nullable String iban,
      @Member(min = 1, max = 500) @Nullable String reason) {
    @Override
    public String toString() {
      return "NewPayee[redacted]";
    }
  }

  /** A correction; its status is pending, approved or refused. */
  public record CorrectionView(
      long correctionId,
      String leadSerial,
      String creditorName,
      String iban,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    static CorrectionView of(Correction c) {
      return new CorrectionView(
          c.correctionId(),
          Base64Url.encode(c.lead().bytes()),
          c.payee().creditorName(),
          c.payee().account(),
          c.reason(),
          c.status(),
          c.proposedBy(),
          c.proposedAt(),
          c.decidedBy(),
          c.decidedAt());
    }

    @Override
    public String toString() {
      return "CorrectionView[" + correctionId + "]";
    }
  }

  /** A page of corrections; {@code next} is the cursor of the next page, null on the last one. */
  public record CorrectionPage(List<CorrectionView> corrections, @Nullable Long next) {}

  @PostMapping("/admin/v1/redemptions/{leadSerial}/payee")
  @ResponseStatus(HttpStatus.CREATED)
  @PreAuthorize(OPERATES)
  @Operation(summary = "Propose another payee for a payout that is accepted and in no batch")
  @Refuses(conflicts = {"correction-exists", "payout-state"})
  public ResponseEntity<CorrectionView> propose(
      @PathVariable String leadSerial, @RequestBody NewPayee body) {
    return uncached(
        HttpStatus.CREATED,
        CorrectionView.of(
            corrections.propose(
                SerialNumber.of(Base64Url.decode(leadSerial, "leadSerial")),
                Fields.required(body.creditorName(), "creditorName"),
                Fields.required(body.iban(), "iban"),
                Fields.required(body.reason(), "reason"),
                Operator.current().subject())));
  }

  @GetMapping("/admin/v1/payee-corrections")
  @PreAuthorize(READS)
  @Operation(summary = "Corrections in the order of their proposals; each view is recorded")
  public ResponseEntity<CorrectionPage> list(
      BankScope scope,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Correction> page =
        corrections.page(scope, requireWord(status), cursor, limit, Operator.current().subject());
    return uncached(
        new CorrectionPage(
            page.stream().map(CorrectionView::of).toList(),
            next(page, limit, Correction::correctionId)));
  }

  @PostMapping("/admin/v1/payee-corrections/{correctionId}/approval")
  @PreAuthorize(APPROVES)
  @Operation(summary = "Approve another payee that another person proposed")
  @Refuses(conflicts = {"correction-decided", "payout-state", "proposal-expired"})
  public ResponseEntity<CorrectionView> approve(@PathVariable long correctionId) {
    return uncached(
        CorrectionView.of(corrections.approve(correctionId, Operator.current().subject())));
  }

  @PostMapping("/admin/v1/payee-corrections/{correctionId}/refusal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Refuse a correction finally")
  @Refuses(conflicts = "correction-decided")
  public ResponseEntity<CorrectionView> refuse(@PathVariable long correctionId) {
    return uncached(
        CorrectionView.of(corrections.refuse(correctionId, Operator.current().subject())));
  }
}
