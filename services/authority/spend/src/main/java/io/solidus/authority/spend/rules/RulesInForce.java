package io.solidus.authority.spend.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All verified policies, checkpoints and heartbeats at one moment; immutable. Superseded versions
 * are kept for the finish rule, and announced policies until they take effect.
 *
 * @param heartbeats for each checkpoint version, the newest time at which the sanctions service
 *     signed that this version is its newest
 */
public record RulesInForce(
    NavigableMap<Long, VerifiedPolicy> policies,
    NavigableMap<Long, VerifiedCheckpoint> checkpoints,
    NavigableMap<Long, Instant> heartbeats) {

  public RulesInForce {
    policies = Collections.unmodifiableNavigableMap(new TreeMap<>(policies));
    checkpoints = Collections.unmodifiableNavigableMap(new TreeMap<>(checkpoints));
    heartbeats = Collections.unmodifiableNavigableMap(new TreeMap<>(heartbeats));
  }

  public static RulesInForce none() {
    return new RulesInForce(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
  }

  /** The newest policy that is effective. */
  public Optional<VerifiedPolicy> policyInForce(Instant now) {
    return policies.descendingMap().values().stream()
        .filter(p -> !p.late() && p.effective(now))
        .findFirst();
  }

  /** The newest checkpoint that a new core may use. */
  public Optional<VerifiedCheckpoint> newestCheckpoint() {
    return checkpoints.descendingMap().values().stream()
        .filter(VerifiedCheckpoint::usable)
        .findFirst();
  }

  /** When the first newer policy took over; empty while none has. */
  Optional<Instant> policySupersededAt(long version, Instant now) {
    return policies.tailMap(version, false).values().stream()
        .filter(p -> !p.late() && p.effective(now))
        .map(VerifiedPolicy::inForceFrom)
        .min(Instant::compareTo);
  }

  /**
   * When the first newer checkpoint took over. A checkpoint received late counts from its
   * publication plus the longest silence tolerated, so that an authority that was disconnected does
   * not extend the use of the old list.
   */
  Optional<Instant> checkpointSupersededAt(long version, Duration heartbeatMaxAge) {
    return checkpoints.tailMap(version, false).values().stream()
        .filter(VerifiedCheckpoint::usable)
        .map(c -> takeover(c, heartbeatMaxAge))
        .min(Instant::compareTo);
  }

  private static Instant takeover(VerifiedCheckpoint c, Duration heartbeatMaxAge) {
    Instant latest = Instant.ofEpochMilli(c.checkpoint().publishedAtMillis()).plus(heartbeatMaxAge);
    return c.acceptedAt().isBefore(latest) ? c.acceptedAt() : latest;
  }

  /**
   * Whether a recent heartbeat confirms that the newest checkpoint of this process is the
   * publisher's newest. A heartbeat for a version that is not known here proves the opposite and
   * does not count.
   */
  public boolean fresh(Instant now, Duration heartbeatMaxAge) {
    Optional<VerifiedCheckpoint> newest = newestCheckpoint();
    if (newest.isEmpty()) {
      return false;
    }
    return heartbeats.headMap(newest.get().version(), true).values().stream()
        .anyMatch(at -> !at.plus(heartbeatMaxAge).isBefore(now));
  }

  long newestPolicyVersion() {
    return lastKey(policies);
  }

  long newestCheckpointVersion() {
    return lastKey(checkpoints);
  }

  private static long lastKey(NavigableMap<Long, ?> map) {
    Map.Entry<Long, ?> last = map.lastEntry();
    return last == null ? 0 : last.getKey();
  }
}
