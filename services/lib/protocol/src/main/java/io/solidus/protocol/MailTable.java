package io.solidus.protocol;

/**
 * What was posted to one bucket of the mailbox until a time, and after the table before. It never
 * changes. The tables of a bucket are a chain: the bucket's state after a table names that table
 * and all before it.
 *
 * @param bucket that the messages name; those of the nodes above and below it are in other tables
 * @param closed when the table became final: Unix time in seconds
 * @param first number of its first message
 * @param records how many messages it has, 1 at least
 * @param headers SHA-256 of the messages' headers, which are their first 34 bytes, in the order of
 *     their numbers
 * @param root of the messages' Merkle tree (RFC 6962, section 2.1)
 */
@Spec("F-51")
public record MailTable(
    MailboxBucket bucket, long closed, long first, int records, Digest32 headers, Digest32 root) {
  /** The length of a message's header, in bytes. */
  public static final int HEADER_BYTES = 34;

  private static final String DOMAIN = "solidus/mail-table/v1";

  /**
   * @throws ProtocolException malformed-request for a number out of range
   */
  public MailTable {
    if (closed < 1 || first < 1 || records < 1) {
      throw ProtocolException.malformed("a table of the mailbox has positive numbers");
    }
  }

  /**
   * The bucket's state after this table.
   *
   * @throws ProtocolException malformed-request when the table is not later than the one before
   */
  public MailState after(MailState before) {
    if (closed <= before.closed()) {
      throw ProtocolException.malformed("a table of the mailbox is later than the one before");
    }
    byte[] digest =
        new Transcript(DOMAIN)
            .bytes(before.digest().bytes())
            .u64(before.closed())
            .u8(bucket.number())
            .u64(closed)
            .u64(first)
            .u32(records)
            .bytes(headers.bytes())
            .bytes(root.bytes())
            .sha256();
    return new MailState(closed, Digest32.of(digest));
  }
}
