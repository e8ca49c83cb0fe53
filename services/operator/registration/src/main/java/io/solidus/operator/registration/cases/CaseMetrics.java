package io.solidus.operator.registration.cases;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.bank.BankScope;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Metrics of cases. No label identifies a person. */
final class CaseMetrics {
  private static final String CASES = "solidus.registration.cases.count";

  private final MeterRegistry registry;
  private final AtomicLong outdated = new AtomicLong();
  private final AtomicLong newestMillis;

  CaseMetrics(
      MeterRegistry registry,
      CaseStore store,
      DuplicateStore duplicates,
      ScreeningStore screenings,
      SealingService sealing,
      DataKeys keys,
      Clock clock) {
    this.registry = registry;
    this.newestMillis = new AtomicLong(clock.millis());
    gauge(
        "solidus.registration.screening.waiting",
        "cases without a screening",
        () -> store.count(CaseStatus.PENDING_SCREENING));
    gauge(
        "solidus.registration.duplicates.waiting",
        "cases that wait for two officers' verdict",
        () -> store.count(CaseStatus.POSSIBLE_DUPLICATE));
    gauge(
        "solidus.registration.duplicates.registered",
        "pairs of registered persons that may be one",
        duplicates::countRegistered);
    gauge(
        "solidus.registration.keys.former",
        "keys of cases that are sealed under a former master key",
        keys::countFormer);
    gauge(
        "solidus.registration.cases.unsealed",
        "cases without a key of their own, sealed under a master key",
        sealing::countWaiting);
    gauge(
        "solidus.registration.screenings.outdated",
        "registered persons whose newest screening is not against the newest lists",
        outdated::get);
    gauge(
        "solidus.registration.screenings.behind.seconds",
        "time since all registered persons were found to be screened against the newest lists",
        () -> (clock.millis() - newestMillis.get()) / 1000);
    gauge(
        "solidus.registration.confirmations.waiting",
        "cases with a match that one officer has called false",
        () -> screenings.countUnconfirmed(BankScope.every()));
    gauge(
        "solidus.registration.alerts.waiting",
        "approved persons with a match that nobody has called false",
        () -> screenings.countAlerts(BankScope.every()));
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

  /** Registered persons whose newest screening has an older basis. */
  void outdated(long persons) {
    outdated.set(persons);
  }

  /** All registered persons were screened against the newest lists at that time. */
  void allNewest(Instant at) {
    newestMillis.set(at.toEpochMilli());
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
