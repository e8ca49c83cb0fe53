package io.solidus.authority.spend.rules;

import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import java.time.Instant;

/**
 * A policy with a valid signature of its issuer.
 *
 * @param note the signed note
 * @param acceptedAt when this authority first received it
 * @param late received when a newer version was in force already: for the finish rule only
 */
public record VerifiedPolicy(Policy policy, SignedNote note, Instant acceptedAt, boolean late) {

  public long version() {
    return policy.version();
  }

  Instant effectiveAt() {
    return Instant.ofEpochMilli(policy.effectiveAtMillis());
  }

  /** When this authority starts to apply it, unless a newer one was in force before. */
  Instant inForceFrom() {
    return acceptedAt.isAfter(effectiveAt()) ? acceptedAt : effectiveAt();
  }

  boolean effective(Instant now) {
    return !inForceFrom().isAfter(now);
  }
}
