package io.solidus.dev.processes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something to become true, never for ever. */
public final class Await {

  private static final Duration PAUSE = Duration.ofMillis(20);

  private Await() {}

  /**
   * @throws IllegalStateException naming what did not come true in time
   */
  public static void until(String what, Duration limit, BooleanSupplier condition) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("not within " + limit.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
