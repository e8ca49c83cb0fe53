package io.solidus.edge.gateway.committee;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.protocol.Committee;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Reports authorities whose answers are provably wrong (with one exception, {@link
 * Fault#DISPUTES_EVIDENCE}). The metric and the log line tell the fault and never the request.
 * Silence and slowness prove nothing and are counted elsewhere, as missing answers. A faulty
 * authority cannot flood the log: each of its faults is logged at most every ten seconds, with the
 * number of occurrences since the last line. The metric counts every occurrence.
 */
@Component
public class MisbehaviourReporter {
  private static final Logger log = LoggerFactory.getLogger(MisbehaviourReporter.class);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The fault of an answer. */
  public enum Fault {
    /** Neither a signature nor a refusal. */
    EMPTY_REPLY,
    /** Not a message of the protocol, or longer than the maximum. */
    UNREADABLE_REPLY,
    /**
     * Not the encoding of a partial signature: an invalid coordinate, the identity point, or a
     * number out of range.
     */
    MALFORMED_PARTIAL,
    /** A partial signature with the index of another authority. */
    WRONG_SENDER,
    WRONG_POINT_COUNT,
    /** A vote that is not the authority's for the core and the points of the answer. */
    WRONG_VOTE,
    /** Points that do not verify under the authority's keys for the outputs of the request. */
    WRONG_SIGNATURE,
    /**
     * It refuses as invalid a statement that 2f+1 authorities signed, f+1 honest ones among them.
     */
    CONTRADICTS_QUORUM,
    /**
     * It refuses the evidence of a core that 2f+1 authorities signed. This proves nothing: an
     * authority that has signed a core answers again without verifying the evidence, so a sender
     * with invalid evidence can provoke this refusal from a correct authority that missed the core.
     */
    DISPUTES_EVIDENCE,
    /**
     * A state of a serial number that no correct authority sends: of another serial number, without
     * a core, or with a request of another core.
     */
    MALFORMED_STATE,
    FORGED_SHARD_MAP,
    /** Two different signed maps of one version. */
    CONFLICTING_SHARD_MAPS;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The time of a fault's last log line and the number of occurrences since. */
  private static final class LogState {
    private final AtomicLong lastLine;
    private final AtomicLong sinceLastLine = new AtomicLong();

    LogState(long now) {
      lastLine = new AtomicLong(now - LINE_NANOS);
    }
  }

  private final MeterRegistry metrics;
  private final LongSupplier nanos;
  private final Map<Integer, Map<Fault, LogState>> logStates;

  @Autowired
  MisbehaviourReporter(MeterRegistry metrics, Committee committee) {
    this(metrics, committee.n(), System::nanoTime);
  }

  /**
   * @param nanos a monotonic clock
   */
  MisbehaviourReporter(MeterRegistry metrics, int authorities, LongSupplier nanos) {
    this.metrics = metrics;
    this.nanos = nanos;
    this.logStates = new HashMap<>();
    for (int authority = 1; authority <= authorities; authority++) {
      Map<Fault, LogState> faults = new EnumMap<>(Fault.class);
      for (Fault fault : Fault.values()) {
        faults.put(fault, new LogState(nanos.getAsLong()));
      }
      logStates.put(authority, faults);
    }
  }

  /** Counts the fault and logs it unless the same fault was logged in the last ten seconds. */
  public void report(int authority, Fault fault) {
    metrics
        .counter(
            "solidus.gateway.culprits",
            "authority",
            Integer.toString(authority),
            "reason",
            fault.label())
        .increment();
    Map<Fault, LogState> faults = logStates.get(authority);
    LogState state = faults == null ? null : faults.get(fault);
    if (state != null) {
      logLimited(authority, fault, state);
    }
  }

  private void logLimited(int authority, Fault fault, LogState state) {
    state.sinceLastLine.incrementAndGet();
    long now = nanos.getAsLong();
    long last = state.lastLine.get();
    if (now - last >= LINE_NANOS && state.lastLine.compareAndSet(last, now)) {
      String verdict =
          fault == Fault.DISPUTES_EVIDENCE ? "stands against a quorum" : "is provably wrong";
      log.warn(
          "authority {} {}: {}, {} times since the last such line",
          authority,
          verdict,
          fault.label(),
          state.sinceLastLine.getAndSet(0));
    }
  }
}
