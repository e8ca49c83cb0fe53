package io.solidus.authority.signer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.authority.common.OutcomeTimer;
import io.solidus.authority.spend.Outcome;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The meters of the work of a signer. Its queues and caches are in {@link SignerGauges}. */
final class SignerMetrics implements VerificationPool.Observer, SigningService.Observer {

  private static final Duration[] STAGE_BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(2)
  };

  private final MeterRegistry registry;
  private final Spans spans;
  private final OutcomeTimer checks;
  private final OutcomeTimer signs;
  private final DistributionSummary batches;
  private final Counter bisected;
  private final Counter wrongProofs;
  private final Counter secondCores;
  private final Timer verification;
  private final Timer signature;

  SignerMetrics(MeterRegistry registry, Spans spans) {
    this.registry = registry;
    this.spans = spans;
    checks = new OutcomeTimer(registry, "solidus.signer.check.duration");
    signs = new OutcomeTimer(registry, "solidus.signer.sign.duration");
    batches =
        DistributionSummary.builder("solidus.signer.verification.batch.size")
            .description("transfers in one native call")
            .serviceLevelObjectives(1, 2, 4, 8, 16, 32, 64, 128, 256)
            .register(registry);
    bisected =
        Counter.builder("solidus.signer.verification.batches.bisected")
            .description("native batches with a wrong proof in them")
            .register(registry);
    wrongProofs =
        Counter.builder("solidus.signer.verification.proofs.wrong")
            .description("transfers with a proof that does not verify")
            .register(registry);
    secondCores =
        Counter.builder("solidus.signer.second.cores.refused")
            .description(
                "cores that were reserved although another core was signed for one of their serial numbers")
            .register(registry);
    verification =
        Timer.builder("solidus.signer.verification.each.duration")
            .description("native verification of a batch, by its size")
            .register(registry);
    signature =
        Timer.builder("solidus.signer.signature.each.duration")
            .description("native signing of a batch, by its size")
            .register(registry);
  }

  <T> T timedCheck(String kind, Supplier<T> work) {
    return checks.timed(kind, work);
  }

  <T> T timedSign(String kind, Supplier<T> work) {
    return signs.timed(kind, work);
  }

  /** Counts the transfers of a Check call by their outcome. */
  void checked(List<? extends Outcome<?>> outcomes) {
    count("solidus.signer.checked.transfers", outcomes);
  }

  /** Counts the transfers of a Sign call by their outcome. */
  void signed(List<? extends Outcome<?>> outcomes) {
    count("solidus.signer.signed.transfers", outcomes);
  }

  private void count(String counter, List<? extends Outcome<?>> outcomes) {
    outcomes.forEach(outcome -> registry.counter(counter, "outcome", label(outcome)).increment());
  }

  @Override
  public void verified(int size, int wrong, long nanos) {
    batches.record(size);
    verification.record(nanos / size, TimeUnit.NANOSECONDS);
    wrongProofs.increment(wrong);
    if (size > 1 && wrong > 0) {
      bisected.increment();
    }
  }

  @Override
  public void signed(int cores, long nanos) {
    signature.record(nanos / cores, TimeUnit.NANOSECONDS);
  }

  @Override
  public void refused(int cores) {
    secondCores.increment(cores);
  }

  @Override
  public <T> T stage(String stage, Supplier<T> work) {
    Timer timer =
        Timer.builder("solidus.signer.stage.duration")
            .description(
                "per batch: are all reserved, native signing, the sign-log's write with its fsync")
            .tag("stage", stage)
            .serviceLevelObjectives(STAGE_BUCKETS)
            .register(registry);
    return Objects.requireNonNull(timer.record(() -> spans.stage(stage, work)));
  }

  private static String label(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
        ? GrpcReplies.rejection(failed.reason())
            .map(ProtocolException::code)
            .orElse(RejectionCode.INTERNAL)
            .code()
        : "ok";
  }
}
