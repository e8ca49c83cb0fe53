package io.solidus.operator.registration.cases;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Metrics of cases. No label identifies a person. */
final class CaseMetrics {
  private static final String CASES = "solidus.registration.cases.count";

  private final MeterRegistry registry;

  CaseMetrics(MeterRegistry registry, CaseStore store, ScreeningStore screenings) {
    this.registry = registry;
    gauge(
        "solidus.registration.screening.waiting",
        "cases without a screening",
        () -> store.count(CaseStatus.PENDING_SCREENING));
    gauge(
        "solidus.registration.duplicates.waiting",
        "cases that wait for two officers' verdict",
        () -> store.count(CaseStatus.POSSIBLE_DUPLICATE));
    gauge(
        "solidus.registration.alerts.waiting",
        "approved persons with a match that nobody has called false",
        screenings::countAlerts);
  }

  void submitted() {
    count("submitted");
  }

  /** The address has a case. */
  void duplicate() {
    count("duplicate");
  }

  /** The person may have a case. */
  void possibleDuplicate() {
    count("possible-duplicate");
  }

  /** Persons who were screened again against newer lists. */
  void screenedAgain(int persons) {
    Counter.builder("solidus.registration.screenings.again.count")
        .register(registry)
        .increment(persons);
  }

  /** Counts a decision, "approved" or "refused". */
  void decided(String decision) {
    count(decision);
  }

  private void count(String outcome) {
    Counter.builder(CASES).tag("outcome", outcome).register(registry).increment();
  }

  private void gauge(String name, String description, LongSupplier count) {
    Gauge.builder(name, count, CaseMetrics::value)
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  /** NaN when the database is unavailable. */
  private static double value(LongSupplier count) {
    try {
      return count.getAsLong();
    } catch (DataAccessException | TransactionException e) {
      return Double.NaN;
    }
  }
}
