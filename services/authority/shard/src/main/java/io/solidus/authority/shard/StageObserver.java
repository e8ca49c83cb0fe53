package io.solidus.authority.shard;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.authority.spend.PipelineObserver;
import io.solidus.platform.tracing.Spans;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Measures the stages of a pipeline and records a span of each in batches that are traced. */
final class StageObserver implements PipelineObserver {
  private final Map<Stage, Timer> timers = new EnumMap<>(Stage.class);
  private final Spans spans;
  private final Runnable afterCheck;

  /**
   * Registers a timer for each stage.
   *
   * @param stages to measure; others only run
   * @param afterCheck runs at the end of every check, also if the check throws
   */
  StageObserver(
      MeterRegistry registry, Spans spans, String kind, Set<Stage> stages, Runnable afterCheck) {
    this.spans = spans;
    this.afterCheck = afterCheck;
    for (Stage stage : stages) {
      timers.put(
          stage,
          Timer.builder("solidus.validator.stage.duration")
              .description("per batch; admission per request")
              .tags("kind", kind, "stage", stage.label())
              .register(registry));
    }
  }

  @Override
  public <T> T observe(Stage stage, Supplier<T> work) {
    Timer timer = timers.get(stage);
    try {
      return timer == null
          ? work.get()
          : requireNonNull(timer.record(() -> spans.stage(stage.label(), work)));
    } finally {
      if (stage == Stage.CHECK) {
        afterCheck.run();
      }
    }
  }
}
