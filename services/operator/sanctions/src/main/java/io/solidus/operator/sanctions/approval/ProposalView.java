package io.solidus.operator.sanctions.approval;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A proposal as the API shows it.
 *
 * @param id for POST /admin/v1/approvals/{id}
 * @param kind address-listing, address-delisting, policy, policy-halt, policy-halt-lifting or
 *     list-import
 * @param state pending, approved or refused
 */
public record ProposalView(
    UUID id,
    String kind,
    JsonNode payload,
    String proposedBy,
    Instant proposedAt,
    Instant expiresAt,
    String state,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    @Nullable JsonNode outcome) {

  public static ProposalView of(Proposal proposal, JsonMapper json) {
    String outcome = proposal.outcome();
    return new ProposalView(
        proposal.id(),
        proposal.kind().id(),
        json.readTree(proposal.payload()),
        proposal.proposedBy(),
        proposal.proposedAt(),
        proposal.expiresAt(),
        proposal.state().name().toLowerCase(Locale.ROOT),
        proposal.decidedBy(),
        proposal.decidedAt(),
        outcome == null ? null : json.readTree(outcome));
  }
}
