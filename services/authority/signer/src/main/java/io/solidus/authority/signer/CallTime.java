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
    long nanos = most.toNanos();
    Deadline callers = Context.current().getDeadline();
    if (callers != null) {
      nanos = Math.min(nanos, Math.max(0, callers.timeRemaining(TimeUnit.NANOSECONDS)));
    }
    return System.nanoTime() + nanos;
  }
}
