package io.solidus.dev.sandbox.demo;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Runs the steps of the story, prints each with its time, and records the outcomes. */
public final class StoryTeller {
  private final PrintStream out;
  private final List<StepResult> results = new ArrayList<>();

  public StoryTeller(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs one step, which returns a detail as proof. After a failed step no later one is run,
   * because each builds on the earlier ones.
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
    } catch (Exception e) {
      String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      record(new StepResult(name, false, elapsedMillis(start), message));
      if (System.getenv("SOLIDUS_TRACE") != null) {
        e.printStackTrace(out);
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
