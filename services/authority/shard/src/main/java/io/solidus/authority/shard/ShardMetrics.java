package io.solidus.authority.shard;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.PipelineObserver.Stage;
import io.solidus.authority.spend.batch.BatchObserver;
import io.solidus.authority.spend.batch.Batcher;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.VerifiedCheckpoint;
import io.solidus.authority.spend.rules.VerifiedPolicy;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The meters of a shard. */
final class ShardMetrics {

  private static final double[] BATCH_SIZES = {1, 4, 16, 64, 256};

  private final MeterRegistry registry;
  private final Spans spans;

  ShardMetrics(
      MeterRegistry registry, Spans spans, RulesCache rules, AdmissionRule rule, Clock clock) {
    this.registry = registry;
    this.spans = spans;
    Gauge.builder(
            "solidus.validator.accepting.status",
            () -> rule.accepting(rules.current(), clock.instant()) ? 1 : 0)
        .description("0 while no new core is taken because the sanctions service is silent")
        .register(registry);
    Gauge.builder("solidus.validator.policy.version", () -> policyVersion(rules, clock))
        .register(registry);
    Gauge.builder("solidus.validator.checkpoint.version", () -> checkpointVersion(rules))
        .register(registry);
  }

  private static long policyVersion(RulesCache rules, Clock clock) {
    return rules.current().policyInForce(clock.instant()).map(VerifiedPolicy::version).orElse(0L);
  }

  private static long checkpointVersion(RulesCache rules) {
    return rules.current().newestCheckpoint().map(VerifiedCheckpoint::version).orElse(0L);
  }

  /**
   * Measures one submission from its arrival to its outcome, which the caller passes to the result.
   */
  <A> Consumer<Outcome<A>> submission(String kind) {
    Timer.Sample sample = Timer.start(registry);
    return outcome ->
        sample.stop(
            registry.timer(
                "solidus.validator.submission.duration", "kind", kind, "outcome", code(outcome)));
  }

  Spans spans() {
    return spans;
  }

  StageObserver stageObserver(String kind, Set<Stage> stages, Runnable afterCheck) {
    return new StageObserver(registry, spans, kind, stages, afterCheck);
  }

  /** Registers the gauge of the submissions that wait. */
  void registerQueue(String kind, Batcher<?, ?> queue) {
    Gauge.builder("solidus.validator.queue.length", queue, Batcher::waiting)
        .tag("kind", kind)
        .register(registry);
  }

  BatchObserver batchObserver(String kind) {
    DistributionSummary sizes =
        DistributionSummary.builder("solidus.validator.batch.size")
            .tag("kind", kind)
            .serviceLevelObjectives(BATCH_SIZES)
            .register(registry);
    Timer waits = registry.timer("solidus.validator.queue.wait", "kind", kind);
    var refused = registry.counter("solidus.validator.overloaded", "kind", kind);
    var abandoned = registry.counter("solidus.validator.abandoned", "kind", kind);
    return new BatchObserver() {
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

  /** The code of a rejection or `internal`: labels come from a fixed set. */
  private static String code(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Done<?> done -> "ok";
      case Outcome.Failed<?> failed ->
          (failed.reason() instanceof ProtocolException rejection
                  ? rejection.code()
                  : RejectionCode.INTERNAL)
              .code();
    };
  }
}
