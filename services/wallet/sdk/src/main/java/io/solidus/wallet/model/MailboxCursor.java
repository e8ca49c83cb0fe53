package io.solidus.wallet.model;

import io.solidus.protocol.Digest32;

/**
 * The wallet's place in the mailbox: the last message that it read. The digest tells whether the
 * mailbox still is the one that was read. After a restore from a backup, and at another gateway,
 * other messages have the same numbers.
 *
 * @param sequence 0 at the start
 * @param message SHA-256 of the message with this number
 */
public record MailboxCursor(long sequence, Digest32 message) {
  public static final MailboxCursor START = new MailboxCursor(0, Digest32.sha256());

  public boolean isStart() {
    return sequence == 0;
  }
}
