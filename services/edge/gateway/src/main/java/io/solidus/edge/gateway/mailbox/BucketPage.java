package io.solidus.edge.gateway.mailbox;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Spec;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Messages for the readers of a bucket, in the order of their numbers.
 *
 * @param at SHA-256 of the message at which the reader is; {@link #NONE} when there is none
 * @param next the number up to which the reader has read with this page. It may be another bucket's
 *     message: so a reader notices a mailbox that lost messages of any bucket
 * @param digest SHA-256 of the message with the number {@code next}; {@link #NONE} when there is
 *     none
 */
@Spec("F-49")
record BucketPage(Digest32 at, long next, Digest32 digest, List<Message> messages) {
  /** No message has this digest. */
  static final Digest32 NONE = Digest32.of(new byte[Digest32.BYTES]);

  private static final byte VERSION = 1;
  private static final int HEAD = 1 + Digest32.BYTES + Long.BYTES + Digest32.BYTES;
  private static final int RECORD = Long.BYTES + MailboxLimits.MESSAGE_BYTES;

  /** A stored message of 1200 bytes. */
  record Message(long sequence, byte[] blob) {}

  byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(HEAD + messages.size() * RECORD);
    out.put(VERSION).put(at.bytes()).putLong(next).put(digest.bytes());
    messages.forEach(message -> out.putLong(message.sequence()).put(message.blob()));
    return out.array();
  }
}
