package io.solidus.loadtest.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The phases without and with one flood. */
final class FloodMeasurement {

  private static final double NEARLY_ALL = 0.995;
  private static final double MICROS_PER_MILLI = 1000;

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
   * @param quiet p99 of the phases without a flood, of all floods together, in milliseconds: the
   *     phases beside one flood are too few for a percentile that rests on the slowest
   */
  Map<String, Object> row(double limit, double quiet) {
    double flooded = millis(under, 99);
    boolean reached = sent.stream().allMatch(flood::reached);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", flood.name());
    row.put("aloneP99Millis", Report.round(millis(alone, 99)));
    row.put("underP99Millis", Report.round(flooded));
    row.put("ratio", Report.round(flooded / quiet));
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

  /** Percentile of the phases without a flood, of all these floods, in milliseconds. */
  static double quiet(List<FloodMeasurement> floods, double percentile) {
    return millis(floods.stream().flatMap(each -> each.alone.stream()).toList(), percentile);
  }

  private static double millis(List<Phase> phases, double percentile) {
    Histogram all = RateStep.histogram();
    all.setAutoResize(true);
    phases.forEach(phase -> all.add(phase.payments().latencies()));
    return all.getTotalCount() == 0
        ? Double.NaN
        : all.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
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
