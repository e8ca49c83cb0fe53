package io.solidus.operator.issuance.mint;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.stereotype.Component;

/** Counts only; no label tells one mint from another. */
@Component
final class MintMetrics {
  private final MeterRegistry registry;

  MintMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * @param outcome requested, approved or refused
   */
  void count(String outcome) {
    Counter.builder("solidus.issuance.mints.count")
        .tag("outcome", outcome)
        .register(registry)
        .increment();
  }
}
