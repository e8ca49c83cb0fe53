package io.solidus.edge.gateway.mailbox;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.v1.PostedMessage;
import io.solidus.wire.v1.PullReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A page of a peer's messages that has the right form. Nothing of it is believed.
 *
 * @param at digest of the message at which this gateway was; empty when the peer has none there
 * @param next the place behind the page; empty at the end
 */
record PulledPage(Optional<Digest32> at, Optional<Place> next, List<Message> messages) {
  /** Messages of any origin that one page looks at. */
  static final int LIMIT = 500;

  /**
   * A place in a peer's mailbox.
   *
   * @param digest of the message with this number
   */
  record Place(long number, Digest32 digest) {}

  /** A message with its bucket. */
  record Message(byte[] blob, MailboxBucket bucket, Digest32 digest) {}

  /**
   * Reads a page.
   *
   * @param after number that was asked for
   * @throws ProtocolException malformed-request for what no honest gateway sends
   */
  static PulledPage of(PullReply reply, long after) {
    if (reply.getMessagesCount() > LIMIT || reply.getNext() < after) {
      throw ProtocolException.malformed("a peer's page has another size or place");
    }
    List<Message> messages = new ArrayList<>(reply.getMessagesCount());
    long last = after;
    for (PostedMessage message : reply.getMessagesList()) {
      if (message.getSequence() <= last || message.getSequence() > reply.getNext()) {
        throw ProtocolException.malformed("the numbers of a peer's messages do not grow");
      }
      last = message.getSequence();
      byte[] blob = message.getBlob().toByteArray();
      if (blob.length != MailboxLimits.MESSAGE_BYTES) {
        throw ProtocolException.malformed("a peer's message has another length");
      }
      messages.add(
          new Message(blob, new MailboxBucket(message.getBucket()), Digest32.sha256(blob)));
    }
    return new PulledPage(
        reply.getAt().isEmpty()
            ? Optional.empty()
            : Optional.of(Digest32.of(reply.getAt().toByteArray())),
        reply.getNext() == after
            ? Optional.empty()
            : Optional.of(new Place(reply.getNext(), Digest32.of(reply.getDigest().toByteArray()))),
        messages);
  }
}
