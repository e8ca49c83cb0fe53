package io.solidus.authority.spend.rules;

import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.time.Instant;

/**
 * A sanction checkpoint whose issuer's signature was verified.
 *
 * @param note as its issuer signed it
 * @param acceptedAt when this authority first learnt it
 * @param late learnt after a newer version: usable by the finish rule only
 * @param rebuilt this process rebuilt the root from the whole list; without it no new core may use
 *     the version
 */
public record KnownCheckpoint(
    SanctionCheckpoint checkpoint,
    SignedNote note,
    Instant acceptedAt,
    boolean late,
    boolean rebuilt) {

  public long version() {
    return checkpoint.version();
  }

  boolean usable() {
    return !late && rebuilt;
  }

  public KnownCheckpoint whenRebuilt() {
    return new KnownCheckpoint(checkpoint, note, acceptedAt, late, true);
  }
}
