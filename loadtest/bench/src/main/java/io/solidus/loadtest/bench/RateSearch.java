package io.solidus.loadtest.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Searches the highest rate at which the limit holds: upwards in steps, then by bisection. A rate
 * fails when it fails twice in a row, because a single stall of the machine or of the database's
 * maintenance does not count. Every step is reported.
 */
final class RateSearch {

  private final double start;
  private final double factor;
  private final double precision;
  private final double limitMillis;

  /**
   * Creates a search.
   *
   * @param precision as a share of the rate, e.g. 0.03
   */
  RateSearch(double start, double factor, double precision, double limitMillis) {
    this.start = start;
    this.factor = factor;
    this.precision = precision;
    this.limitMillis = limitMillis;
  }

  /** All steps that were tried, in ascending order of rate. */
  List<RateStep> run(DoubleFunction<RateStep> measure) {
    List<RateStep> steps = new ArrayList<>();
    double good = 0;
    double bad = Double.POSITIVE_INFINITY;
    double rate = start;
    while (bad - good > precision * Math.max(good, 1)) {
      RateStep step = measure.apply(rate);
      steps.add(step);
      if (!step.holds(limitMillis)) {
        step = measure.apply(rate);
        steps.add(step);
      }
      if (step.holds(limitMillis)) {
        good = rate;
        rate = bad == Double.POSITIVE_INFINITY ? rate * factor : (good + bad) / 2;
      } else {
        bad = rate;
        rate = good == 0 ? rate / 2 : (good + bad) / 2;
      }
      if (rate < 1) {
        break;
      }
    }
    steps.sort((a, b) -> Double.compare(a.offered(), b.offered()));
    return steps;
  }
}
