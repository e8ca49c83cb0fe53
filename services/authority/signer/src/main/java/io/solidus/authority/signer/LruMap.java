package io.solidus.authority.signer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A map of bounded size that removes the least recently used entry first. Thread-safe. */
final class LruMap<K, V> {

  private final Map<K, V> entries;

  LruMap(int capacity) {
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > capacity;
          }
        };
  }

  /** Finds an entry; this counts as a use. */
  synchronized Optional<V> find(K key) {
    return Optional.ofNullable(entries.get(key));
  }

  synchronized void remember(K key, V value) {
    entries.put(key, value);
  }

  synchronized void forget(K key) {
    entries.remove(key);
  }

  synchronized int size() {
    return entries.size();
  }
}
