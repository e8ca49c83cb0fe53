package io.solidus.edge.gateway.mailbox;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.Spec;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Headers of a bucket's tables, the oldest table first.
 *
 * @param before the bucket's state before the first table; zeros without a table
 * @param reached the page has all tables that closed up to this time: Unix time in seconds
 */
@Spec("F-53")
record HeaderPage(MailState before, long reached, List<Table> tables) {
  /** The most tables: a day of five minutes each. */
  static final int MAX_TABLES = 288;

  /** The most headers, unless the first table has more. */
  static final int MAX_HEADERS = 10_000;

  private static final byte VERSION = 1;

  /**
   * A table without the bodies of its messages.
   *
   * @param first number of its first message
   * @param headers of 34 bytes
   */
  record Table(long closed, long first, Digest32 root, List<byte[]> headers) {}

  byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(VERSION);
    out.writeBytes(before.digest().bytes());
    out.writeBytes(
        ByteBuffer.allocate(2 * Long.BYTES).putLong(before.closed()).putLong(reached).array());
    for (Table table : tables) {
      out.writeBytes(
          ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
              .putLong(table.closed())
              .putLong(table.first())
              .putInt(table.headers().size())
              .array());
      out.writeBytes(table.root().bytes());
      table.headers().forEach(header -> out.write(header, 0, MailTable.HEADER_BYTES));
    }
    return out.toByteArray();
  }
}
