package io.solidus.loadtest.bench;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The result of one offered rate.
 *
 * @param offered arrivals per second, a Poisson process
 * @param seconds of arrivals
 * @param signed requests that were served: transfers that the quorum signed
 * @param refused refusals by code, and failed calls by status
 * @param latencies in microseconds from the moment a request was due to its answer
 * @param lateMillis maximum lateness of the generator itself
 */
record RateStep(
    double offered,
    double seconds,
    int sent,
    int signed,
    Map<String, Integer> refused,
    Histogram latencies,
    double lateMillis) {

  private static final double NEARLY_ALL = 0.995;
  private static final double MICROS_PER_MILLI = 1000;

  double signedPerSecond() {
    return signed / seconds;
  }

  /** A latency in milliseconds by quantile, 0 to 1; NaN when nothing was measured. */
  double millis(double quantile) {
    return latencies.getTotalCount() == 0
        ? Double.NaN
        : latencies.getValueAtPercentile(100 * quantile) / MICROS_PER_MILLI;
  }

  /** A histogram of microseconds that is exact up to a quarter of a second. */
  static Histogram histogram() {
    return new Histogram(5);
  }

  /** Whether nearly all transfers were signed, and 99 of 100 within the limit. */
  boolean holds(double limitMillis) {
    return signed >= NEARLY_ALL * sent && millis(0.99) < limitMillis;
  }
}
