package io.solidus.operator.sanctions.approval;

import io.solidus.operator.sanctions.approval.Proposal.State;
import io.solidus.platform.audit.AuditLog;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Shows proposals and lets a second operator approve or refuse them. */
@RestController
@Tag(
    name = "Approvals",
    description = "Proposals of lists, addresses and policies, and what a second person decides.")
@RequestMapping("/admin/v1/approvals")
public class ApprovalController {
  private static final int PAGE = 100;
  private static final String DECIDES =
      "hasAnyRole('"
          + Roles.LIST_APPROVER
          + "', '"
          + Roles.RULES_APPROVER
          + "', '"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.POLICY_OPERATOR
          + "')";
  private static final String READS =
      "hasAnyRole('"
          + Roles.LIST_APPROVER
          + "', '"
          + Roles.RULES_APPROVER
          + "', '"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.POLICY_OPERATOR
          + "', '"
          + Roles.AUDITOR
          + "')";

  private final Proposals proposals;
  private final ProposalStore store;
  private final AuditLog audit;
  private final JsonMapper json;
  private final Clock clock;

  ApprovalController(
      Proposals proposals, ProposalStore store, AuditLog audit, JsonMapper json, Clock clock) {
    this.proposals = proposals;
    this.store = store;
    this.audit = audit;
    this.json = json;
    this.clock = clock;
  }

  /** Proposals in the order of creation; {@code next} is the next cursor, 0 at the end. */
  public record Page(List<ProposalView> proposals, long next) {}

  /** The kinds of proposals of which some wait. */
  public record Queues(List<ProposalStore.Waiting> queues) {}

  /**
   * The body of an approval; may be left out.
   *
   * @param confirmation 1 to 2000 characters: why the proposal is right although something speaks
   *     against it
   */
  public record Approval(@Nullable String confirmation) {}

  /**
   * The body of a refusal.
   *
   * @param reason 1 to 2000 characters
   */
  public record Refusal(@Member(min = 1, max = 2000) @Nullable String reason) {}

  /**
   * Reads one page of proposals.
   *
   * @param state pending, approved or refused; all when absent
   * @param cursor {@code next} of the previous page
   */
  @Operation(summary = "Proposals in the order of their creation")
  @GetMapping
  @PreAuthorize(READS)
  public Page list(
      @RequestParam(required = false) @Nullable String state,
      @RequestParam(defaultValue = "0") long cursor) {
    List<Proposal> page = store.page(state == null ? null : state(state), cursor, PAGE);
    audit.add(Operator.current().subject(), "proposals read", page.size() + " after " + cursor);
    return new Page(
        page.stream().map(proposal -> ProposalView.of(proposal, json)).toList(),
        page.size() == PAGE ? page.getLast().sequence() : 0);
  }

  @Operation(
      summary = "How many proposals of each kind wait; without content, so no view is recorded")
  @GetMapping("/queues")
  @PreAuthorize(READS)
  public Queues queues() {
    return new Queues(store.waiting(clock.instant()));
  }

  @Operation(summary = "A proposal with all of its content")
  @GetMapping("/{id}")
  @PreAuthorize(READS)
  public ProposalView get(@PathVariable UUID id) {
    Optional<Proposal> found = store.find(id);
    // a proposal may say whose an address is
    found.ifPresent(
        proposal -> audit.add(Operator.current().subject(), "proposal read", id.toString()));
    return found
        .map(proposal -> ProposalView.of(proposal, json))
        .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such proposal"));
  }

  /**
   * Approves a proposal. Its author is refused. A proposal with objections needs a confirmation.
   */
  @Operation(summary = "Approves a proposal of another person")
  @PostMapping("/{id}")
  @PreAuthorize(DECIDES)
  @Refuses(
      conflicts = {
        "already-decided",
        "list-import-outdated",
        "network-halted",
        "not-halted",
        "replaced-address"
      },
      own =
          @Refuses.Own(
              status = 400,
              codes = {
                "confirmation-needed",
                "period-out-of-range",
                "policy-needs-reason",
                "policy-would-halt"
              }))
  public ProposalView approve(
      @PathVariable UUID id,
      @RequestBody(required = false) @Nullable Approval approval,
      Authentication operator) {
    String confirmation = approval == null ? null : approval.confirmation();
    if (confirmation != null) {
      WrittenReason.require(confirmation, "confirmation");
    }
    return ProposalView.of(
        proposals.approve(
            id, new ProposalEffect.Approval(operator.getName(), confirmation), roles(operator)),
        json);
  }

  /** Refuses a proposal. Its author withdraws it in this way. */
  @Operation(summary = "Refuses a proposal; its author withdraws it in this way")
  @PostMapping("/{id}/refusal")
  @PreAuthorize(DECIDES)
  @Refuses(conflicts = "already-decided")
  public ProposalView refuse(
      @PathVariable UUID id, @RequestBody Refusal refusal, Authentication operator) {
    String reason = refusal.reason();
    return ProposalView.of(
        proposals.refuse(
            id, operator.getName(), WrittenReason.require(reason, "reason"), roles(operator)),
        json);
  }

  /** Approvers decide on the proposals of their domain, other operators on those of their role. */
  private static Predicate<String> roles(Authentication operator) {
    Set<String> held =
        operator.getAuthorities().stream()
            .map(granted -> granted.getAuthority())
            .collect(Collectors.toSet());
    return role -> held.contains("ROLE_" + role) || held.contains("ROLE_" + approverOf(role));
  }

  private static String approverOf(String role) {
    return role.equals(Roles.POLICY_OPERATOR) ? Roles.RULES_APPROVER : Roles.LIST_APPROVER;
  }

  private static State state(String text) {
    try {
      return State.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed("state must be pending, approved or refused");
    }
  }
}
