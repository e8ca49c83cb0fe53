package io.solidus.loadtest.chaos.load;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * When each authority of a transfer is to be asked next. The pause doubles after each reply that is
 * not final. Times are of {@link System#nanoTime}. Not thread-safe.
 */
final class RetrySchedule {

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 1500;

  private final Map<Integer, Long> pauseMillis = new TreeMap<>();
  private final Map<Integer, Long> dueAt = new TreeMap<>();

  /** All authorities are due at {@code now}. */
  RetrySchedule(Collection<Integer> authorities, long now) {
    authorities.forEach(authority -> dueAt.put(authority, now));
  }

  /** Removes and returns the authorities that are due. */
  List<Integer> takeDue(long now) {
    // numbers, not entries: a TreeMap reuses the entry of a removed key for another key
    List<Integer> due =
        dueAt.entrySet().stream()
            .filter(entry -> entry.getValue() - now <= 0)
            .map(Map.Entry::getKey)
            .toList();
    due.forEach(dueAt::remove);
    return due;
  }

  /** Nanoseconds until the next authority is due, at most {@code longest}. */
  long waitNanos(long now, long longest) {
    return dueAt.values().stream().mapToLong(at -> at - now).reduce(longest, Math::min);
  }

  /** Makes an authority due again after its pause. */
  void again(int authority, long now) {
    long millis = pauseMillis.getOrDefault(authority, FIRST_PAUSE_MILLIS);
    pauseMillis.put(authority, Math.min(LONGEST_PAUSE_MILLIS, millis * 2));
    dueAt.put(authority, now + TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
