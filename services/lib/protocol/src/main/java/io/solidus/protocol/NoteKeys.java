package io.solidus.protocol;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The keys of one issuer of notes: its present one, and former ones until a time each.
 *
 * @param former keys of the same name
 */
@Spec("F-31")
public record NoteKeys(NoteKey present, List<Former> former) {

  /**
   * A key that the issuer has no more.
   *
   * @param until notes that were accepted before count
   */
  public record Former(NoteKey key, Instant until) {}

  public NoteKeys {
    former = List.copyOf(former);
  }

  public static NoteKeys of(NoteKey present) {
    return new NoteKeys(present, List.of());
  }

  /**
   * Requires the issuer's signature.
   *
   * @param at when the note was accepted, or now
   * @throws ProtocolException signature-invalid unless a key signed it that counted at that time
   */
  public SignedNote require(SignedNote note, Instant at) {
    Optional<Former> other =
        former.stream()
            .filter(one -> at.isBefore(one.until()) && note.isSignedBy(one.key()))
            .findFirst();
    return other.isPresent() ? note : note.requireSignedBy(present);
  }

  /**
   * Whether a key that counts at the time signed the bytes, which are no note.
   *
   * @param signature 64 bytes; any other length gives false
   */
  boolean signed(byte[] message, byte[] signature, Instant at) {
    return present.publicKey().verify(message, signature)
        || former.stream()
            .anyMatch(one ->
                at.isBefore(one.until()) && one.key().publicKey().verify(message, signature));
  }
}
