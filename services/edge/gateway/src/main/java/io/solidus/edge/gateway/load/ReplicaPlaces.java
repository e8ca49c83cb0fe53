package io.solidus.edge.gateway.load;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Places and rate of one authority's replica, or of all together. A replica reads a list's pages at
 * once and then nothing for minutes, so what is not read is saved.
 */
final class ReplicaPlaces {
  /** What one authority does not read in this time is saved: several lists. */
  static final Duration OWN_SAVED = Duration.ofSeconds(500);

  /** As much of all authorities together: a list that a hundred of them read at once. */
  static final Duration ALL_SAVED = Duration.ofSeconds(200);

  private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

  private final Semaphore places;
  private final int perSecond;
  private final double most;
  private final LongSupplier nanos;

  /** Readings that may begin at once. */
  private double saved;

  private long counted;

  /**
   * @param saving the longest time without readings whose rate is saved
   * @param nanos of a clock that never goes back
   */
  ReplicaPlaces(int places, int perSecond, Duration saving, LongSupplier nanos) {
    this.places = new Semaphore(places);
    this.perSecond = perSecond;
    this.nanos = nanos;
    this.most = (double) perSecond * saving.toSeconds();
    this.saved = most;
    this.counted = nanos.getAsLong();
  }

  /** Takes a place and a reading, if there are; whoever has them leaves the place. */
  boolean tryEnter() {
    if (!places.tryAcquire()) {
      return false;
    }
    if (tryTake()) {
      return true;
    }
    places.release();
    return false;
  }

  void leave() {
    places.release();
  }

  private synchronized boolean tryTake() {
    long now = nanos.getAsLong();
    saved = Math.min(most, saved + (now - counted) / NANOS_PER_SECOND * perSecond);
    counted = now;
    if (saved < 1) {
      return false;
    }
    saved--;
    return true;
  }
}
