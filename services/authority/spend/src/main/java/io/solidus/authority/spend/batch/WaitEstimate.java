package io.solidus.authority.spend.batch;

/**
 * How long a request that comes now would wait for a worker, learnt from recent batches: until the
 * next worker is free, and then as long as the workers need for those that do not fit into that
 * worker's batch with it. A lone request says little about a flood, whose batches cost far less for
 * each request: it can only correct the estimate downwards, so that a slow hour does not outlive
 * itself.
 */
final class WaitEstimate {

  private static final double WEIGHT = 0.25;

  private final int workers;
  private final int maxBatch;
  private volatile double nanosPerBatch;
  private volatile double nanosPerRequest;

  WaitEstimate(int workers, int maxBatch) {
    this.workers = workers;
    this.maxBatch = maxBatch;
  }

  /**
   * @param nanos a worker spent on a batch
   */
  synchronized void learn(int size, long nanos) {
    boolean load = size > 1 || maxBatch == 1;
    nanosPerBatch = next(nanosPerBatch, nanos, load);
    nanosPerRequest = next(nanosPerRequest, (double) nanos / size, load);
  }

  /**
   * Zero for an empty queue, which therefore always takes a request, and while nothing is known.
   */
  long nanosBehind(int waiting) {
    if (waiting == 0) {
      return 0;
    }
    int before = Math.max(0, waiting + 1 - maxBatch);
    return (long) ((nanosPerBatch + before * nanosPerRequest) / workers);
  }

  private static double next(double known, double measured, boolean load) {
    if (!load) {
      return Math.min(known, measured);
    }
    return known == 0 ? measured : known + WEIGHT * (measured - known);
  }
}
