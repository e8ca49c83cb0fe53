package io.solidus.operator.sanctions.approval;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One operator's proposal. Its payload never changes between proposal and approval.
 *
 * @param sequence position in the order of creation
 * @param payload JSON
 * @param outcome JSON; the result of the approval, or the reason of the refusal
 */
public record Proposal(
    long sequence,
    UUID id,
    ProposalKind kind,
    String payload,
    String proposedBy,
    Instant proposedAt,
    Instant expiresAt,
    State state,
    @Nullable String decidedBy,
    @Nullable Instant decidedAt,
    @Nullable String outcome) {

  /** Pending until it is decided. A decision is final. */
  public enum State {
    PENDING,
    APPROVED,
    REFUSED
  }
}
