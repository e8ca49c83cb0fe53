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
 * Names authorities whose answers are provably wrong (but see one fault), in a metric and a log
 * line that say how and never about which request. Silence and slowness prove nothing and are not
 * named here: they are counted as missing answers. A liar cannot flood the log: each of its faults
 * has a line at most every ten seconds, with the number of times since the last one; the metric
 * counts every time.
 */
@Component
public class Culprits {
  private static final Logger LOG = LoggerFactory.getLogger(Culprits.class);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What an answer proves. */
  public enum Fault {
    /** Neither a signature nor a refusal. */
    EMPTY_REPLY,
    /** No message of the protocol, or longer than any. */
    UNREADABLE_REPLY,
    /**
     * An encoding that no partial signature has: a coordinate, the identity, a number out of range.
     */
    MALFORMED_PARTIAL,
    /** A partial signature under a colleague's number. */
    WRONG_SENDER,
    WRONG_POINT_COUNT,
    /** Points that do not verify under the authority's keys for the outputs asked about. */
    WRONG_SIGNATURE,
    /** It calls invalid what 2f+1 have found valid, f+1 honest ones among them. */
    CONTRADICTS_QUORUM,
    /**
     * It calls evidence invalid of a core that 2f+1 have signed. Whoever has an answer gives it
     * again without a look at the evidence, so a sender can bring this upon a correct authority
     * that missed the core, with spoilt evidence: named, and no proof.
     */
    DISPUTES_EVIDENCE,
    /**
     * A state of a serial number that no correct authority has: of another one, without a core,
     * with a request of another core.
     */
    MALFORMED_STATE,
    FORGED_SHARD_MAP,
    /** Two maps of one version, both signed. */
    CONFLICTING_SHARD_MAPS;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** When a fault's last line was written, and how often it was seen since. */
  private static final class Line {
    private final AtomicLong written;
    private final AtomicLong unsaid = new AtomicLong();

    Line(long now) {
      written = new AtomicLong(now - LINE_NANOS);
    }
  }

  private final MeterRegistry metrics;
  private final LongSupplier nanos;
  private final Map<Integer, Map<Fault, Line>> lines;

  @Autowired
  Culprits(MeterRegistry metrics, Committee committee) {
    this(metrics, committee.n(), System::nanoTime);
  }

  /**
   * @param nanos a clock that never goes back
   */
  Culprits(MeterRegistry metrics, int authorities, LongSupplier nanos) {
    this.metrics = metrics;
    this.nanos = nanos;
    this.lines = new HashMap<>();
    for (int authority = 1; authority <= authorities; authority++) {
      Map<Fault, Line> faults = new EnumMap<>(Fault.class);
      for (Fault fault : Fault.values()) {
        faults.put(fault, new Line(nanos.getAsLong()));
      }
      lines.put(authority, faults);
    }
  }

  /** Says that an answer of {@code authority} proved {@code fault}. */
  public void name(int authority, Fault fault) {
    metrics
        .counter(
            "solidus.gateway.culprits",
            "authority",
            Integer.toString(authority),
            "reason",
            fault.label())
        .increment();
    Map<Fault, Line> faults = lines.get(authority);
    if (faults != null) {
      say(authority, fault, faults.get(fault));
    }
  }

  private void say(int authority, Fault fault, Line line) {
    line.unsaid.incrementAndGet();
    long now = nanos.getAsLong();
    long written = line.written.get();
    if (now - written >= LINE_NANOS && line.written.compareAndSet(written, now)) {
      String verdict =
          fault == Fault.DISPUTES_EVIDENCE ? "stands against a quorum" : "is provably wrong";
      LOG.warn(
          "authority {} {}: {}, {} times since the last such line",
          authority,
          verdict,
          fault.label(),
          line.unsaid.getAndSet(0));
    }
  }
}
