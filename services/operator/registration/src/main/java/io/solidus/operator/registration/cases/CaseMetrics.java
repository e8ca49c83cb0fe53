package io.solidus.operator.registration.cases;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Metrics of cases. No label identifies a person. */
final class CaseMetrics {
  private static final String CASES = "solidus.registration.cases.count";

  private final MeterRegistry registry;

  CaseMetrics(MeterRegistry registry, CaseStore store) {
    this.registry = registry;
    Gauge.builder("solidus.registration.screening.waiting", store, CaseMetrics::waiting)
        .description("cases without a screening")
        .register(registry);
  }

  void submitted() {
    count("submitted");
  }

  void duplicate() {
    count("duplicate");
  }

  /** Counts a decision, "approved" or "refused". */
  void decided(String decision) {
    count(decision);
  }

  private void count(String outcome) {
    Counter.builder(CASES).tag("outcome", outcome).register(registry).increment();
  }

  /** NaN when the database is unavailable. */
  private static double waiting(CaseStore store) {
    try {
      return store.countWaitingForScreening();
    } catch (DataAccessException | TransactionException e) {
      return Double.NaN;
    }
  }
}
