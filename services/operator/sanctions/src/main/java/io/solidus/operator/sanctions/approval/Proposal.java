package io.solidus.operator.sanctions.approval;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One operator's proposal. Its payload never changes, so what is approved is what was proposed.
 *
 * @param sequence orders proposals
 * @param payload JSON
 * @param outcome JSON; what the approval brought about, or the reason of a refusal
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

  /** Pending until somebody decides; final afterwards. */
  public enum State {
    PENDING,
    APPROVED,
    REFUSED
  }
}
