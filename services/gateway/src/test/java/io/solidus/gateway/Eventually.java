package io.solidus.gateway;

import java.time.Duration;
import java.time.Instant;

/** Repeats an assertion until it holds. */
final class Eventually {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Eventually() {}

  static void holds(Runnable assertion) {
    Instant end = Instant.now().plus(LIMIT);
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError e) {
        if (Instant.now().isAfter(end)) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
