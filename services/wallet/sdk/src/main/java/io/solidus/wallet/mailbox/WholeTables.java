package io.solidus.wallet.mailbox;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.retrieval.TableTree;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Reads tables of a bucket whole, one after the other, and compares them with what was signed. */
final class WholeTables {
  /** As many as a gateway puts into the tables of one time: 79 MB. */
  private static final int MAX_RECORDS = 65_536;

  private static final int RECORD_BYTES = Long.BYTES + ParcelCipher.BLOB_BYTES;
  private static final byte VERSION = 1;

  private final MailServer server;
  private final MailboxBucket bucket;
  private final long upto;
  private final Deque<Message> page = new ArrayDeque<>();
  private long place;

  private record Message(long number, byte[] blob) {}

  /**
   * @param first table that is read
   * @param upto the time of a list
   */
  WholeTables(MailServer server, MailTable first, long upto) {
    this.server = server;
    this.bucket = first.bucket();
    this.upto = upto;
    this.place = first.first() - 1;
  }

  /**
   * The messages of a table, which is the first one or follows the one before.
   *
   * @throws ProtocolException malformed-request when they are not those of the table
   */
  List<byte[]> next(MailTable table) {
    if (table.records() > MAX_RECORDS) {
      throw ProtocolException.malformed("a table of mail is too long");
    }
    List<byte[]> blobs = new ArrayList<>();
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    while (blobs.size() < table.records()) {
      Message message = next();
      if (blobs.isEmpty() && message.number() != table.first()) {
        throw ProtocolException.malformed("a table of mail begins with another message");
      }
      blobs.add(message.blob());
      headers.write(message.blob(), 0, MailTable.HEADER_BYTES);
    }
    if (!Digest32.sha256(headers.toByteArray()).equals(table.headers())
        || !TableTree.root(blobs).equals(table.root())) {
      throw ProtocolException.malformed("the messages of a table are not those of its list");
    }
    return blobs;
  }

  private Message next() {
    if (page.isEmpty()) {
      fetch();
    }
    Message message = page.removeFirst();
    if (message.number() <= place) {
      throw ProtocolException.malformed("the numbers of a table's messages do not grow");
    }
    place = message.number();
    return message;
  }

  private void fetch() {
    ByteBuffer in = ByteBuffer.wrap(server.records(bucket, place, upto));
    if (!in.hasRemaining() || in.get() != VERSION) {
      throw ProtocolException.malformed("a page of messages has another version");
    }
    if (!in.hasRemaining() || in.remaining() % RECORD_BYTES != 0) {
      throw ProtocolException.malformed("a table has fewer messages than its list says");
    }
    while (in.hasRemaining()) {
      long number = in.getLong();
      byte[] blob = new byte[ParcelCipher.BLOB_BYTES];
      in.get(blob);
      page.add(new Message(number, blob));
    }
  }
}
