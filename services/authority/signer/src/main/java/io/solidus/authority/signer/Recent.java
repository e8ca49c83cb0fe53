package io.solidus.authority.signer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A memory of bounded size: what was used longest ago goes first. */
final class Recent<K, V> {

  private final Map<K, V> entries;

  Recent(int capacity) {
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > capacity;
          }
        };
  }

  /** A look counts as use. */
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
