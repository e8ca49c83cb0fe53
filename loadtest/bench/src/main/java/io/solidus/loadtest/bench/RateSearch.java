package io.solidus.loadtest.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The highest rate at which the limit holds: up in steps while it holds, then between the last two
 * by halves. A rate fails when it fails twice in a row: one stall of the machine, or of the
 * database's housekeeping, is not what is searched for. Every step is reported.
 */
final class RateSearch {

  private final double start;
  private final double factor;
  private final double precision;
  private final double limitMillis;

  /**
   * @param precision as a share of the rate, e.g. 0.03
   */
  RateSearch(double start, double factor, double precision, double limitMillis) {
    this.start = start;
    this.factor = factor;
    this.precision = precision;
    this.limitMillis = limitMillis;
  }

  /** All steps that were tried, in ascending order of rate. */
  List<Step> run(DoubleFunction<Step> measure) {
    List<Step> steps = new ArrayList<>();
    double good = 0;
    double bad = Double.POSITIVE_INFINITY;
    double rate = start;
    while (bad - good > precision * Math.max(good, 1)) {
      Step step = measure.apply(rate);
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
