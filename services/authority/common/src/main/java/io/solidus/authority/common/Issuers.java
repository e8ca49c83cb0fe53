package io.solidus.authority.common;

import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NoteKeys;
import java.util.Optional;

/**
 * The parties whose signatures an authority accepts.
 *
 * @param approvers of mints
 */
public record Issuers(
    NoteKeys policy, NoteKeys sanctions, NoteKeys registration, Approvers approvers) {

  /** Finds the key of an approver of mints. */
  @FunctionalInterface
  public interface Approvers {
    Optional<Ed25519PublicKey> key(String name);
  }

  /**
   * Takes the configured keys.
   *
   * @throws IllegalStateException when a key is not configured
   */
  public static Issuers of(NoteTrust trust) {
    return new Issuers(trust.policy(), trust.sanctions(), trust.registration(), trust::approver);
  }
}
