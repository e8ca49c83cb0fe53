package io.solidus.authority.spend.rules;

import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.time.Instant;

/**
 * A sanction checkpoint with a valid signature of its issuer.
 *
 * @param note the signed note
 * @param acceptedAt when this authority first received it
 * @param late received after a newer version: for the finish rule only
 * @param rebuilt whether this process rebuilt the root from the whole list; without that no new
 *     core may use the version
 */
public record VerifiedCheckpoint(
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

  public VerifiedCheckpoint asRebuilt() {
    return new VerifiedCheckpoint(checkpoint, note, acceptedAt, late, true);
  }
}
