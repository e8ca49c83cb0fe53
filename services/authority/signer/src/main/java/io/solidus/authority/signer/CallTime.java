package io.solidus.authority.signer;

import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a call may still take: as long as this signer allows, and no longer than the caller
 * waits.
 */
final class CallTime {

  private CallTime() {}

  /** On the clock of {@link System#nanoTime}. */
  static long end(Duration most) {
    return System.nanoTime() + left(most).toNanos();
  }

  static Duration left(Duration most) {
    Deadline callers = Context.current().getDeadline();
    return callers == null
        ? most
        : Duration.ofNanos(
            Math.clamp(callers.timeRemaining(TimeUnit.NANOSECONDS), 0, most.toNanos()));
  }
}
