package io.solidus.authority.spend.batch;

import java.time.Duration;

/**
 * How much a batcher takes on.
 *
 * @param workers batches worked on at a time, at least 1
 * @param maxBatch requests in a batch, at least 1
 * @param queue requests that wait, at least 1; one more is refused
 * @param maxWait a request that would presumably wait longer is refused
 * @param maxLinger how long a worker that had more than one request lets the next ones gather; zero
 *     takes what is there
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
