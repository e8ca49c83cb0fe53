package io.solidus.authority.replica;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailboxBucket;
import java.util.List;
import java.util.Optional;

/** What a gateway serves of the mailbox's tables. Nothing of it is verified. */
interface TablePages {
  /**
   * Headers of tables.
   *
   * @param before the bucket's state before the first table
   * @param reached the page has all tables up to this time
   */
  record Headers(MailState before, long reached, List<Table> tables) {}

  /** A table without its messages. */
  record Table(long closed, long first, int records, Digest32 root, byte[] headers) {}

  /** A message of 1200 bytes. */
  record Message(long number, byte[] blob) {}

  /** The text of the newest list; empty while there is none. */
  Optional<String> newest();

  Headers headers(MailboxBucket bucket, long after, long upto);

  List<Message> records(MailboxBucket bucket, long after, long upto);
}
