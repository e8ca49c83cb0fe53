package io.solidus.authority.signer;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.TxCore;

/**
 * Remembers which evidence this process verified for which core, so that signing does not verify
 * again. Only acceptance is remembered; the oldest entry goes first. Policies and checkpoints never
 * change under their version, so a verdict stays true as long as it is remembered.
 */
final class VerdictCache {

  /**
   * @param evidence digest over everything besides the core that the verdict depends on
   */
  record Key(TxCore core, Digest32 evidence) {}

  private final Recent<Key, Boolean> accepted;

  VerdictCache(int capacity) {
    this.accepted = new Recent<>(capacity);
  }

  boolean holds(Key key) {
    return accepted.find(key).isPresent();
  }

  void remember(Key key) {
    accepted.remember(key, Boolean.TRUE);
  }

  int size() {
    return accepted.size();
  }
}
