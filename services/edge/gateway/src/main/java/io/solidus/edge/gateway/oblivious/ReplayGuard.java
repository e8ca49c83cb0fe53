package io.solidus.edge.gateway.oblivious;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets each encapsulated request pass once. A relay could send one again, and see from the length
 * of the answer when a coin is spent, for example. A request says when it was made, so it is
 * remembered only as long as its time counts.
 */
final class ReplayGuard {
  /** By how much a wallet's clock may be behind. */
  static final Duration TOLERANCE = Duration.ofMinutes(5);

  /** By how much it may be ahead: less, because a request is remembered for both together. */
  static final Duration AHEAD = Duration.ofMinutes(1);

  private final Clock clock;
  private final int capacity;

  /** Keys of requests, with the time after which their date is refused anyway. */
  private final Map<Digest32, Instant> seen = new HashMap<>();

  private Instant nextCleaning = Instant.MIN;

  ReplayGuard(Clock clock, int capacity) {
    this.clock = clock;
    this.capacity = capacity;
  }

  /** Whether a request of this time is neither too old nor of the future. */
  boolean isCurrent(Instant made) {
    Instant now = clock.instant();
    return !made.isBefore(now.minus(TOLERANCE)) && !made.isAfter(now.plus(AHEAD));
  }

  /**
   * Notes a request; false when it was here before.
   *
   * @param made a current time
   * @throws ProtocolException overloaded while more requests are remembered than fit
   */
  synchronized boolean isFirst(Digest32 request, Instant made) {
    Instant now = clock.instant();
    if (seen.size() >= capacity && now.isAfter(nextCleaning)) {
      seen.values().removeIf(until -> until.isBefore(now));
      nextCleaning = now.plusSeconds(1);
    }
    if (seen.containsKey(request)) {
      return false;
    }
    if (seen.size() >= capacity) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "too many requests through the relay; try again shortly");
    }
    seen.put(request, made.plus(TOLERANCE));
    return true;
  }
}
