package io.solidus.protocol;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * One share of a private query for a message, and the tables that it is for: those of a bucket that
 * closed after one time and up to another.
 *
 * @param after Unix time in seconds
 * @param upto Unix time in seconds, of a list
 * @param state the bucket's state in that list; a server with other tables does not answer
 * @param share as {@code QueryShare} encodes it
 */
public record MailQuery(MailboxBucket bucket, long after, long upto, Digest32 state, byte[] share) {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 2 + 2 * Long.BYTES + Digest32.BYTES;

  /**
   * @throws ProtocolException malformed-request when the times are out of order
   */
  public MailQuery {
    share = share.clone();
    if (after < 0 || upto <= after) {
      throw ProtocolException.malformed("a query is for tables of some time");
    }
  }

  @Override
  public byte[] share() {
    return share.clone();
  }

  public byte[] encode() {
    return ByteBuffer.allocate(HEAD_BYTES + share.length)
        .put(VERSION)
        .put((byte) bucket.number())
        .putLong(after)
        .putLong(upto)
        .put(state.bytes())
        .put(share)
        .array();
  }

  /**
   * Reads a query.
   *
   * @throws ProtocolException malformed-request, unknown-version
   */
  public static MailQuery decode(byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded);
    try {
      if (in.get() != VERSION) {
        throw new ProtocolException(
            RejectionCode.UNKNOWN_VERSION, "a query for mail has another version");
      }
      MailboxBucket bucket = new MailboxBucket(in.get());
      long after = in.getLong();
      long upto = in.getLong();
      byte[] state = new byte[Digest32.BYTES];
      in.get(state);
      byte[] share = new byte[in.remaining()];
      in.get(share);
      return new MailQuery(bucket, after, upto, Digest32.of(state), share);
    } catch (BufferUnderflowException e) {
      throw ProtocolException.malformed("a query for mail is too short");
    }
  }
}
