package io.solidus.operator.issuance.books;

import io.solidus.platform.security.Roles;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operators' and auditors' API for the supply. */
@RestController
@SecurityRequirement(name = "bearer")
@Tag(name = "Supply", description = "Needs the role issuance-operator, approver or auditor.")
public class SupplyController {
  private final Ledger ledger;

  SupplyController(Ledger ledger) {
    this.ledger = ledger;
  }

  @GetMapping("/admin/v1/supply")
  @PreAuthorize(
      "hasAnyRole('"
          + Roles.ISSUANCE_OPERATOR
          + "', '"
          + Roles.MONEY_APPROVER
          + "', '"
          + Roles.AUDITOR
          + "')")
  @Operation(summary = "The sums ever issued and redeemed, in minor units")
  public ResponseEntity<Supply> supply() {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(ledger.supply());
  }
}
