package io.solidus.edge.gateway.load;

import com.google.common.util.concurrent.RateLimiter;
import io.solidus.edge.gateway.load.Admission.RequestClass;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Payments go first. While they are made and work waits for processors, free requests begin at a
 * low rate. The rate grows by a fifth in each interval in which little waits, and falls back at
 * once: a flood that was let in because the processors were idle for a moment would be in the way
 * of the next payment. Each class has a rate of its own, so that none starves another.
 */
final class Precedence {
  /** Share of an interval in which some work waits for a processor. */
  interface Pressure {
    /** Since the call before. */
    double share();
  }

  static final Duration INTERVAL = Duration.ofMillis(200);

  /** Payments were made if one ended so shortly ago. */
  static final Duration RECENT = Duration.ofSeconds(5);

  /** What becomes of payments, not of junk, when a committee is short of processors. */
  private static final Set<RejectionCode> NOT_THE_SENDERS_FAULT =
      EnumSet.of(RejectionCode.OVERLOADED, RejectionCode.UNAVAILABLE, RejectionCode.NO_QUORUM);

  private static final double BUSY = 0.1;
  private static final double GROWTH = 1.2;

  /** As good as none. */
  private static final double MAX_PER_SECOND = 100_000;

  /** How long free work waits for its turn; its place is taken meanwhile. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Pressure pressure;
  private final LongSupplier nanos;
  private final double lowest;
  private final Map<RequestClass, RateLimiter> rates = new EnumMap<>(RequestClass.class);
  private final AtomicLong payment;
  private long adapted;

  private double perSecond = MAX_PER_SECOND;

  /**
   * @param free classes that give way to payments
   * @param nanos of a clock that never goes back
   * @param lowest requests of a class that may begin in a second
   */
  Precedence(Set<RequestClass> free, Pressure pressure, LongSupplier nanos, double lowest) {
    free.forEach(kind -> rates.put(kind, RateLimiter.create(MAX_PER_SECOND)));
    this.pressure = pressure;
    this.nanos = nanos;
    this.lowest = lowest;
    this.adapted = nanos.getAsLong();
    this.payment = new AtomicLong(adapted - RECENT.toNanos());
  }

  /**
   * Runs a payment. It counts when it ends, and not if it was refused for what it is: whoever sends
   * junk makes no payments. One that found authorities overloaded counts, or a flood would stay
   * that keeps every payment from its end.
   */
  <A> A payment(Supplier<A> work) {
    try {
      A done = work.get();
      payment.set(nanos.getAsLong());
      return done;
    } catch (ProtocolException e) {
      if (NOT_THE_SENDERS_FAULT.contains(e.code())) {
        payment.set(nanos.getAsLong());
      }
      throw e;
    }
  }

  /**
   * Waits until work may begin.
   *
   * @param weight of the work, in requests
   * @return whether it may; false when its turn would come too late
   */
  boolean mayBegin(RequestClass kind, int weight) {
    RateLimiter rate = rates.get(kind);
    if (rate == null) {
      return true;
    }
    adapt();
    return nanos.getAsLong() - payment.get() >= RECENT.toNanos()
        || rate.tryAcquire(weight, PATIENCE);
  }

  /** Requests of a free class that begin in a second beside payments. */
  synchronized double perSecond() {
    return perSecond;
  }

  private synchronized void adapt() {
    long now = nanos.getAsLong();
    long intervals = (now - adapted) / INTERVAL.toNanos();
    if (intervals > 0) {
      adapted = now;
      perSecond =
          pressure.share() > BUSY
              ? lowest
              : Math.min(MAX_PER_SECOND, perSecond * Math.pow(GROWTH, (double) intervals));
      rates.values().forEach(rate -> rate.setRate(perSecond));
    }
  }
}
