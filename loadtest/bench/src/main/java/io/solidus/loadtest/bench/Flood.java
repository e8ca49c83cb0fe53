package io.solidus.loadtest.bench;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * One kind of request that a stranger sends, as a load of its own.
 *
 * @param perSecond how many are sent; NaN where the connections decide
 * @param connections that send them without rest; 0 for an open load
 * @param phases prepares the requests of so many seconds; the supplier sends them and waits for
 *     their answers
 * @param answers the codes with which the platform answers such requests, {@link #SERVED} among
 *     them where it serves them
 */
record Flood(
    String name,
    double perSecond,
    int connections,
    DoubleFunction<Supplier<RateStep>> phases,
    Set<String> answers) {

  static final String SERVED = "served";

  private static final double NEARLY_ALL = 0.95;

  /** A generator that falls behind sends at a lower rate than the one that counts. */
  private static final double MAX_LATE_MILLIS = 2_000;

  /** The answer of a platform that bounds such requests. */
  static final String BUSY = "overloaded";

  /**
   * @param requests makes so many requests
   */
  static <T> Flood of(
      String name,
      double perSecond,
      OpenLoad<T> load,
      IntFunction<List<T>> requests,
      Set<String> answers) {
    return new Flood(
        name,
        perSecond,
        0,
        seconds -> {
          List<T> prepared = requests.apply((int) Math.round(perSecond * seconds));
          return () -> load.run(perSecond, seconds, prepared.iterator());
        },
        answers);
  }

  /** A flood of a stranger's connections, all of which are always in use. */
  static Flood of(String name, ConnectionFlood flood) {
    return new Flood(
        name, Double.NaN, flood.connections(), seconds -> () -> flood.run(seconds), Set.of());
  }

  Supplier<RateStep> prepare(double seconds) {
    return phases.apply(seconds);
  }

  /**
   * Whether the platform got nearly all requests of a phase in time and gave an answer that such
   * requests get; of a stranger's connections, whether all were there and in use. Otherwise
   * something else stopped them, and the phase shows nothing.
   */
  boolean reached(RateStep step) {
    if (connections > 0) {
      return step.sent() >= connections
          && !step.refused().containsKey(ConnectionFlood.NOT_CONNECTED);
    }
    int answered =
        (answers.contains(SERVED) ? step.signed() : 0)
            + step.refused().entrySet().stream()
                .filter(
                    refusal -> answers.contains(refusal.getKey()) || refusal.getKey().equals(BUSY))
                .mapToInt(Map.Entry::getValue)
                .sum();
    return answered >= NEARLY_ALL * perSecond * step.seconds()
        && step.lateMillis() <= MAX_LATE_MILLIS;
  }
}
