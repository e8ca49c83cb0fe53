package io.solidus.platform.limits;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A map of bounded size that removes the least recently used entry first. Thread-safe. */
public final class LruMap<K, V> {

  private final Map<K, V> entries;

  public LruMap(int capacity) {
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > capacity;
          }
        };
  }

  /** Finds an entry; this counts as a use. */
  public synchronized Optional<V> find(K key) {
    return Optional.ofNullable(entries.get(key));
  }

  public synchronized void remember(K key, V value) {
    entries.put(key, value);
  }

  public synchronized void forget(K key) {
    entries.remove(key);
  }

  public synchronized int size() {
    return entries.size();
  }
}
