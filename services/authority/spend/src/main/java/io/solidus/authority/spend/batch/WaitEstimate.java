package io.solidus.authority.spend.batch;

/**
 * Estimates from recent batches how long a new request waits for a worker: until the next worker is
 * free, plus the workers' time for the requests that do not fit into that worker's batch. A batch
 * of one is no measure of load, because a larger batch costs far less for each request. So a batch
 * of one may only lower the estimate: it clears an estimate left over from an overload.
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
   * Takes a finished batch into account.
   *
   * @param nanos the time that the worker spent on the batch
   */
  synchronized void learn(int size, long nanos) {
    boolean load = size > 1 || maxBatch == 1;
    nanosPerBatch = next(nanosPerBatch, (double) nanos, load);
    nanosPerRequest = next(nanosPerRequest, (double) nanos / size, load);
  }

  /**
   * The estimated wait. Zero before the first measurement and for an empty queue, so an empty queue
   * accepts every request.
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
