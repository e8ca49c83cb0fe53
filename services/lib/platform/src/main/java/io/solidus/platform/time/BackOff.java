package io.solidus.platform.time;

import java.time.Duration;

/** Pauses that double up to a limit. Not thread-safe. */
public final class BackOff {

  private final Duration first;
  private final Duration longest;
  private Duration next;

  public BackOff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  /** The pause now; the next one is twice as long. */
  public Duration next() {
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
    return now;
  }

  /** Restarts with the shortest pause. */
  public void reset() {
    next = first;
  }
}
