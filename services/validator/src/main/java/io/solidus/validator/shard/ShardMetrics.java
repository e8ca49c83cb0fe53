package io.solidus.validator.shard;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.validator.authority.OutcomeTimer;
import io.solidus.validator.facts.AdmissionRule;
import io.solidus.validator.facts.FactBook;
import io.solidus.validator.facts.KnownCheckpoint;
import io.solidus.validator.facts.KnownPolicy;
import java.time.Clock;
import java.util.function.Supplier;

/** What operators see of a shard. */
final class ShardMetrics {

  private final OutcomeTimer submissions;

  ShardMetrics(MeterRegistry registry, FactBook book, AdmissionRule rule, Clock clock) {
    submissions = new OutcomeTimer(registry, "solidus.validator.submission.duration");
    Gauge.builder("solidus.validator.accepting.status", () -> rule.accepting(book.facts(), clock.instant()) ? 1 : 0)
        .description("0 while no new core is taken because the sanction authority is silent")
        .register(registry);
    Gauge.builder("solidus.validator.policy.version", () -> policyVersion(book, clock)).register(registry);
    Gauge.builder("solidus.validator.checkpoint.version", () -> checkpointVersion(book)).register(registry);
  }

  private static long policyVersion(FactBook book, Clock clock) {
    return book.facts().policyInForce(clock.instant()).map(KnownPolicy::version).orElse(0L);
  }

  private static long checkpointVersion(FactBook book) {
    return book.facts().newestCheckpoint().map(KnownCheckpoint::version).orElse(0L);
  }

  <T> T timed(String kind, Supplier<T> work) {
    return submissions.timed(kind, work);
  }
}
