package io.solidus.loadtest.gatling;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What was heard, by phase. */
final class Measurements {
  private final Map<String, PhaseFigures> phases = new ConcurrentHashMap<>();
  private final LongAdder retries = new LongAdder();
  private final AtomicLong unsupplied = new AtomicLong();

  /** Of one phase. */
  static final class PhaseFigures {
    private final Map<String, Samples> routes = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> refusals = new ConcurrentSkipListMap<>();
    private final Samples payments = new Samples();
    private final LongAdder failed = new LongAdder();

    Map<String, Samples> routes() {
      return routes;
    }

    Map<String, Long> refusals() {
      Map<String, Long> counts = new TreeMap<>();
      refusals.forEach((code, count) -> counts.put(code, count.sum()));
      return counts;
    }

    /** Milliseconds from a payment's first submit to its certificate. */
    Samples payments() {
      return payments;
    }

    long failed() {
      return failed.sum();
    }

    long begun() {
      return payments.count() + failed();
    }
  }

  PhaseFigures phase(String name) {
    return phases.computeIfAbsent(name, n -> new PhaseFigures());
  }

  void answered(String phase, String route, int millis) {
    phase(phase).routes.computeIfAbsent(route, r -> new Samples()).add(millis);
  }

  void refused(String phase, String code) {
    phase(phase).refusals.computeIfAbsent(code, c -> new LongAdder()).increment();
  }

  void paid(String phase, int millis) {
    phase(phase).payments.add(millis);
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

  /** A payment that could not begin, since the pool was used up. */
  void notSupplied() {
    unsupplied.incrementAndGet();
  }

  long unsupplied() {
    return unsupplied.get();
  }
}
