package io.solidus.authority.shard;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.batch.BatchWatcher;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.KnownCheckpoint;
import io.solidus.authority.spend.rules.KnownPolicy;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What operators see of a shard. */
final class ShardMetrics {

  private static final double[] BATCH_SIZES = {1, 4, 16, 64, 256};

  private final MeterRegistry registry;
  private final Spans spans;

  ShardMetrics(
      MeterRegistry registry, Spans spans, FactBook book, AdmissionRule rule, Clock clock) {
    this.registry = registry;
    this.spans = spans;
    Gauge.builder(
            "solidus.validator.accepting.status",
            () -> rule.accepting(book.facts(), clock.instant()) ? 1 : 0)
        .description("0 while no new core is taken because the sanction authority is silent")
        .register(registry);
    Gauge.builder("solidus.validator.policy.version", () -> policyVersion(book, clock))
        .register(registry);
    Gauge.builder("solidus.validator.checkpoint.version", () -> checkpointVersion(book))
        .register(registry);
  }

  private static long policyVersion(FactBook book, Clock clock) {
    return book.facts().policyInForce(clock.instant()).map(KnownPolicy::version).orElse(0L);
  }

  private static long checkpointVersion(FactBook book) {
    return book.facts().newestCheckpoint().map(KnownCheckpoint::version).orElse(0L);
  }

  /** Times one submission from its arrival to its outcome, which the result has to be told. */
  <A> Consumer<Outcome<A>> submission(String kind) {
    Timer.Sample sample = Timer.start(registry);
    return outcome ->
        sample.stop(
            registry.timer(
                "solidus.validator.submission.duration", "kind", kind, "outcome", code(outcome)));
  }

  /** Time spent in one step of the order of work, and a span of it where the batch is traced. */
  Timed.Stage stage(String kind, String stage) {
    Timer timer =
        Timer.builder("solidus.validator.stage.duration")
            .description("per batch; admission per request")
            .tags("kind", kind, "stage", stage)
            .register(registry);
    return new Timed.Stage() {
      @Override
      public <T> T record(Supplier<T> work) {
        return Objects.requireNonNull(timer.record(() -> spans.stage(stage, work)));
      }
    };
  }

  /** Shows how many submissions of a kind wait. */
  void queue(String kind, Batcher<?, ?> queue) {
    Gauge.builder("solidus.validator.queue.length", queue, Batcher::waiting)
        .tag("kind", kind)
        .register(registry);
  }

  BatchWatcher watcher(String kind) {
    DistributionSummary sizes =
        DistributionSummary.builder("solidus.validator.batch.size")
            .tag("kind", kind)
            .serviceLevelObjectives(BATCH_SIZES)
            .register(registry);
    Timer waits = registry.timer("solidus.validator.queue.wait", "kind", kind);
    var refused = registry.counter("solidus.validator.overloaded", "kind", kind);
    var abandoned = registry.counter("solidus.validator.abandoned", "kind", kind);
    return new BatchWatcher() {
      @Override
      public void started(int size) {
        sizes.record(size);
      }

      @Override
      public void waited(long nanos) {
        waits.record(nanos, TimeUnit.NANOSECONDS);
      }

      @Override
      public void refused() {
        refused.increment();
      }

      @Override
      public void abandoned() {
        abandoned.increment();
      }
    };
  }

  /** A code of a rule or `internal`: labels come from a fixed set. */
  private static String code(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?> done -> "ok";
      case Outcome.Failed<?> failed ->
          (failed.reason() instanceof ProtocolException refusal
                  ? refusal.code()
                  : RejectionCode.INTERNAL)
              .code();
    };
  }
}
