package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.WaitingCases;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Roles;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** How much waits, for an officer's first page. */
@RestController
@PreAuthorize("hasAnyRole('" + Roles.KYC_OPERATOR + "', '" + Roles.PEOPLE_APPROVER + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "KYC cases", description = "Needs the role kyc-operator.")
public class QueueController {
  private final WaitingCases waiting;

  QueueController(WaitingCases waiting) {
    this.waiting = waiting;
  }

  /** The queues in which something waits. */
  public record Queues(List<WaitingCases.Queue> queues) {}

  @GetMapping("/admin/v1/kyc/queues")
  @Operation(summary = "How many cases wait in each state; without names, so no view is recorded")
  public ResponseEntity<Queues> queues(BankScope scope) {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(new Queues(waiting.queues(scope)));
  }
}
