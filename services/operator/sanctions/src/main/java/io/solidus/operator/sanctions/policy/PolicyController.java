package io.solidus.operator.sanctions.policy;

import static io.solidus.protocol.RejectionCode.NOT_FOUND;

import io.solidus.operator.sanctions.approval.ProposalKind;
import io.solidus.operator.sanctions.approval.ProposalView;
import io.solidus.operator.sanctions.approval.Proposals;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.Policy;
import io.solidus.protocol.RejectionCode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Takes proposals of policies from operators and serves published policies to everyone. */
@RestController
@Tag(
    name = "Policies",
    description =
        "Limits of a month. One person proposes, another approves; everybody reads what is in force.")
public class PolicyController {
  private static final String NOTE = "text/plain;charset=UTF-8";
  private static final int PAGE = 100;

  private final Proposals proposals;
  private final NextPolicy next;
  private final PolicyStore store;
  private final JsonMapper json;
  private final Clock clock;

  PolicyController(
      Proposals proposals, NextPolicy next, PolicyStore store, JsonMapper json, Clock clock) {
    this.proposals = proposals;
    this.next = next;
    this.store = store;
    this.json = json;
    this.clock = clock;
  }

  /**
   * A policy as the API shows it.
   *
   * @param note the signed note
   */
  public record PolicyView(
      long version,
      int period,
      long maxPerTransferMinor,
      long maxPerPeriodMinor,
      long maxHeldMinor,
      long maxEscrowMinor,
      int maxTransfersPerPeriod,
      long mintCapPerDayMinor,
      long effectiveAtMillis,
      String note) {
    static PolicyView of(PublishedPolicy published) {
      Policy policy = published.policy();
      return new PolicyView(
          policy.version(),
          policy.period().yyyymm(),
          policy.maxPerTransfer().minor(),
          policy.maxPerPeriod().minor(),
          policy.maxHeld().minor(),
          policy.maxEscrow().minor(),
          policy.maxTransfersPerPeriod(),
          policy.mintCapPerDay().minor(),
          policy.effectiveAtMillis(),
          published.note());
    }
  }

  /** Policies, the newest first; {@code next} is the next cursor, 0 at the end. */
  public record Page(List<PolicyView> policies, long next) {}

  /**
   * Proposes the next policy. Limits that could not be published now are refused. Its period lies
   * within a month of the clock. Limits below a tenth of those in force need a reason, and their
   * approval a confirmation. A policy that is published but not yet in force is corrected by one
   * that takes effect no later.
   */
  @Operation(summary = "Proposes the limits of a period")
  @PostMapping("/admin/v1/policies")
  @ResponseStatus(HttpStatus.ACCEPTED)
  @PreAuthorize("hasRole('" + Roles.POLICY_OPERATOR + "')")
  @Refuses(
      conflicts = "network-halted",
      own =
          @Refuses.Own(
              status = 400,
              codes = {"period-out-of-range", "policy-needs-reason", "policy-would-halt"}))
  public ProposalView propose(
      @RequestBody PolicyLimits limits,
      @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
    next.of(limits, clock.instant());
    return propose(ProposalKind.POLICY, limits, idempotencyKey);
  }

  /**
   * Proposes to halt the network: from the effective time on nobody pays, withdraws or is minted
   * to. The approval needs a confirmation. The halt lasts until its lifting.
   */
  @Operation(summary = "Proposes to stop the network; its approval needs a confirmation")
  @PostMapping("/admin/v1/policies/halt")
  @ResponseStatus(HttpStatus.ACCEPTED)
  @PreAuthorize("hasRole('" + Roles.POLICY_OPERATOR + "')")
  @Refuses(value = RejectionCode.NOT_FOUND, conflicts = "network-halted")
  public ProposalView proposeHalt(
      @RequestBody Halt halt,
      @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
    next.halt(halt, clock.instant());
    return propose(ProposalKind.POLICY_HALT, halt, idempotencyKey);
  }

  /** Proposes to lift the halt: the limits from before it, for the present month. */
  @Operation(summary = "Proposes to lift the halt")
  @PostMapping("/admin/v1/policies/halt/lifting")
  @ResponseStatus(HttpStatus.ACCEPTED)
  @PreAuthorize("hasRole('" + Roles.POLICY_OPERATOR + "')")
  @Refuses(value = RejectionCode.NOT_FOUND, conflicts = "not-halted")
  public ProposalView proposeLifting(
      @RequestBody Halt.Lifting lifting,
      @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String idempotencyKey) {
    lifting.check();
    next.lifting(clock.instant());
    return propose(ProposalKind.POLICY_HALT_LIFTING, lifting, idempotencyKey);
  }

  private ProposalView propose(ProposalKind kind, Object payload, @Nullable String idempotencyKey) {
    return ProposalView.of(
        proposals.propose(kind, payload, Operator.current().subject(), idempotencyKey), json);
  }

  /**
   * Reads one page of the published policies.
   *
   * @param cursor {@code next} of the previous page
   */
  @Operation(summary = "Policies, the newest first")
  @GetMapping("/admin/v1/policies")
  @PreAuthorize(
      "hasAnyRole('"
          + Roles.POLICY_OPERATOR
          + "', '"
          + Roles.RULES_APPROVER
          + "', '"
          + Roles.AUDITOR
          + "')")
  public Page page(@RequestParam(defaultValue = "0") long cursor) {
    List<PublishedPolicy> page = store.page(cursor > 0 ? cursor : Long.MAX_VALUE, PAGE);
    return new Page(
        page.stream().map(PolicyView::of).toList(),
        page.size() == PAGE ? page.getLast().policy().version() : 0);
  }

  /** The policy in force as a signed note. */
  @Refuses(NOT_FOUND)
  @Operation(operationId = "readPolicy", summary = "The policy in force as a signed note")
  @GetMapping(path = "/v1/policy", produces = NOTE)
  public ResponseEntity<String> inForce() {
    String note = store.inForce(clock.instant()).orElseThrow(PolicyStore::notFound).note();
    return ResponseEntity.ok().cacheControl(CacheControl.noCache()).body(note);
  }

  /** The newest policy as a signed note. It may not be in force yet. */
  @Refuses(NOT_FOUND)
  @Operation(
      operationId = "readNewestPolicy",
      summary = "The newest policy as a signed note; it may not be in force yet")
  @GetMapping(path = "/v1/policies/newest", produces = NOTE)
  public ResponseEntity<String> newest() {
    String note = store.newest().orElseThrow(PolicyStore::notFound).note();
    return ResponseEntity.ok().cacheControl(CacheControl.noCache()).body(note);
  }

  /** One version as a signed note. */
  @Operation(operationId = "readPolicyVersion", summary = "One version as a signed note")
  @GetMapping(path = "/v1/policies/{version}", produces = NOTE)
  public ResponseEntity<String> version(@PathVariable long version) {
    String note = store.find(version).orElseThrow(PolicyStore::notFound).note();
    return ResponseEntity.ok()
        .cacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable())
        .body(note);
  }
}
