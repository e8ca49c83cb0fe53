package io.solidus.loadtest.gatling;

import io.solidus.loadtest.driver.LoadPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The figures of a run, in the form of k6's summary, with the limits that did not hold. */
final class Summary {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final LoadPlan plan;
  private final Measurements measured;

  Summary(LoadPlan plan, Measurements measured) {
    this.plan = plan;
    this.measured = measured;
  }

  void write(Path file) {
    try {
      Files.writeString(file, JSON.writeValueAsString(figures()) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Map<String, Object> figures() {
    List<String> broken = broken();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("tool", "gatling");
    all.put("scenario", plan.name());
    all.put("ratePerSecond", plan.rate());
    all.put("plannedPayments", plan.payments());
    all.put("phases", plan.phases().stream().map(this::phase).toList());
    all.put("routes", routes());
    all.put("refusals", refusals());
    all.put("retries", measured.retries());
    all.put("dropped", measured.unsupplied());
    all.put("failedLimits", broken);
    all.put("ok", broken.isEmpty());
    return all;
  }

  private Map<String, Object> phase(LoadPlan.Phase phase) {
    Measurements.PhaseFigures figures = measured.phase(phase.name());
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", phase.name());
    all.put("seconds", phase.seconds());
    all.put("offeredPerSecond", plan.rate() * (phase.from() + phase.to()) / 2);
    all.put("begun", figures.begun());
    all.put("signed", (int) figures.payments().getTotalCount());
    all.put("payment", figures(figures.payments()));
    Map<String, Object> routes = new LinkedHashMap<>();
    figures.routes().forEach((route, latencies) -> routes.put(route, figures(latencies)));
    all.put("routes", routes);
    all.put("refusals", figures.refusals());
    return all;
  }

  /** The figures of each route over all phases. */
  private Map<String, Object> routes() {
    Map<String, Histogram> together = new TreeMap<>();
    for (LoadPlan.Phase phase : plan.phases()) {
      measured
          .phase(phase.name())
          .routes()
          .forEach((route, latencies) ->
              together.computeIfAbsent(route, r -> Measurements.histogram()).add(latencies));
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    together.forEach((route, latencies) -> figures.put(route, figures(latencies)));
    return figures;
  }

  private Map<String, Long> refusals() {
    Map<String, Long> all = new TreeMap<>();
    plan.phases()
        .forEach(phase ->
            measured
                .phase(phase.name())
                .refusals()
                .forEach((code, count) -> all.merge(code, count, Long::sum)));
    return all;
  }

  private List<String> broken() {
    List<String> broken = new ArrayList<>();
    for (String name : plan.limits().phases()) {
      Measurements.PhaseFigures figures = measured.phase(name);
      if (figures.failed() > plan.limits().failedShare() * figures.begun()) {
        broken.add(name + ": " + figures.failed() + " of " + figures.begun() + " payments failed");
      }
      figures
          .refusals()
          .forEach((code, count) -> {
            if (count > plan.limits().refusedShare() * figures.begun()) {
              broken.add(name + ": " + count + " refusals with " + code);
            }
          });
      plan.limits()
          .routes()
          .forEach((route, limit) -> latency(broken, name, route, figures, limit));
    }
    refusals()
        .forEach((code, count) -> {
          if (plan.neverAllowed().contains(code)) {
            broken.add(count + " refused: " + code);
          }
        });
    if (measured.unsupplied() > 0) {
      broken.add("the pool of transfers was used up");
    }
    return broken;
  }

  private static void latency(
      List<String> broken,
      String phase,
      String route,
      Measurements.PhaseFigures figures,
      LoadPlan.Latency limit) {
    Histogram latencies = figures.routes().getOrDefault(route, new Histogram(1));
    if (latencies.getTotalCount() == 0) {
      broken.add(phase + ": no answer of " + route);
    }
    require(broken, phase + ": p95 of " + route, millis(latencies, 95), limit.p95());
    require(broken, phase + ": p99 of " + route, millis(latencies, 99), limit.p99());
  }

  private static void require(List<String> broken, String what, int millis, int limit) {
    if (millis >= limit) {
      broken.add(what + " is " + millis + " ms, not below " + limit);
    }
  }

  /** The figures of latencies, in the form of k6's summary. */
  static Map<String, Number> figures(Histogram latencies) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("count", (int) latencies.getTotalCount());
    figures.put("avgMillis", Math.round(1000 * latencies.getMean()) / 1000.0);
    figures.put("p50Millis", millis(latencies, 50));
    figures.put("p95Millis", millis(latencies, 95));
    figures.put("p99Millis", millis(latencies, 99));
    figures.put("p999Millis", millis(latencies, 99.9));
    figures.put("maxMillis", (int) latencies.lowestEquivalentValue(latencies.getMaxValue()));
    return figures;
  }

  /** A latency by percentile; 0 without answers. */
  static int millis(Histogram latencies, double percentile) {
    return (int) latencies.lowestEquivalentValue(latencies.getValueAtPercentile(percentile));
  }
}
