package io.solidus.edge.gateway.load;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Lets callers go on one after the other, at a rate. */
final class Turns {
  private final long intervalNanos;
  private final Semaphore places;
  private final AtomicLong next = new AtomicLong(System.nanoTime());

  /**
   * @param perSecond callers that go on in a second
   * @param maxWaiting callers that wait at a time; further ones go on at once
   */
  Turns(int perSecond, int maxWaiting) {
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.places = new Semaphore(maxWaiting);
  }

  /** Whether somebody waits, or went on less than an interval ago. */
  boolean areTaken() {
    return next.get() - System.nanoTime() > 0;
  }

  /**
   * Waits for the caller's turn; who comes when nobody waits, an interval after the one before,
   * goes on at once. An interrupted caller goes on and stays interrupted.
   */
  void await() {
    if (!places.tryAcquire()) {
      return;
    }
    try {
      long now = System.nanoTime();
      // differences, because nanoTime may be negative and may overflow
      long turn = next.getAndUpdate(due -> (due - now > 0 ? due : now) + intervalNanos);
      long wait = turn - now;
      if (wait > 0) {
        TimeUnit.NANOSECONDS.sleep(wait);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.release();
    }
  }
}
