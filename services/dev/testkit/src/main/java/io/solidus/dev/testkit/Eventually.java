package io.solidus.dev.testkit;

import java.time.Duration;

/** Repeats an assertion until it holds, with a time limit. */
public final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Eventually() {}

  public static void holds(Runnable assertion) {
    holds(LIMIT, assertion);
  }

  /**
   * Repeats an assertion until it holds.
   *
   * @throws AssertionError of the last attempt, after the limit
   */
  public static void holds(Duration limit, Runnable assertion) {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
