package io.solidus.loadtest.gatling;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Measured answers by phase. */
final class Measurements {
  private final Map<String, PhaseFigures> phases = new ConcurrentHashMap<>();
  private final LongAdder retries = new LongAdder();
  private final AtomicLong unsupplied = new AtomicLong();

  /** The figures of one phase. */
  static final class PhaseFigures {
    private final Map<String, Histogram> routes = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> refusals = new ConcurrentSkipListMap<>();
    private final Histogram payments = histogram();
    private final LongAdder failed = new LongAdder();

    Map<String, Histogram> routes() {
      return routes;
    }

    Map<String, Long> refusals() {
      Map<String, Long> counts = new TreeMap<>();
      refusals.forEach((code, count) -> counts.put(code, count.sum()));
      return counts;
    }

    /** Milliseconds from the first submit of each payment to its certificate. */
    Histogram payments() {
      return payments;
    }

    long failed() {
      return failed.sum();
    }

    long begun() {
      return payments.getTotalCount() + failed();
    }
  }

  /** A histogram of milliseconds that is exact up to half a minute. */
  static Histogram histogram() {
    return new SynchronizedHistogram(4);
  }

  PhaseFigures phase(String name) {
    return phases.computeIfAbsent(name, n -> new PhaseFigures());
  }

  void answered(String phase, String route, int millis) {
    // the system clock may step back between the two readings
    phase(phase).routes.computeIfAbsent(route, r -> histogram()).recordValue(Math.max(0, millis));
  }

  void refused(String phase, String code) {
    phase(phase).refusals.computeIfAbsent(code, c -> new LongAdder()).increment();
  }

  void paid(String phase, int millis) {
    phase(phase).payments.recordValue(Math.max(0, millis));
  }

  void notPaid(String phase) {
    phase(phase).failed.increment();
  }

  void sentAgain() {
    retries.increment();
  }

  long retries() {
    return retries.sum();
  }

  /** Counts a payment that could not begin because the pool was used up. */
  void notSupplied() {
    unsupplied.incrementAndGet();
  }

  long unsupplied() {
    return unsupplied.get();
  }
}
