package io.solidus.loadtest.bench;

import java.util.Map;

/**
 * What one offered rate led to.
 *
 * @param offered arrivals per second, a Poisson process
 * @param seconds of arrivals
 * @param signed transfers that came back with what was asked for
 * @param refused by code, and failed calls by status
 * @param lateMillis by how much the generator itself was late in the worst case
 */
record Step(
    double offered,
    double seconds,
    int sent,
    int signed,
    Map<String, Integer> refused,
    Latencies latencies,
    double lateMillis) {

  private static final double NEARLY_ALL = 0.995;

  double signedPerSecond() {
    return signed / seconds;
  }

  /** Nearly everything was signed, and 99 of 100 within the limit. */
  boolean holds(double limitMillis) {
    return signed >= NEARLY_ALL * sent && latencies.millis(0.99) < limitMillis;
  }
}
