package io.solidus.loadtest.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A chart as {@code solidus-bench plot} draws it (prover-native/internal/plot). */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Chart(
    String title,
    String subtitle,
    String xLabel,
    String yLabel,
    @Nullable List<String> categories,
    boolean logY,
    List<Series> series,
    List<Mark> marks) {

  /** One line, or one set of bars. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Series(
      String name,
      boolean bars,
      @Nullable List<Double> x,
      List<Double> y,
      @Nullable List<String> labels) {}

  /** A horizontal line with a name. */
  record Mark(String name, double y) {}

  /** Latency percentiles against the offered rate, one line for each percentile. */
  static Chart latencies(String title, String subtitle, List<RateStep> steps, double limitMillis) {
    List<RateStep> answered =
        steps.stream().filter(step -> step.latencies().getTotalCount() > 0).toList();
    List<Double> rates = answered.stream().map(RateStep::offered).toList();
    return percentiles(
        title, subtitle, "offered transfers per second", rates, answered, limitMillis);
  }

  /**
   * Latency percentiles of steps, one line for each percentile.
   *
   * @param x the place of each step
   */
  static Chart percentiles(
      String title,
      String subtitle,
      String xLabel,
      List<Double> x,
      List<RateStep> steps,
      double limitMillis) {
    return new Chart(
        title,
        subtitle,
        xLabel,
        "milliseconds",
        null,
        true,
        List.of(
            line("p50", x, steps, 0.5), line("p95", x, steps, 0.95), line("p99", x, steps, 0.99)),
        List.of(new Mark("limit", limitMillis)));
  }

  private static Series line(String name, List<Double> x, List<RateStep> steps, double quantile) {
    return new Series(
        name, false, x, steps.stream().map(step -> step.millis(quantile)).toList(), null);
  }

  /** One bar for each category. */
  static Chart bars(
      String title, String subtitle, String yLabel, List<String> categories, List<Double> values) {
    List<String> labels =
        values.stream().map(value -> String.format(Locale.ROOT, "%.0f", value)).toList();
    return new Chart(
        title,
        subtitle,
        "",
        yLabel,
        categories,
        false,
        List.of(new Series(yLabel, true, null, values, labels)),
        List.of());
  }
}
