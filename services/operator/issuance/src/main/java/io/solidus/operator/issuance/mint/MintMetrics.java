package io.solidus.operator.issuance.mint;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Metrics of mints. No label identifies a mint. */
@Component
final class MintMetrics {
  private final MeterRegistry registry;

  MintMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Counts a mint that was "requested", "approved" or "refused". */
  void count(String outcome) {
    Counter.builder("solidus.issuance.mints.count")
        .tag("outcome", outcome)
        .register(registry)
        .increment();
  }
}
