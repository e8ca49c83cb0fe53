package io.solidus.protocol;

/**
 * One authority's public keys.
 *
 * @param index 1 to N
 * @param x X_i = g2^{x_i}
 * @param y Y_i = g2^{y_i}
 * @param gamma g1^{y_i}
 * @param noteKey the public key of the authority's countersignatures
 */
public record CommitteeMember(
    int index, G2Point x, G2Point y, G1Point gamma, Ed25519PublicKey noteKey) {

  public CommitteeMember {
    if (index < 1 || index > Committee.MAX_MEMBERS) {
      throw ProtocolException.malformed("a member's index is at least 1");
    }
  }

  /**
   * @param noteKey 32 bytes
   */
  public CommitteeMember(int index, G2Point x, G2Point y, G1Point gamma, byte[] noteKey) {
    this(index, x, y, gamma, new Ed25519PublicKey(noteKey));
  }

  /** The name of an authority on signed notes. */
  public static String noteName(int index) {
    return "solidus-authority-" + index;
  }

  /** The name of an authority's replica on lists of mail tables. */
  public static String replicaName(int index) {
    return "solidus-replica-" + index;
  }

  /** The key that this authority signs notes with. */
  public NoteKey countersigner() {
    return new NoteKey(noteName(index), noteKey);
  }
}
