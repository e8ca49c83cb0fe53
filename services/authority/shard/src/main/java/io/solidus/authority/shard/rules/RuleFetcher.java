package io.solidus.authority.shard.rules;

import io.solidus.authority.common.rules.RuleIngest;
import io.solidus.authority.common.rules.RuleNotes;
import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.spend.rules.VerifiedPolicy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Fetches the newest policy, checkpoint and heartbeat from the sanctions service, so that payments
 * continue while Kafka is down.
 */
public final class RuleFetcher {

  /**
   * The most versions fetched to close a gap; a larger gap only costs the grace of policies that
   * are no longer used.
   */
  private static final int MAX_GAP = 64;

  private final SanctionsClient sanctions;
  private final RuleIngest ingest;
  private final RulesCache rules;
  private final RuleNotes notes;

  public RuleFetcher(
      SanctionsClient sanctions, RuleIngest ingest, RulesCache rules, RuleNotes notes) {
    this.sanctions = sanctions;
    this.ingest = ingest;
    this.rules = rules;
    this.notes = notes;
  }

  public void fetch() {
    sanctions.newestPolicy().ifPresent(this::policyAfterItsPredecessors);
    sanctions
        .newestCheckpoint()
        .filter(this::isNewCheckpoint)
        .ifPresent(this::checkpointAfterItsPredecessors);
    sanctions.heartbeat().ifPresent(ingest::heartbeat);
  }

  /**
   * Ingests missed policies first, because a policy that arrives after a newer one is never in
   * force.
   */
  private void policyAfterItsPredecessors(String note) {
    long newest;
    try {
      newest = notes.policy(note).version();
    } catch (ProtocolException e) {
      ingest.policy(note);
      return;
    }
    closeGap(
        rules.current().policies(), newest, v -> sanctions.policy(v).ifPresent(ingest::policy));
    if (!holds(rules.current().policies(), newest, note)) {
      ingest.policy(note);
    }
  }

  /**
   * Ingests missed checkpoints too, because the finish rule accepts a core under any checkpoint
   * that was ever in force.
   */
  private void checkpointAfterItsPredecessors(String note) {
    try {
      long newest = notes.checkpoint(note).version();
      closeGap(
          rules.current().checkpoints(),
          newest,
          v -> sanctions.checkpoint(v).ifPresent(ingest::checkpoint));
    } catch (ProtocolException e) {
      // the ingest below rejects and logs it
    }
    ingest.checkpoint(note);
  }

  /** Fetches the versions between the last known one and the newest, in order. */
  private static void closeGap(Map<Long, ?> known, long newest, LongConsumer fetchOne) {
    for (long v = Math.max(lastVersion(known) + 1, newest - MAX_GAP); v < newest; v++) {
      fetchOne.accept(v);
    }
  }

  private boolean isNewCheckpoint(String note) {
    try {
      var known = rules.current().checkpoints().get(notes.checkpoint(note).version());
      return known == null || !sameText(note, known.checkpoint().toNoteText(notes.network()));
    } catch (ProtocolException e) {
      return true;
    }
  }

  private boolean holds(Map<Long, VerifiedPolicy> policies, long version, String note) {
    var known = policies.get(version);
    return known != null && sameText(note, known.policy().toNoteText(notes.network()));
  }

  private static boolean sameText(String note, String text) {
    return SignedNote.parse(note).text().equals(text);
  }

  private static long lastVersion(Map<Long, ?> versions) {
    return versions.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
