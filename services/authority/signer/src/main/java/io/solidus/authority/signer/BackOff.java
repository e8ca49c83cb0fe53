package io.solidus.authority.signer;

import java.time.Duration;

/** Pauses that double up to a limit. Not thread-safe. */
final class BackOff {

  private final Duration first;
  private final Duration longest;
  private Duration next;

  BackOff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  Duration next() {
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
    return now;
  }

  /** Restarts with the shortest pause. */
  void reset() {
    next = first;
  }
}
