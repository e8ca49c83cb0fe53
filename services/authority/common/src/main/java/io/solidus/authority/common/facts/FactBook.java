package io.solidus.authority.common.facts;

import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.authority.spend.rules.Facts;
import io.solidus.authority.spend.rules.KnownCheckpoint;
import io.solidus.authority.spend.rules.KnownPolicy;
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
 * The facts this process goes by: what the authority's database holds, verified again here,
 * signatures and roots alike. So the database is trusted with nothing, and the signer needs no way
 * to the outside.
 */
public final class FactBook {

  private static final Logger log = LoggerFactory.getLogger(FactBook.class);

  private final FactStore store;
  private final FactNotes notes;
  private final RootCheck roots;
  private final AdmissionWindows windows;
  private final Clock clock;
  private volatile Facts facts = Facts.none();

  public FactBook(
      FactStore store, FactNotes notes, RootCheck roots, AdmissionWindows windows, Clock clock) {
    this.store = store;
    this.notes = notes;
    this.roots = roots;
    this.windows = windows;
    this.clock = clock;
  }

  public Facts facts() {
    return facts;
  }

  /** Takes over what is new in the database. */
  public synchronized void refresh() {
    Facts before = facts;
    NavigableMap<Long, KnownPolicy> policies = new TreeMap<>(before.policies());
    store.policiesBesides(policies.keySet()).forEach(row -> readPolicy(row, policies));
    NavigableMap<Long, KnownCheckpoint> checkpoints = new TreeMap<>(before.checkpoints());
    store.checkpointsBesides(checkpoints.keySet()).forEach(row -> readCheckpoint(row, checkpoints));
    NavigableMap<Long, Instant> heartbeats = new TreeMap<>();
    store.heartbeats().forEach(note -> readHeartbeat(note, heartbeats));
    facts = new Facts(policies, rebuild(checkpoints), heartbeats);
  }

  private void readPolicy(FactStore.Row row, NavigableMap<Long, KnownPolicy> into) {
    try {
      Policy policy = notes.policy(row.note());
      if (policy.version() == row.version()) {
        into.put(
            row.version(),
            new KnownPolicy(policy, SignedNote.parse(row.note()), row.acceptedAt(), row.late()));
      }
    } catch (ProtocolException e) {
      log.error(
          "the database holds a policy, version {}, that its issuer did not sign: {}",
          row.version(),
          e.code());
    }
  }

  private void readCheckpoint(FactStore.Row row, NavigableMap<Long, KnownCheckpoint> into) {
    try {
      SanctionCheckpoint checkpoint = notes.checkpoint(row.note());
      if (checkpoint.version() == row.version()) {
        into.put(
            row.version(),
            new KnownCheckpoint(
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
      Heartbeat heartbeat = notes.heartbeat(note);
      into.put(heartbeat.checkpointVersion(), Instant.ofEpochMilli(heartbeat.atMillis()));
    } catch (ProtocolException e) {
      log.error("the database holds a heartbeat that its issuer did not sign: {}", e.code());
    }
  }

  /**
   * Rebuilds the roots that a new core may still use; older ones are vouched for by the finish
   * rule's partials.
   */
  private NavigableMap<Long, KnownCheckpoint> rebuild(
      NavigableMap<Long, KnownCheckpoint> checkpoints) {
    NavigableMap<Long, KnownCheckpoint> result = new TreeMap<>(checkpoints);
    long oldestInUse = oldestInUse(checkpoints);
    for (KnownCheckpoint known : checkpoints.tailMap(oldestInUse, true).values()) {
      if (!known.late() && !known.rebuilt()) {
        store
            .list(known.version())
            .filter(list -> follows(known.checkpoint(), list))
            .ifPresent(list -> result.put(known.version(), known.whenRebuilt()));
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
   * The oldest checkpoint version that a new core may still use; lists before it are of no more
   * use.
   */
  public long oldestCheckpointInUse() {
    return oldestInUse(facts.checkpoints());
  }

  private long oldestInUse(NavigableMap<Long, KnownCheckpoint> checkpoints) {
    Instant now = clock.instant();
    long oldest = checkpoints.isEmpty() ? 0 : checkpoints.lastKey();
    for (KnownCheckpoint newer : checkpoints.descendingMap().values()) {
      oldest = newer.version();
      if (!newer.late() && newer.acceptedAt().plus(windows.policyGrace()).isBefore(now)) {
        return oldest;
      }
    }
    return oldest;
  }
}
