package io.solidus.validator.signer;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.TxCore;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which evidence this process verified for which core, so that signing does not verify again. Only acceptance
 * is remembered; the oldest entry goes first. Policies and checkpoints never change under their version, so a verdict
 * stays true as long as it is remembered.
 */
final class VerdictCache {

  /** @param evidence digest over everything besides the core that the verdict depends on */
  record Key(TxCore core, Digest32 evidence) {}

  private final Map<Key, Boolean> accepted;

  VerdictCache(int capacity) {
    this.accepted =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
            return size() > capacity;
          }
        };
  }

  synchronized boolean holds(Key key) {
    // get, not containsKey: a look counts as use
    return accepted.get(key) != null;
  }

  synchronized void remember(Key key) {
    accepted.put(key, Boolean.TRUE);
  }

  synchronized int size() {
    return accepted.size();
  }
}
