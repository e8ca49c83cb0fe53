package io.solidus.loadtest.gatling;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Every latency of one kind, in whole milliseconds: four bytes each, so that percentiles are exact.
 */
final class Samples {
  private int[] millis = new int[256];
  private int count;

  synchronized void add(int value) {
    if (count == millis.length) {
      millis = Arrays.copyOf(millis, 2 * count);
    }
    millis[count++] = value;
  }

  /**
   * @param others that nobody adds to any more
   */
  void addAll(Samples others) {
    Arrays.stream(others.sorted()).forEach(this::add);
  }

  synchronized int count() {
    return count;
  }

  /**
   * @param quantile 0 to 1; 0 when there is nothing
   */
  synchronized int quantile(double quantile) {
    int[] sorted = sorted();
    return sorted.length == 0
        ? 0
        : sorted[Math.max(0, (int) Math.ceil(quantile * sorted.length) - 1)];
  }

  /** As k6's summary has it. */
  synchronized Map<String, Number> figures() {
    int[] sorted = sorted();
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("count", sorted.length);
    figures.put("avgMillis", Math.round(1000 * Arrays.stream(sorted).average().orElse(0)) / 1000.0);
    figures.put("p50Millis", quantile(0.5));
    figures.put("p95Millis", quantile(0.95));
    figures.put("p99Millis", quantile(0.99));
    figures.put("p999Millis", quantile(0.999));
    figures.put("maxMillis", sorted.length == 0 ? 0 : sorted[sorted.length - 1]);
    return figures;
  }

  private synchronized int[] sorted() {
    int[] sorted = Arrays.copyOf(millis, count);
    Arrays.sort(sorted);
    return sorted;
  }
}
