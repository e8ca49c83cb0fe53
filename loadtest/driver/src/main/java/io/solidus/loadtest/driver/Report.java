package io.solidus.loadtest.driver;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes the report of a run: report.json, charts for the plotter, and a page with them. */
final class Report {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final List<String> PERCENTILES = List.of("p50", "p95", "p99");

  private final Path folder;

  Report(Path folder) {
    this.folder = folder;
  }

  /** A chart for {@code solidus-bench plot}. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Chart(
      String title,
      String subtitle,
      String yLabel,
      List<String> categories,
      boolean logY,
      List<Series> series) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Series(String name, boolean bars, List<Double> y) {}

  static JsonNode read(Path file) {
    try {
      return JSON.readTree(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The one-minute load average of the machine; null where there is none. */
  static @Nullable Double loadAverage() {
    try {
      String text = Files.readString(Path.of("/proc/loadavg"));
      return Double.valueOf(text.substring(0, text.indexOf(' ')));
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }

  /**
   * Writes all files.
   *
   * @param about everything except the generator's summary
   */
  void write(Map<String, Object> about, JsonNode summary) {
    Map<String, Object> all = new LinkedHashMap<>(about);
    all.put("load", summary);
    file("report.json", JSON.writeValueAsString(all) + "\n");
    String title = summary.path("scenario").asString() + " by " + summary.path("tool").asString();
    String subtitle =
        String.format(
            Locale.ROOT,
            "%.1f payments per second is its rate",
            summary.path("ratePerSecond").asDouble());
    file("chart-routes.json", JSON.writeValueAsString(byRoute(title, subtitle, summary)));
    file("chart-phases.json", JSON.writeValueAsString(byPhase(title, summary)));
    file("index.html", page(title, summary));
  }

  private static Chart byRoute(String title, String subtitle, JsonNode summary) {
    JsonNode routes = summary.path("routes");
    List<String> names =
        routes.propertyNames().stream()
            .filter(name -> routes.path(name).path("count").asLong() > 0)
            .toList();
    return chart(
        title + ": latency by route",
        subtitle,
        names,
        true,
        names.stream().map(routes::path).toList());
  }

  /** Shows submits only: a whole payment includes the waiting times that the gateway demands. */
  private static Chart byPhase(String title, JsonNode summary) {
    List<String> names = new ArrayList<>();
    List<JsonNode> figures = new ArrayList<>();
    for (JsonNode phase : summary.path("phases")) {
      if (phase.path("routes").has("submit")) {
        names.add(
            String.format(
                Locale.ROOT,
                "%s %.0f/s",
                phase.path("name").asString(),
                phase.path("offeredPerSecond").asDouble()));
        figures.add(phase.path("routes").path("submit"));
      }
    }
    return chart(
        title + ": latency of a submit by phase",
        "payments offered in a second beside each phase's name",
        names,
        false,
        figures);
  }

  /**
   * A chart of percentiles.
   *
   * @param bars bars on a linear axis, instead of lines on a logarithmic one
   */
  private static Chart chart(
      String title,
      String subtitle,
      List<String> categories,
      boolean bars,
      List<JsonNode> figures) {
    List<Series> series =
        PERCENTILES.stream()
            .map(name ->
                new Series(
                    name, bars, figures.stream().map(f -> millis(f, name + "Millis")).toList()))
            .toList();
    return new Chart(title, subtitle, "milliseconds", categories, !bars, series);
  }

  /** A positive value, for a logarithmic axis. */
  private static double millis(JsonNode figures, String name) {
    return Math.max(0.1, figures.path(name).asDouble());
  }

  private static String page(String title, JsonNode summary) {
    StringBuilder page =
        new StringBuilder("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>");
    page.append(escaped(title))
        .append(
            "</title><style>body{font-family:sans-serif;max-width:60em;margin:2em auto}td,th{padding:.2em .8em;")
        .append(
            "text-align:right}td:first-child,th:first-child{text-align:left}img{max-width:100%}</style>\n<h1>")
        .append(escaped(title))
        .append("</h1>\n<p>")
        .append(summary.path("ok").asBoolean() ? "All limits held." : "Limits were broken:")
        .append("</p>\n<ul>");
    summary
        .path("failedLimits")
        .forEach(limit -> page.append("<li>").append(escaped(limit.asString())).append("</li>"));
    page.append(
        "</ul>\n<table><tr><th>route</th><th>calls</th><th>p50 ms</th><th>p95 ms</th><th>p99 ms</th><th>longest ms</th></tr>\n");
    JsonNode routes = summary.path("routes");
    for (String route : routes.propertyNames()) {
      JsonNode f = routes.path(route);
      page.append(
          String.format(
              Locale.ROOT,
              "<tr><td>%s</td><td>%d</td><td>%.1f</td><td>%.1f</td><td>%.1f</td><td>%.1f</td></tr>%n",
              escaped(route),
              f.path("count").asLong(),
              f.path("p50Millis").asDouble(),
              f.path("p95Millis").asDouble(),
              f.path("p99Millis").asDouble(),
              f.path("maxMillis").asDouble()));
    }
    page.append("</table>\n<p>Refusals by code: ")
        .append(escaped(summary.path("refusals").toString()))
        .append("</p>\n");
    page.append(
        "<p><img src=\"routes.svg\" alt=\"latency by route\"></p>\n<p><img src=\"phases.svg\" alt=\"latency by phase\"></p>\n");
    return page.append("<p>All figures: <a href=\"report.json\">report.json</a></p></html>\n")
        .toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private void file(String name, String text) {
    try {
      Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
