package io.solidus.authority.common.facts;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.protocol.Heartbeat;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes notes from whatever transport brings them. The transport is trusted with nothing: the
 * issuer's signature, the network, versions that only grow, one text per version, and a root that
 * follows from the whole list decide.
 */
public final class FactIntake {

  /** What became of a note. */
  public enum Outcome {
    ACCEPTED,
    /** Known before, word for word. */
    KNOWN,
    /**
     * Learnt when a newer one was in force already: kept for the finish rule, never in force
     * itself.
     */
    LATE,
    /** Not by its issuer, of another network, or not a note. */
    FORGED,
    /** Another text under a known version: its issuer equivocates. */
    FORKED,
    /** The root does not follow from the list. */
    LIST_MISMATCH,
    /** The list could not be had; ask again. */
    LIST_UNAVAILABLE
  }

  /** Brings the whole list of a checkpoint version. */
  @FunctionalInterface
  public interface Lists {
    Optional<byte[]> fetch(long version);
  }

  private static final Logger log = LoggerFactory.getLogger(FactIntake.class);

  private final FactStore store;
  private final FactNotes notes;
  private final RootCheck roots;
  private final FactBook book;
  private final Lists lists;
  private final Duration heartbeatMaxAge;
  private final Clock clock;
  private final MeterRegistry registry;

  public FactIntake(
      FactStore store,
      FactNotes notes,
      RootCheck roots,
      FactBook book,
      Lists lists,
      AdmissionWindows windows,
      Clock clock,
      MeterRegistry registry) {
    this.store = store;
    this.notes = notes;
    this.roots = roots;
    this.book = book;
    this.lists = lists;
    this.heartbeatMaxAge = windows.heartbeatMaxAge();
    this.clock = clock;
    this.registry = registry;
  }

  public Outcome policy(String note) {
    Policy policy;
    try {
      policy = notes.policy(note);
    } catch (ProtocolException e) {
      return refused("policy", Outcome.FORGED);
    }
    Optional<FactStore.Row> known = store.policy(policy.version());
    if (known.isEmpty()) {
      Instant effectiveAt = Instant.ofEpochMilli(policy.effectiveAtMillis());
      store.addPolicy(policy.version(), note, effectiveAt, clock.instant());
    }
    return settle("policy", note, known.isPresent(), store.policy(policy.version()).orElseThrow());
  }

  public Outcome checkpoint(String note) {
    SanctionCheckpoint checkpoint;
    try {
      checkpoint = notes.checkpoint(note);
    } catch (ProtocolException e) {
      return refused("checkpoint", Outcome.FORGED);
    }
    Optional<FactStore.Row> known = store.checkpoint(checkpoint.version());
    if (known.isEmpty()) {
      Optional<byte[]> list = lists.fetch(checkpoint.version());
      if (list.isEmpty()) {
        return Outcome.LIST_UNAVAILABLE;
      }
      if (!roots.follows(checkpoint, list.get())) {
        return refused("checkpoint", Outcome.LIST_MISMATCH);
      }
      store.addCheckpoint(checkpoint.version(), note, list.get(), clock.instant());
    }
    return settle(
        "checkpoint",
        note,
        known.isPresent(),
        store.checkpoint(checkpoint.version()).orElseThrow());
  }

  public Outcome heartbeat(String note) {
    Heartbeat heartbeat;
    try {
      heartbeat = notes.heartbeat(note);
    } catch (ProtocolException e) {
      return refused("heartbeat", Outcome.FORGED);
    }
    Instant at = Instant.ofEpochMilli(heartbeat.atMillis());
    // one from the future would count as fresh until then
    if (at.isAfter(clock.instant().plus(heartbeatMaxAge))) {
      return refused("heartbeat", Outcome.FORGED);
    }
    Instant newest = book.facts().heartbeats().get(heartbeat.checkpointVersion());
    if (newest != null && !newest.isBefore(at)) {
      return Outcome.KNOWN;
    }
    store.addHeartbeat(heartbeat.checkpointVersion(), heartbeat.atMillis(), note);
    book.refresh();
    return Outcome.ACCEPTED;
  }

  private Outcome settle(String kind, String note, boolean knownBefore, FactStore.Row stored) {
    if (!SignedNote.parse(stored.note()).text().equals(SignedNote.parse(note).text())) {
      return refused(kind, Outcome.FORKED);
    }
    if (knownBefore) {
      return Outcome.KNOWN;
    }
    book.refresh();
    log.info(
        "{} version {} taken{}",
        kind,
        stored.version(),
        stored.late() ? ", late: not in force" : "");
    return stored.late() ? Outcome.LATE : Outcome.ACCEPTED;
  }

  private Outcome refused(String kind, Outcome outcome) {
    log.error("a {} was refused: {}", kind, outcome);
    registry
        .counter("solidus.validator.fact.refused.count", "kind", kind, "reason", outcome.name())
        .increment();
    return outcome;
  }
}
