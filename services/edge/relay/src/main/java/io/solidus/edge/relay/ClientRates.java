package io.solidus.edge.relay;

import io.solidus.platform.limits.ClientNetwork;
import io.solidus.platform.limits.LruMap;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * A rate for each client's network. Networks are kept in memory alone, and the least recently used
 * ones are forgotten first.
 */
final class ClientRates {
  private static final int CAPACITY = 50_000;
  private static final int BURST_SECONDS = 2;
  private static final Duration DOUBT = Duration.ofMinutes(10);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Clock clock;
  private final int perSecond;
  private final int doubtfulPerSecond;
  private final LruMap<String, Allowance> networks = new LruMap<>(CAPACITY);

  /**
   * @param left requests that may come at once
   * @param at when there were so many left
   * @param doubtfulUntil for how long the lower rate counts
   */
  private record Allowance(double left, Instant at, Instant doubtfulUntil) {}

  ClientRates(Clock clock, int perSecond, int doubtfulPerSecond) {
    this.clock = clock;
    this.perSecond = perSecond;
    this.doubtfulPerSecond = doubtfulPerSecond;
  }

  /** Takes one of the requests that a client's network may send; false when there is none left. */
  synchronized boolean take(String address) {
    Instant now = clock.instant();
    String network = ClientNetwork.of(address);
    Allowance known = known(network, now);
    boolean doubtful = now.isBefore(known.doubtfulUntil());
    int rate = doubtful ? doubtfulPerSecond : perSecond;
    double since = Math.max(0, Duration.between(known.at(), now).toNanos()) / NANOS_PER_SECOND;
    double left = Math.min((double) rate * BURST_SECONDS, known.left() + rate * since);
    boolean taken = left >= 1;
    networks.remember(network, new Allowance(taken ? left - 1 : left, now, known.doubtfulUntil()));
    return taken;
  }

  /** Notes that a client of this network sent evidence that does not verify. */
  synchronized void doubt(String address) {
    Instant now = clock.instant();
    String network = ClientNetwork.of(address);
    Allowance known = known(network, now);
    networks.remember(network, new Allowance(known.left(), known.at(), now.plus(DOUBT)));
  }

  private Allowance known(String network, Instant now) {
    return networks
        .find(network)
        .orElse(new Allowance((double) perSecond * BURST_SECONDS, now, Instant.MIN));
  }
}
