package io.solidus.loadtest.bench;

import java.util.Arrays;

/**
 * Latencies of one step, in nanoseconds from the moment a request was due, not from when the
 * generator got round to it.
 */
final class Latencies {

  private static final double NANOS_PER_MILLI = 1e6;

  private final long[] sorted;

  Latencies(long[] nanos) {
    this.sorted = nanos.clone();
    Arrays.sort(sorted);
  }

  int count() {
    return sorted.length;
  }

  /**
   * @param quantile 0 to 1; milliseconds, NaN when nothing was measured
   */
  double millis(double quantile) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int rank = (int) Math.ceil(quantile * sorted.length) - 1;
    return sorted[Math.max(0, rank)] / NANOS_PER_MILLI;
  }
}
