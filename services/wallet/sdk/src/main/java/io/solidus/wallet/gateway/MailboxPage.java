package io.solidus.wallet.gateway;

import java.util.List;

/**
 * A range of the mailbox.
 *
 * @param next where to read on
 */
public record MailboxPage(List<Entry> entries, long next) {
  public MailboxPage {
    entries = List.copyOf(entries);
  }

  /** One blob; its owner is whoever can open it. */
  public record Entry(long sequence, byte[] blob) {}
}
