package io.solidus.wallet.gateway;

import java.util.List;

/**
 * Messages that were posted with a tag, as the gateway says.
 *
 * @param entries oldest first
 * @param full whether there may be more in the bucket only
 */
public record TaggedPage(List<MailboxPage.Entry> entries, boolean full) {
  private static final int MAX = 64;

  /**
   * @throws IllegalArgumentException for more messages than a tag can have
   */
  public TaggedPage {
    entries = List.copyOf(entries);
    if (entries.size() > MAX) {
      throw new IllegalArgumentException("a tag has at most " + MAX + " messages");
    }
  }
}
