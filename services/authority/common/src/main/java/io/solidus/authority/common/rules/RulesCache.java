package io.solidus.authority.common.rules;

import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.authority.spend.rules.VerifiedCheckpoint;
import io.solidus.authority.spend.rules.VerifiedPolicy;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.time.Clock;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules in force in this process: what the authority's database holds, with signatures and
 * roots verified again here. So the database needs no trust, and the signer needs no connection to
 * the outside.
 */
public final class RulesCache {

  private static final Logger log = LoggerFactory.getLogger(RulesCache.class);

  private final RuleStore store;
  private final RuleNotes notes;
  private final SanctionRootCheck roots;
  private final AdmissionWindows windows;
  private final Clock clock;
  private volatile RulesInForce current = RulesInForce.none();

  public RulesCache(
      RuleStore store,
      RuleNotes notes,
      SanctionRootCheck roots,
      AdmissionWindows windows,
      Clock clock) {
    this.store = store;
    this.notes = notes;
    this.roots = roots;
    this.windows = windows;
    this.clock = clock;
  }

  public RulesInForce current() {
    return current;
  }

  /** Reads new versions from the database. */
  public synchronized void refresh() {
    RulesInForce before = current;
    NavigableMap<Long, VerifiedPolicy> policies = new TreeMap<>(before.policies());
    store.policiesBesides(policies.keySet()).forEach(row -> readPolicy(row, policies));
    NavigableMap<Long, VerifiedCheckpoint> checkpoints = new TreeMap<>(before.checkpoints());
    store.checkpointsBesides(checkpoints.keySet()).forEach(row -> readCheckpoint(row, checkpoints));
    NavigableMap<Long, Instant> heartbeats = new TreeMap<>();
    store.heartbeats().forEach(note -> readHeartbeat(note, heartbeats));
    current = new RulesInForce(policies, rebuild(checkpoints), heartbeats);
  }

  private void readPolicy(RuleStore.Row row, NavigableMap<Long, VerifiedPolicy> into) {
    try {
      Policy policy = notes.policy(row.note(), row.acceptedAt());
      if (policy.version() == row.version()) {
        into.put(
            row.version(),
            new VerifiedPolicy(policy, SignedNote.parse(row.note()), row.acceptedAt(), row.late()));
      }
    } catch (ProtocolException e) {
      log.error(
          "the database holds a policy, version {}, that its issuer did not sign: {}",
          row.version(),
          e.code());
    }
  }

  private void readCheckpoint(RuleStore.Row row, NavigableMap<Long, VerifiedCheckpoint> into) {
    try {
      SanctionCheckpoint checkpoint = notes.checkpoint(row.note(), row.acceptedAt());
      if (checkpoint.version() == row.version()) {
        into.put(
            row.version(),
            new VerifiedCheckpoint(
                checkpoint, SignedNote.parse(row.note()), row.acceptedAt(), row.late(), false));
      }
    } catch (ProtocolException e) {
      log.error(
          "the database holds a checkpoint, version {}, not signed by its issuer: {}",
          row.version(),
          e.code());
    }
  }

  private void readHeartbeat(String note, NavigableMap<Long, Instant> into) {
    try {
      Heartbeat heartbeat = notes.acceptedHeartbeat(note);
      into.put(heartbeat.checkpointVersion(), Instant.ofEpochMilli(heartbeat.atMillis()));
    } catch (ProtocolException e) {
      log.error("the database holds a heartbeat that its issuer did not sign: {}", e.code());
    }
  }

  /**
   * Rebuilds the roots that a new core may still use. For older ones the partial signatures of the
   * finish rule are proof enough.
   */
  private NavigableMap<Long, VerifiedCheckpoint> rebuild(
      NavigableMap<Long, VerifiedCheckpoint> checkpoints) {
    NavigableMap<Long, VerifiedCheckpoint> result = new TreeMap<>(checkpoints);
    long oldestInUse = oldestInUse(checkpoints);
    for (VerifiedCheckpoint known : checkpoints.tailMap(oldestInUse, true).values()) {
      if (!known.late() && !known.rebuilt()) {
        store
            .list(known.version())
            .filter(list -> follows(known.checkpoint(), list))
            .ifPresent(list -> result.put(known.version(), known.asRebuilt()));
      }
    }
    return result;
  }

  private boolean follows(SanctionCheckpoint checkpoint, byte[] list) {
    boolean follows = roots.follows(checkpoint, list);
    if (!follows) {
      log.error("the root of checkpoint {} does not follow from its list", checkpoint.version());
    }
    return follows;
  }

  /**
   * The oldest checkpoint version that a new core may still use; older lists are no longer needed.
   */
  public long oldestCheckpointInUse() {
    return oldestInUse(current.checkpoints());
  }

  private long oldestInUse(NavigableMap<Long, VerifiedCheckpoint> checkpoints) {
    Instant now = clock.instant();
    long oldest = checkpoints.isEmpty() ? 0 : checkpoints.lastKey();
    for (VerifiedCheckpoint newer : checkpoints.descendingMap().values()) {
      oldest = newer.version();
      if (!newer.late() && newer.acceptedAt().plus(windows.policyGrace()).isBefore(now)) {
        return oldest;
      }
    }
    return oldest;
  }
}
