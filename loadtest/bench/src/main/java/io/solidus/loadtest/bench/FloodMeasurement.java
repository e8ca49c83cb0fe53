package io.solidus.loadtest.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** The phases without and with one flood. */
final class FloodMeasurement {

  private static final double NEARLY_ALL = 0.995;
  private static final double MICROS_PER_MILLI = 1000;
  private static final int DRAWS = 2_000;

  private final Flood flood;
  private final List<Phase> alone = new ArrayList<>();
  private final List<Phase> under = new ArrayList<>();
  private final List<RateStep> sent = new ArrayList<>();

  FloodMeasurement(Flood flood) {
    this.flood = flood;
  }

  /**
   * A phase.
   *
   * @param processors that the servers used, on average
   */
  record Phase(RateStep payments, double processors) {}

  Flood flood() {
    return flood;
  }

  void alone(Phase phase) {
    add(alone, phase);
  }

  void under(Phase phase) {
    add(under, phase);
  }

  private static void add(List<Phase> phases, Phase phase) {
    Report.say(phase.payments());
    phases.add(phase);
  }

  void sent(RateStep step) {
    Report.say(step);
    sent.add(step);
  }

  /**
   * The figures. They are good when the flood reached the platform, nearly all payments were signed
   * under it, and their p99 is at most so many times that of all payments without a flood.
   *
   * <p>A p99 rests on the slowest payments, so its ratio comes with the range of 95 of 100 draws
   * with replacement from the same payments. Payments that wait for each other are not independent,
   * so the true range is wider.
   *
   * @param quietPayments latencies without a flood, of all floods together: those beside one flood
   *     are too few for a percentile that rests on the slowest
   */
  Map<String, Object> row(double limit, Histogram quietPayments) {
    double quiet = millis(quietPayments, 99);
    double flooded = millis(under, 99);
    double[] range = rangeOfRatio(values(latencies(under)), values(quietPayments));
    boolean reached = sent.stream().allMatch(flood::reached);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", flood.name());
    row.put("aloneP99Millis", Report.round(millis(alone, 99)));
    row.put("underP99Millis", Report.round(flooded));
    row.put("ratio", Report.round(flooded / quiet));
    row.put("ratioFrom", Report.round(range[0]));
    row.put("ratioTo", Report.round(range[1]));
    row.put("aloneP95Millis", Report.round(millis(alone, 95)));
    row.put("underP95Millis", Report.round(millis(under, 95)));
    row.put("aloneP50Millis", Report.round(millis(alone, 50)));
    row.put("underP50Millis", Report.round(millis(under, 50)));
    row.put("payments", sum(alone, true) + sum(under, true));
    row.put("notSignedAlone", sum(alone, true) - sum(alone, false));
    row.put("notSignedUnder", sum(under, true) - sum(under, false));
    row.put("serversProcessorsAlone", Report.round(processors(alone)));
    row.put("serversProcessorsUnder", Report.round(processors(under)));
    row.put("floodPerSecond", Report.round(flood.perSecond()));
    row.put("floodConnections", flood.connections());
    row.put("floodSent", sent.stream().mapToInt(RateStep::sent).sum());
    row.put("floodAccepted", sent.stream().mapToInt(RateStep::signed).sum());
    row.put("floodRefused", refused());
    row.put("floodReachedItsRate", reached);
    row.put(
        "ok",
        reached && sum(under, false) >= NEARLY_ALL * sum(under, true) && flooded <= limit * quiet);
    return row;
  }

  private Map<String, Integer> refused() {
    Map<String, Integer> refused = new TreeMap<>();
    sent.forEach(
        step -> step.refused().forEach((code, count) -> refused.merge(code, count, Integer::sum)));
    return refused;
  }

  /** Latencies of the phases without a flood, of all these floods, in microseconds. */
  static Histogram quiet(List<FloodMeasurement> floods) {
    return latencies(floods.stream().flatMap(each -> each.alone.stream()).toList());
  }

  static double millis(Histogram latencies, double percentile) {
    return latencies.getTotalCount() == 0
        ? Double.NaN
        : latencies.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
  }

  private static double millis(List<Phase> phases, double percentile) {
    return millis(latencies(phases), percentile);
  }

  private static Histogram latencies(List<Phase> phases) {
    Histogram all = RateStep.histogram();
    all.setAutoResize(true);
    phases.forEach(phase -> all.add(phase.payments().latencies()));
    return all;
  }

  private static double[] values(Histogram latencies) {
    DoubleStream.Builder all = DoubleStream.builder();
    for (HistogramIterationValue each : latencies.recordedValues()) {
      for (long n = each.getCountAddedInThisIterationStep(); n > 0; n--) {
        all.add((double) each.getValueIteratedTo());
      }
    }
    return all.build().toArray();
  }

  /** The percentile bootstrap of a ratio of two p99, always with the same draws. */
  static double[] rangeOfRatio(double[] flooded, double[] quiet) {
    if (flooded.length == 0 || quiet.length == 0) {
      return new double[] {Double.NaN, Double.NaN};
    }
    Random random = new Random(1);
    double[] ratios =
        IntStream.range(0, DRAWS)
            .mapToDouble(i -> p99(flooded, random) / p99(quiet, random))
            .sorted()
            .toArray();
    return new double[] {ratios[DRAWS / 40], ratios[DRAWS - 1 - DRAWS / 40]};
  }

  private static double p99(double[] values, Random random) {
    double[] drawn =
        IntStream.range(0, values.length)
            .mapToDouble(i -> values[random.nextInt(values.length)])
            .sorted()
            .toArray();
    return drawn[(int) Math.ceil(0.99 * drawn.length) - 1];
  }

  private static int sum(List<Phase> phases, boolean sent) {
    return phases.stream()
        .map(Phase::payments)
        .mapToInt(step -> sent ? step.sent() : step.signed())
        .sum();
  }

  private static double processors(List<Phase> phases) {
    return phases.stream().mapToDouble(Phase::processors).average().orElse(Double.NaN);
  }
}
