package io.solidus.wallet.gateway;

import java.util.List;

/**
 * A range of the mailbox.
 *
 * @param next sequence number to continue after
 */
public record MailboxPage(List<Entry> entries, long next) {
  public MailboxPage {
    entries = List.copyOf(entries);
  }

  /** One sealed blob of 1200 bytes; only its addressee can open it. */
  public record Entry(long sequence, byte[] blob) {}
}
