package io.solidus.validator.signer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Verifications that may share a native call, in the order they came. Guarded by the lock of its {@link VerificationPool}. */
final class Lane {

  /** Below this a batch is not worth dividing: what it gains in time it loses in work. */
  private static final int SMALLEST_PART = 8;

  private record Place(Verification verification, long arrival) {}

  private final Deque<Place> waiting = new ArrayDeque<>();
  private final BatchSize size;

  Lane(BatchSize size) {
    this.size = size;
  }

  BatchSize size() {
    return size;
  }

  int waiting() {
    return waiting.size();
  }

  void add(Verification verification, long arrival) {
    waiting.add(new Place(verification, arrival));
  }

  /** Takes out what nobody waits for any more. */
  void tidy() {
    waiting.removeIf(place -> place.verification().over());
  }

  /** Whether its first one came before the other lane's; an empty lane never does. */
  boolean before(Lane other) {
    return !waiting.isEmpty()
        && (other.waiting.isEmpty() || waiting.peek().arrival() < other.waiting.peek().arrival());
  }

  /** An even part for each free thread, as long as the parts are worth it and no larger than a batch may be now. */
  List<Verification> take(int freeThreads) {
    int even = Math.ceilDiv(waiting.size(), freeThreads);
    return remove(Math.min(Math.max(even, SMALLEST_PART), Math.min(size.current(), waiting.size())));
  }

  List<Verification> takeAll() {
    return remove(waiting.size());
  }

  private List<Verification> remove(int count) {
    List<Verification> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      taken.add(waiting.remove().verification());
    }
    return taken;
  }
}
