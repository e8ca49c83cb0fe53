package io.solidus.authority.common.rules;

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
 * Verifies and stores the signed notes of policies, checkpoints and heartbeats, from any transport.
 * The transport needs no trust: a note is accepted by its issuer's signature, its network, a
 * version that only grows, one text for each version, and a root that follows from the whole list.
 */
public final class RuleIngest {

  /** The result for one note. The names are values of a metric tag. */
  public enum Result {
    ACCEPTED,
    /** Received before, with the same text. */
    KNOWN,
    /**
     * Received when a newer version was in force already: stored for the finish rule, never in
     * force itself.
     */
    LATE,
    /** Not signed by its issuer, of another network, or malformed. */
    FORGED,
    /** Another text for a known version: its issuer equivocates. */
    FORKED,
    /** The root does not follow from the list. */
    LIST_MISMATCH,
    /** The list is not available; try again. */
    LIST_UNAVAILABLE
  }

  /** Fetches the whole list of a checkpoint version. */
  @FunctionalInterface
  public interface Lists {
    Optional<byte[]> fetch(long version);
  }

  private static final Logger log = LoggerFactory.getLogger(RuleIngest.class);

  private final RuleStore store;
  private final RuleNotes notes;
  private final SanctionRootCheck roots;
  private final RulesCache rules;
  private final Lists lists;
  private final Duration heartbeatMaxAge;
  private final Clock clock;
  private final MeterRegistry registry;

  public RuleIngest(
      RuleStore store,
      RuleNotes notes,
      SanctionRootCheck roots,
      RulesCache rules,
      Lists lists,
      AdmissionWindows windows,
      Clock clock,
      MeterRegistry registry) {
    this.store = store;
    this.notes = notes;
    this.roots = roots;
    this.rules = rules;
    this.lists = lists;
    this.heartbeatMaxAge = windows.heartbeatMaxAge();
    this.clock = clock;
    this.registry = registry;
  }

  public Result policy(String note) {
    Policy policy;
    try {
      policy = notes.policy(note);
    } catch (ProtocolException e) {
      return reject("policy", Result.FORGED);
    }
    Optional<RuleStore.Row> known = store.policy(policy.version());
    if (known.isEmpty()) {
      Instant effectiveAt = Instant.ofEpochMilli(policy.effectiveAtMillis());
      store.addPolicy(policy.version(), note, effectiveAt, clock.instant());
    }
    return resultOf(
        "policy", note, known.isPresent(), store.policy(policy.version()).orElseThrow());
  }

  public Result checkpoint(String note) {
    SanctionCheckpoint checkpoint;
    try {
      checkpoint = notes.checkpoint(note);
    } catch (ProtocolException e) {
      return reject("checkpoint", Result.FORGED);
    }
    Optional<RuleStore.Row> known = store.checkpoint(checkpoint.version());
    if (known.isEmpty()) {
      Optional<byte[]> list = lists.fetch(checkpoint.version());
      if (list.isEmpty()) {
        return Result.LIST_UNAVAILABLE;
      }
      if (!roots.follows(checkpoint, list.get())) {
        return reject("checkpoint", Result.LIST_MISMATCH);
      }
      store.addCheckpoint(checkpoint.version(), note, list.get(), clock.instant());
    }
    return resultOf(
        "checkpoint",
        note,
        known.isPresent(),
        store.checkpoint(checkpoint.version()).orElseThrow());
  }

  public Result heartbeat(String note) {
    Heartbeat heartbeat;
    try {
      heartbeat = notes.heartbeat(note);
    } catch (ProtocolException e) {
      return reject("heartbeat", Result.FORGED);
    }
    Instant at = Instant.ofEpochMilli(heartbeat.atMillis());
    // a heartbeat from the future would count as recent until then
    if (at.isAfter(clock.instant().plus(heartbeatMaxAge))) {
      return reject("heartbeat", Result.FORGED);
    }
    Instant newest = rules.current().heartbeats().get(heartbeat.checkpointVersion());
    if (newest != null && !newest.isBefore(at)) {
      return Result.KNOWN;
    }
    store.addHeartbeat(heartbeat.checkpointVersion(), heartbeat.atMillis(), note);
    rules.refresh();
    return Result.ACCEPTED;
  }

  private Result resultOf(String kind, String note, boolean knownBefore, RuleStore.Row stored) {
    if (!SignedNote.parse(stored.note()).text().equals(SignedNote.parse(note).text())) {
      return reject(kind, Result.FORKED);
    }
    if (knownBefore) {
      return Result.KNOWN;
    }
    rules.refresh();
    log.info(
        "{} version {} accepted{}",
        kind,
        stored.version(),
        stored.late() ? ", late: not in force" : "");
    return stored.late() ? Result.LATE : Result.ACCEPTED;
  }

  private Result reject(String kind, Result result) {
    log.error("a {} was refused: {}", kind, result);
    registry
        .counter("solidus.validator.fact.refused.count", "kind", kind, "reason", result.name())
        .increment();
    return result;
  }
}
