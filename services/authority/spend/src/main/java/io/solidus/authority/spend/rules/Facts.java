package io.solidus.authority.spend.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All verified policies, checkpoints and heartbeats at one moment; immutable.
 *
 * @param heartbeats newest signed time for each checkpoint version that was vouched for as the
 *     newest
 */
public record Facts(
    NavigableMap<Long, KnownPolicy> policies,
    NavigableMap<Long, KnownCheckpoint> checkpoints,
    NavigableMap<Long, Instant> heartbeats) {

  public Facts {
    policies = Collections.unmodifiableNavigableMap(new TreeMap<>(policies));
    checkpoints = Collections.unmodifiableNavigableMap(new TreeMap<>(checkpoints));
    heartbeats = Collections.unmodifiableNavigableMap(new TreeMap<>(heartbeats));
  }

  public static Facts none() {
    return new Facts(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
  }

  /** The highest version whose time has come. */
  public Optional<KnownPolicy> policyInForce(Instant now) {
    return policies.descendingMap().values().stream()
        .filter(p -> !p.late() && p.effective(now))
        .findFirst();
  }

  /** The newest checkpoint that a new core may use. */
  public Optional<KnownCheckpoint> newestCheckpoint() {
    return checkpoints.descendingMap().values().stream()
        .filter(KnownCheckpoint::usable)
        .findFirst();
  }

  /** When the first newer policy took over; empty while none has. */
  Optional<Instant> policySupersededAt(long version, Instant now) {
    return policies.tailMap(version, false).values().stream()
        .filter(p -> !p.late() && p.effective(now))
        .map(KnownPolicy::inForceFrom)
        .min(Instant::compareTo);
  }

  /**
   * When the first newer checkpoint took over. A checkpoint learnt late counts from its publication
   * plus the longest silence tolerated, so that an authority that was away does not stretch the old
   * list's life.
   */
  Optional<Instant> checkpointSupersededAt(long version, Duration heartbeatMaxAge) {
    return checkpoints.tailMap(version, false).values().stream()
        .filter(KnownCheckpoint::usable)
        .map(c -> takeover(c, heartbeatMaxAge))
        .min(Instant::compareTo);
  }

  private static Instant takeover(KnownCheckpoint c, Duration heartbeatMaxAge) {
    Instant latest = Instant.ofEpochMilli(c.checkpoint().publishedAtMillis()).plus(heartbeatMaxAge);
    return c.acceptedAt().isBefore(latest) ? c.acceptedAt() : latest;
  }

  /**
   * Whether the sanction authority is known to have said nothing newer than what is known here,
   * recently enough. A heartbeat for a version not known here proves the opposite and does not
   * count.
   */
  public boolean fresh(Instant now, Duration heartbeatMaxAge) {
    Optional<KnownCheckpoint> newest = newestCheckpoint();
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
