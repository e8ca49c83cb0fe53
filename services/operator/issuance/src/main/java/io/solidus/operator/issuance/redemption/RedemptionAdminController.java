package io.solidus.operator.issuance.redemption;

import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' API for payouts, with their accounts. */
@RestController
@PreAuthorize("hasRole('" + Roles.ISSUANCE_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "Payouts", description = "Needs the role issuance-operator.")
public class RedemptionAdminController {
  private static final int MAX_PAGE = 200;

  private final Redemptions redemptions;

  RedemptionAdminController(Redemptions redemptions) {
    this.redemptions = redemptions;
  }

  /**
   * A payout with its account.
   *
   * @param ibanValid whether the account's check digits are correct; if not, an operator has to
   *     find out the right account
   */
  public record PayoutView(
      String leadSerial,
      String core,
      String status,
      long amountMinor,
      String endToEndId,
      Instant acceptedAt,
      String creditorName,
      String iban,
      boolean ibanValid,
      String reference) {
    @Override
    public String toString() {
      return "PayoutView[" + endToEndId + "]";
    }
  }

  /** A page of payouts; {@code next} is the cursor of the next page, null on the last one. */
  public record PayoutPage(List<PayoutView> redemptions, @Nullable Long next) {}

  @GetMapping("/admin/v1/redemptions")
  @Operation(summary = "Payouts in the order of acceptance; each view is recorded")
  public ResponseEntity<PayoutPage> list(
      @RequestParam(defaultValue = "0") long cursor, @RequestParam(defaultValue = "50") int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
    List<Redemption> page = redemptions.page(cursor, limit, Operator.current().subject());
    Long next = page.size() < limit ? null : Long.valueOf(page.getLast().sequence());
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(new PayoutPage(page.stream().map(this::view).toList(), next));
  }

  private PayoutView view(Redemption redemption) {
    Payout payout = redemptions.payout(redemption);
    return new PayoutView(
        Base64Url.encode(redemption.lead().bytes()),
        redemption.core().hex(),
        "accepted",
        redemption.amount().minor(),
        redemption.endToEndId(),
        redemption.acceptedAt(),
        payout.creditorName(),
        payout.account(),
        payout.hasValidIban(),
        payout.reference());
  }
}
