package io.solidus.edge.gateway.load;

import com.google.common.util.concurrent.RateLimiter;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** Places and rate of one authority's replica. */
final class ReplicaPlaces {
  /**
   * How long a reading waits for its turn, in its place: a replica reads one page after another.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Semaphore places;
  private final RateLimiter rate;

  ReplicaPlaces(int places, int perSecond) {
    this.places = new Semaphore(places);
    this.rate = RateLimiter.create(perSecond);
  }

  /** Takes a place, if there is one and its turn comes soon; whoever has it leaves it. */
  boolean tryEnter() {
    if (!places.tryAcquire()) {
      return false;
    }
    if (rate.tryAcquire(PATIENCE)) {
      return true;
    }
    places.release();
    return false;
  }

  void leave() {
    places.release();
  }
}
