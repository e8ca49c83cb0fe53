package io.solidus.authority.signer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Transfers that may share a native call, in the order of their arrival. Guarded by the lock of its
 * {@link VerificationPool}.
 */
final class VerificationLane {

  /** A smaller part is not worth a thread of its own: it costs more work than it saves time. */
  private static final int SMALLEST_PART = 8;

  /**
   * The factor by which every later call reduces the time spent before; about the last ten calls
   * count.
   */
  private static final double MEMORY = 0.9;

  private final Deque<PendingVerification> waiting = new ArrayDeque<>();
  private final AdaptiveBatchSize size;
  private double spent;

  VerificationLane(AdaptiveBatchSize size) {
    this.size = size;
  }

  AdaptiveBatchSize size() {
    return size;
  }

  int waiting() {
    return waiting.size();
  }

  void add(PendingVerification verification) {
    waiting.add(verification);
  }

  /** Removes transfers that no caller waits for. */
  void removeGivenUp() {
    waiting.removeIf(PendingVerification::done);
  }

  /** Nanoseconds of recent native work on this lane. */
  double spent() {
    return spent;
  }

  void spend(long nanos) {
    spent += nanos;
  }

  /** Reduces the weight of earlier work; called once for every call of any lane. */
  void decay() {
    spent *= MEMORY;
  }

  /**
   * Takes an even part for each free thread, as long as the parts are large enough, and no more
   * than a batch may have.
   */
  List<PendingVerification> take(int freeThreads) {
    int even = Math.ceilDiv(waiting.size(), freeThreads);
    return remove(
        Math.min(Math.max(even, SMALLEST_PART), Math.min(size.current(), waiting.size())));
  }

  List<PendingVerification> takeAll() {
    return remove(waiting.size());
  }

  private List<PendingVerification> remove(int count) {
    List<PendingVerification> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      taken.add(waiting.remove());
    }
    return taken;
  }
}
