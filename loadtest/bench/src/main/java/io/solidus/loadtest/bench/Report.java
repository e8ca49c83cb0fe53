package io.solidus.loadtest.bench;

import com.google.errorprone.annotations.FormatMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints figures on the terminal and writes them to a file. */
final class Report {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Report() {}

  @FormatMethod
  static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  static void write(@Nullable Path file, Object report) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, JSON.writeValueAsString(report) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    say("written: %s", file);
  }

  static void say(RateStep step) {
    say(
        "  offered %6.1f/s  signed %6.1f/s  p50 %6.1f ms  p95 %6.1f ms  p99 %6.1f ms%s",
        step.offered(),
        step.signedPerSecond(),
        step.millis(0.5),
        step.millis(0.95),
        step.millis(0.99),
        step.refused().isEmpty() ? "" : "  not signed " + step.refused());
  }

  static List<Map<String, Object>> steps(List<RateStep> steps) {
    return steps.stream().map(Report::step).toList();
  }

  static Map<String, Object> step(RateStep step) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("offeredPerSecond", round(step.offered()));
    map.put("signedPerSecond", round(step.signedPerSecond()));
    map.put("p50Millis", round(step.millis(0.5)));
    map.put("p95Millis", round(step.millis(0.95)));
    map.put("p99Millis", round(step.millis(0.99)));
    map.put("notSigned", step.refused());
    map.put("generatorLateMillis", round(step.lateMillis()));
    return map;
  }

  /** Rounds to three decimal places; null when nothing was measured. */
  static @Nullable Double round(double value) {
    return Double.isNaN(value) ? null : Math.round(value * 1000) / 1000.0;
  }
}
