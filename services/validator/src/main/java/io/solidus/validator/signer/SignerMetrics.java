package io.solidus.validator.signer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.validator.authority.OutcomeTimer;
import java.util.Map;
import java.util.function.Supplier;

/** What operators see of a signer. */
final class SignerMetrics {

  private final Map<String, OutcomeTimer> timers;

  SignerMetrics(MeterRegistry registry, NativePool pool, VerdictCache verdicts, LogHolder signLog) {
    timers =
        Map.of(
            "check", new OutcomeTimer(registry, "solidus.signer.check.duration"),
            "sign", new OutcomeTimer(registry, "solidus.signer.sign.duration"));
    Gauge.builder("solidus.signer.verification.queued", pool, NativePool::queued)
        .description("verifications waiting for a thread")
        .register(registry);
    Gauge.builder("solidus.signer.verdicts.remembered", verdicts, VerdictCache::size).register(registry);
    Gauge.builder("solidus.signer.ready.status", signLog, l -> l.problem().isEmpty() ? 1 : 0)
        .description("1 while the sign-log agrees with the database and signatures are given")
        .register(registry);
  }

  <T> T timed(String timer, String kind, Supplier<T> work) {
    return timers.get(timer).timed(kind, work);
  }
}
