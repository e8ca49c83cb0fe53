package io.solidus.dev.processes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition with a time limit. */
public final class Await {

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private Await() {}

  /** Waits with a limit that guards against hanging only. */
  public static void until(String what, BooleanSupplier condition) {
    until(what, LIMIT, condition);
  }

  /**
   * Waits until the condition is true.
   *
   * @param what the condition in words, for the error text
   * @throws IllegalStateException when it is not true within the limit
   */
  public static void until(String what, Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("not within " + limit.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
