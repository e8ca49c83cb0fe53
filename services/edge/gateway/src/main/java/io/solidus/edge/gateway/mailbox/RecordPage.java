package io.solidus.edge.gateway.mailbox;

import io.solidus.protocol.Spec;
import java.nio.ByteBuffer;
import java.util.List;

/** Messages of a bucket's tables, in the order of their numbers. */
@Spec("F-54")
record RecordPage(List<BucketPage.Message> messages) {
  private static final byte VERSION = 1;
  private static final int RECORD = Long.BYTES + MailboxLimits.MESSAGE_BYTES;

  byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(1 + messages.size() * RECORD);
    out.put(VERSION);
    messages.forEach(message -> out.putLong(message.sequence()).put(message.blob()));
    return out.array();
  }
}
