package io.solidus.authority.spend.rules;

import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import java.time.Instant;

/**
 * A policy whose issuer's signature was verified.
 *
 * @param note as its issuer signed it
 * @param acceptedAt when this authority first learnt it
 * @param late learnt when a newer version was in force already: usable by the finish rule only
 */
public record KnownPolicy(Policy policy, SignedNote note, Instant acceptedAt, boolean late) {

  public long version() {
    return policy.version();
  }

  Instant effectiveAt() {
    return Instant.ofEpochMilli(policy.effectiveAtMillis());
  }

  /** The moment this authority switches to it, unless a newer one was there first. */
  Instant inForceFrom() {
    return acceptedAt.isAfter(effectiveAt()) ? acceptedAt : effectiveAt();
  }

  boolean effective(Instant now) {
    return !inForceFrom().isAfter(now);
  }
}
