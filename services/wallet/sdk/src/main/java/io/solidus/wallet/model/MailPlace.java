package io.solidus.wallet.model;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Where a wallet is that reads its mail with private queries.
 *
 * @param bucket whose headers it reads
 * @param list up to which it has read, as authorities signed it
 * @param tables of its bucket of the day before the list, the oldest first
 * @param waiting messages of these tables whose bodies it has not got, the oldest first
 * @param overdue messages that waited longer than a day since the mailbox was last read whole:
 *     their bodies can be read whole only
 * @param number the highest number that is known to be in a table: all up to it are
 */
public record MailPlace(
    MailboxBucket bucket,
    MailTableList list,
    List<Table> tables,
    List<Waiting> waiting,
    int overdue,
    long number) {
  /** A day of tables of a second. */
  public static final int MAX_TABLES = 86_400;

  /** More than forty days of queries. What comes beyond is overdue at once. */
  public static final int MAX_WAITING = 1_000;

  /**
   * A table of the window.
   *
   * @param closed Unix time in seconds
   */
  public record Table(long closed, int records) {
    public Table {
      if (closed < 1 || records < 1) {
        throw new IllegalArgumentException("a table of mail has positive numbers");
      }
    }
  }

  /**
   * A message whose header is this wallet's, or one of 65,536 others, or that it posted itself.
   *
   * @param closed the time of its table
   * @param record its index there, from 0
   * @param header SHA-256 of its header
   * @param replaced whether queries brought another body than what the wallet posted under this
   *     header
   */
  public record Waiting(long closed, int record, Digest32 header, boolean replaced) {
    public Waiting {
      if (record < 0) {
        throw new IllegalArgumentException("a record of a table has an index");
      }
    }

    /** One of which no query brought another body. */
    public Waiting(long closed, int record, Digest32 header) {
      this(closed, record, header, false);
    }

    public Waiting asReplaced() {
      return new Waiting(closed, record, header, true);
    }
  }

  public MailPlace {
    tables = List.copyOf(tables);
    waiting = List.copyOf(waiting);
    if (tables.size() > MAX_TABLES || waiting.size() > MAX_WAITING || overdue < 0 || number < 0) {
      throw new IllegalArgumentException("a place in the mailbox is out of range");
    }
  }

  /** The digest by which a message's header is known. */
  public static Digest32 header(byte[] blob) {
    return Digest32.sha256(Arrays.copyOf(blob, MailTable.HEADER_BYTES));
  }

  /** Whether the body of the message with this header is missing. */
  public boolean waits(Digest32 header) {
    return waiting.stream().anyMatch(each -> each.header().equals(header));
  }

  public MailPlace withWaiting(List<Waiting> left) {
    return new MailPlace(bucket, list, tables, left, overdue, number);
  }

  /** The place after these messages were read whole. */
  public MailPlace without(Set<Digest32> headers) {
    return withWaiting(waiting.stream().filter(each -> !headers.contains(each.header())).toList());
  }

  /** The place after all of the mailbox was read whole. */
  public MailPlace readWhole() {
    return new MailPlace(bucket, list, tables, waiting, 0, number);
  }
}
