package io.solidus.dev.sandbox.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Runs the steps of the story one after the other, prints each with its time, and remembers the
 * outcome.
 */
public final class StoryTeller {
  private final PrintStream out;
  private final List<StepResult> results = new ArrayList<>();

  public StoryTeller(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs one step; its result is the detail that proves it happened. After a failed step later ones
   * are not run, because they build on it.
   */
  public void step(String name, Callable<String> body) {
    if (failed()) {
      record(new StepResult(name, false, 0, "not run: an earlier step failed"));
      return;
    }
    long start = System.nanoTime();
    try {
      String detail = body.call();
      record(new StepResult(name, true, elapsedMillis(start), detail));
    } catch (Exception failure) {
      String message =
          failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
      record(new StepResult(name, false, elapsedMillis(start), message));
      if (System.getenv("SOLIDUS_TRACE") != null) {
        failure.printStackTrace(out);
      }
    }
  }

  public boolean failed() {
    return results.stream().anyMatch(result -> !result.ok());
  }

  public List<StepResult> results() {
    return List.copyOf(results);
  }

  private void record(StepResult result) {
    results.add(result);
    out.printf(
        Locale.ROOT,
        "%s %-26s %8.2f s  %s%n",
        result.ok() ? "ok  " : "FAIL",
        result.name(),
        result.millis() / 1000.0,
        result.detail());
    out.flush();
  }

  private static long elapsedMillis(long start) {
    return (System.nanoTime() - start) / 1_000_000;
  }
}
