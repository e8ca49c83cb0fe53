package io.solidus.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The public keys of one authority's replica of the mailbox. They are the replica's own: the
 * authority's note key signs votes.
 *
 * @param shares X25519 key that shares of private queries are sealed to
 * @param lists Ed25519 key that countersigns lists of mail tables
 */
public record MailReplica(EncryptionKey shares, Ed25519PublicKey lists) {
  public static final int BYTES = EncryptionKey.BYTES + Ed25519PublicKey.BYTES;

  /**
   * @throws ProtocolException malformed-request for a key to which nothing can be sealed
   */
  public MailReplica {
    if (!shares.isUsable()) {
      throw malformed();
    }
  }

  /**
   * The keys in the form of {@link #bytes}.
   *
   * @throws ProtocolException malformed-request
   */
  public static MailReplica of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw malformed();
    }
    return new MailReplica(
        EncryptionKey.of(Arrays.copyOf(bytes, EncryptionKey.BYTES)),
        new Ed25519PublicKey(Arrays.copyOfRange(bytes, EncryptionKey.BYTES, BYTES)));
  }

  /** Both keys, that for shares first. */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).put(shares.bytes()).put(lists.bytes()).array();
  }

  /**
   * The key under the name of an authority's replica.
   *
   * @param authority 1 to N
   */
  public NoteKey signer(int authority) {
    return new NoteKey(CommitteeMember.replicaName(authority), lists);
  }

  private static ProtocolException malformed() {
    return ProtocolException.malformed("the keys of a replica cannot be used");
  }
}
