package io.solidus.authority.signer;

import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The time left for a call: the limit of this signer, or the deadline of the caller if that is
 * earlier.
 */
final class CallDeadline {

  private CallDeadline() {}

  /** The end of the call, on the clock of {@link System#nanoTime}. */
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
