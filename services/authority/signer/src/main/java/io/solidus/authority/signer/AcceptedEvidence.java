package io.solidus.authority.signer;

import io.solidus.platform.limits.LruMap;

/**
 * Remembers the evidence that this process verified for each core, so that signing does not verify
 * again. Only acceptance is remembered. A version of a policy or checkpoint never changes, so a
 * cached verdict stays correct.
 */
final class AcceptedEvidence {

  private final LruMap<EvidenceKey, Boolean> accepted;

  AcceptedEvidence(int capacity) {
    this.accepted = new LruMap<>(capacity);
  }

  boolean holds(EvidenceKey key) {
    return accepted.find(key).isPresent();
  }

  void remember(EvidenceKey key) {
    accepted.remember(key, Boolean.TRUE);
  }

  int size() {
    return accepted.size();
  }
}
