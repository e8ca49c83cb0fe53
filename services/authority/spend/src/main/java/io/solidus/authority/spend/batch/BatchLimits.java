package io.solidus.authority.spend.batch;

import java.time.Duration;

/**
 * Limits of a {@link Batcher}.
 *
 * @param workers batches in work at a time, at least 1
 * @param maxBatch requests in a batch, at least 1
 * @param queue requests that may wait, at least 1; more are rejected
 * @param maxWait a request whose estimated wait is longer is rejected
 * @param maxLinger how long a worker whose last batch had more than one request lets the next batch
 *     grow; zero takes what is there
 * @param stop how long {@link Batcher#close} lets the workers finish what waits
 */
public record BatchLimits(
    int workers, int maxBatch, int queue, Duration maxWait, Duration maxLinger, Duration stop) {
  public BatchLimits {
    if (workers < 1
        || maxBatch < 1
        || queue < 1
        || maxWait.isNegative()
        || maxLinger.isNegative()
        || stop.isNegative()) {
      throw new IllegalArgumentException("a batcher's limits are out of range");
    }
  }
}
