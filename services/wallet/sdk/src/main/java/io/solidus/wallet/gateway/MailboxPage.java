package io.solidus.wallet.gateway;

import io.solidus.protocol.Digest32;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A range of the mailbox.
 *
 * @param entries in the order of their numbers
 * @param at digest of the message after which the range begins; empty when the mailbox has none
 */
public record MailboxPage(List<Entry> entries, Optional<Digest32> at) {
  public MailboxPage {
    entries = List.copyOf(entries);
  }

  /** One sealed blob of 1200 bytes; only its addressee can open it. */
  public record Entry(long sequence, byte[] blob) {}

  /** Whether the range has this blob. */
  public boolean has(byte[] blob) {
    return entries.stream().anyMatch(entry -> Arrays.equals(entry.blob(), blob));
  }

  /**
   * Requires what an honest mailbox answers: at most {@code limit} messages with numbers above
   * {@code after} that grow, and the last one of them as the place to go on from. Otherwise one
   * answer could push the reader past messages that it has not read.
   */
  MailboxPage requireRange(long after, int limit, long next) {
    long last = after;
    for (Entry entry : entries) {
      if (entry.sequence() <= last) {
        throw new IllegalArgumentException("the numbers of the mailbox's messages do not grow");
      }
      last = entry.sequence();
    }
    if (entries.size() > limit || next != last) {
      throw new IllegalArgumentException("the page of the mailbox does not end where it says");
    }
    return this;
  }
}
