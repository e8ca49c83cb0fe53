package io.solidus.authority.shard.intake;

import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.common.facts.FactIntake;
import io.solidus.authority.common.facts.FactNotes;
import io.solidus.authority.spend.rules.KnownPolicy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Fetches the newest facts from the sanction service itself, so that payments go on while Kafka is
 * down.
 */
public final class FactPull {

  /**
   * Versions fetched at most to close a gap; a gap only costs the grace of policies nobody uses any
   * more.
   */
  private static final int MAX_GAP = 64;

  private final SanctionsClient sanctions;
  private final FactIntake intake;
  private final FactBook book;
  private final FactNotes notes;

  public FactPull(SanctionsClient sanctions, FactIntake intake, FactBook book, FactNotes notes) {
    this.sanctions = sanctions;
    this.intake = intake;
    this.book = book;
    this.notes = notes;
  }

  public void pull() {
    sanctions.newestPolicy().ifPresent(this::policyAfterItsPredecessors);
    sanctions
        .newestCheckpoint()
        .filter(this::isNewCheckpoint)
        .ifPresent(this::checkpointAfterItsPredecessors);
    sanctions.heartbeat().ifPresent(intake::heartbeat);
  }

  /** In order, for a policy that comes after a newer one is never in force. */
  private void policyAfterItsPredecessors(String note) {
    long newest;
    try {
      newest = notes.policy(note).version();
    } catch (ProtocolException e) {
      intake.policy(note);
      return;
    }
    closeGap(book.facts().policies(), newest, v -> sanctions.policy(v).ifPresent(intake::policy));
    if (!holds(book.facts().policies(), newest, note)) {
      intake.policy(note);
    }
  }

  /** Missed ones too: the finish rule takes a core under any checkpoint that ever was in force. */
  private void checkpointAfterItsPredecessors(String note) {
    try {
      long newest = notes.checkpoint(note).version();
      closeGap(
          book.facts().checkpoints(),
          newest,
          v -> sanctions.checkpoint(v).ifPresent(intake::checkpoint));
    } catch (ProtocolException unreadable) {
      // the intake says what is wrong with it
    }
    intake.checkpoint(note);
  }

  /** Fetches the versions between the last known one and the newest, in order. */
  private static void closeGap(Map<Long, ?> known, long newest, LongConsumer fetch) {
    for (long v = Math.max(lastVersion(known) + 1, newest - MAX_GAP); v < newest; v++) {
      fetch.accept(v);
    }
  }

  private boolean isNewCheckpoint(String note) {
    try {
      var known = book.facts().checkpoints().get(notes.checkpoint(note).version());
      return known == null || !sameText(note, known.checkpoint().toNoteText(notes.network()));
    } catch (ProtocolException e) {
      return true;
    }
  }

  private boolean holds(Map<Long, KnownPolicy> policies, long version, String note) {
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
