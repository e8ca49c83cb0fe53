package io.solidus.protocol;

import java.util.Arrays;

/**
 * One authority's public keys.
 *
 * @param index 1 to N
 * @param x X_i = g2^{x_i}
 * @param y Y_i = g2^{y_i}
 * @param gamma g1^{y_i}
 * @param noteKey 32 bytes, the Ed25519 public key of the authority's countersignatures
 */
public record CommitteeMember(int index, G2Point x, G2Point y, G1Point gamma, byte[] noteKey) {

  public CommitteeMember {
    if (index < 1 || index > Committee.MAX_MEMBERS) {
      throw ProtocolException.malformed("a member's index is at least 1");
    }
    noteKey = Bytes.fixed(noteKey, Ed25519PublicKey.BYTES, "a note key");
  }

  /** The name of an authority on signed notes. */
  public static String noteName(int index) {
    return "solidus-authority-" + index;
  }

  /** The key that this authority signs notes with. */
  public NoteKey countersigner() {
    return new NoteKey(noteName(index), new Ed25519PublicKey(noteKey));
  }

  @Override
  public byte[] noteKey() {
    return noteKey.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CommitteeMember that
        && index == that.index
        && x.equals(that.x)
        && y.equals(that.y)
        && gamma.equals(that.gamma)
        && Arrays.equals(noteKey, that.noteKey);
  }

  @Override
  public int hashCode() {
    return 31 * index + x.hashCode();
  }
}
