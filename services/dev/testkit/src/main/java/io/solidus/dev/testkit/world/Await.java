package io.solidus.dev.testkit.world;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for something that happens elsewhere, but not for ever. */
public final class Await {

  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final long PAUSE_MILLIS = 25;

  private Await() {}

  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen: " + what);
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }
}
