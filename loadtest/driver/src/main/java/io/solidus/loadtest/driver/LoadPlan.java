package io.solidus.loadtest.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A scenario of {@code loadtest/k6/scenarios.json} at the rate and length of one run.
 *
 * @param rate payments that begin per second; the phases multiply it
 * @param limits requirements
 */
public record LoadPlan(
    String name,
    double rate,
    List<Phase> phases,
    Limits limits,
    Map<String, Double> weights,
    List<String> neverAllowed) {

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * A stretch of time.
   *
   * @param from multiple of the rate at its start
   * @param to multiple of the rate at its end
   */
  public record Phase(String name, int seconds, double from, double to) {}

  /**
   * Requirements on the results.
   *
   * @param phases to which they apply
   * @param failedShare maximum share of payments that are never signed
   * @param refusedShare maximum share of refusals with any one code
   * @param routes latency limits by route
   */
  public record Limits(
      List<String> phases, double failedShare, double refusedShare, Map<String, Latency> routes) {}

  /** Limits in milliseconds. */
  public record Latency(int p95, int p99) {}

  private record Shape(double rate, List<Phase> phases, Limits limits) {}

  private record Document(
      Map<String, Double> weights, List<String> neverAllowed, Map<String, Shape> scenarios) {}

  /**
   * Reads a scenario.
   *
   * @param rate 0 for the scenario's own
   * @param seconds length of all phases together; 0 for the scenario's own
   * @throws IllegalArgumentException when there is no scenario of that name
   */
  public static LoadPlan of(String name, double rate, int seconds) {
    Document document = read();
    Shape shape = document.scenarios().get(name);
    if (shape == null) {
      throw new IllegalArgumentException(
          "no scenario '" + name + "'; there are " + String.join(", ", names()));
    }
    return new LoadPlan(
        name,
        rate > 0 ? rate : shape.rate(),
        stretched(shape.phases(), seconds),
        shape.limits(),
        document.weights(),
        document.neverAllowed());
  }

  /** The names of all scenarios. */
  public static List<String> names() {
    return List.copyOf(read().scenarios().keySet());
  }

  private static Document read() {
    try (InputStream in = LoadPlan.class.getResourceAsStream("scenarios.json")) {
      return JSON.readValue(in, Document.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Phase> stretched(List<Phase> phases, int seconds) {
    if (seconds == 0) {
      return phases;
    }
    double factor = (double) seconds / phases.stream().mapToInt(Phase::seconds).sum();
    return phases.stream()
        .map(phase ->
            new Phase(
                phase.name(),
                (int) Math.max(1, Math.round(phase.seconds() * factor)),
                phase.from(),
                phase.to()))
        .toList();
  }

  public int seconds() {
    return phases.stream().mapToInt(Phase::seconds).sum();
  }

  /** The number of payments that begin. */
  public long payments() {
    return (long)
        Math.ceil(
            phases.stream()
                .mapToDouble(phase -> rate * phase.seconds() * (phase.from() + phase.to()) / 2)
                .sum());
  }

  /** The number of journeys that begin per second at a multiple of the rate. */
  public double perSecond(String journey, double factor) {
    return rate * factor * Objects.requireNonNull(weights.get(journey), "no such journey");
  }
}
