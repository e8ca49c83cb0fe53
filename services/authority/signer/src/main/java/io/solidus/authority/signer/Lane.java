package io.solidus.authority.signer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Verifications that may share a native call, in the order they came. Guarded by the lock of its
 * {@link VerificationPool}.
 */
final class Lane {

  /** Below this a batch is not worth dividing: what it gains in time it loses in work. */
  private static final int SMALLEST_PART = 8;

  /** What is left after each call of what was spent before it: the last ten or so count. */
  private static final double MEMORY = 0.9;

  private final Deque<Verification> waiting = new ArrayDeque<>();
  private final BatchSize size;
  private double spent;

  Lane(BatchSize size) {
    this.size = size;
  }

  BatchSize size() {
    return size;
  }

  int waiting() {
    return waiting.size();
  }

  void add(Verification verification) {
    waiting.add(verification);
  }

  /** Takes out what nobody waits for any more. */
  void tidy() {
    waiting.removeIf(Verification::over);
  }

  /** Nanoseconds of native work on this lane lately. */
  double spent() {
    return spent;
  }

  void spend(long nanos) {
    spent += nanos;
  }

  /** Once for every call, of whichever lane. */
  void forget() {
    spent *= MEMORY;
  }

  /**
   * An even part for each free thread, as long as the parts are worth it and no larger than a batch
   * may be now.
   */
  List<Verification> take(int freeThreads) {
    int even = Math.ceilDiv(waiting.size(), freeThreads);
    return remove(
        Math.min(Math.max(even, SMALLEST_PART), Math.min(size.current(), waiting.size())));
  }

  List<Verification> takeAll() {
    return remove(waiting.size());
  }

  private List<Verification> remove(int count) {
    List<Verification> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      taken.add(waiting.remove());
    }
    return taken;
  }
}
