package io.solidus.wallet.session;

import io.solidus.protocol.MailboxBucket;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.MailboxPage;
import io.solidus.wallet.model.MailboxCursor;

/** Reads a mailbox from a stored place on. */
public final class MailboxReader {
  static final int PAGE = 200;

  /** Ten million messages: more than any wallet can read. */
  static final int MAX_PAGES = 50_000;

  private MailboxReader() {}

  /** The reader's place in the mailbox, and what it does with a page. */
  public interface Place {
    MailboxCursor cursor();

    /**
     * Stores what a page has, and the new place, in one write.
     *
     * @param page without a message when only other buckets got some
     * @param next the place behind it
     */
    void accept(MailboxPage page, MailboxCursor next);

    /** Goes to the start, in one write: the mailbox is another one. */
    void startAgain();
  }

  /**
   * Reads a bucket to the end of the mailbox. Reads from the start when the mailbox does not have
   * the message at the stored place: then it is another one, or has come back from a backup, or the
   * message and all before it have expired.
   *
   * @throws WalletException {@code gateway-misbehaved} when the mailbox changes again meanwhile, or
   *     does not end
   */
  public static void read(GatewayClient gateway, MailboxBucket bucket, Place place) {
    read(gateway, bucket, MAX_PAGES, place);
  }

  /**
   * As {@link #read(GatewayClient, MailboxBucket, Place)}.
   *
   * @param maxPages of 200 messages
   */
  static void read(GatewayClient gateway, MailboxBucket bucket, int maxPages, Place place) {
    boolean again = false;
    for (int pages = 0; pages < maxPages; pages++) {
      MailboxCursor cursor = place.cursor();
      MailboxPage page = gateway.mailbox(bucket, cursor.sequence(), PAGE);
      if (cursor.isStart() || page.at().filter(cursor.message()::equals).isPresent()) {
        page.next().ifPresent(next -> place.accept(page, next));
        if (page.entries().size() < PAGE) {
          return;
        }
      } else if (!again) {
        again = true;
        place.startAgain();
      } else {
        throw new WalletException(
            WalletError.GATEWAY_MISBEHAVED, "the mailbox changed twice while it was read");
      }
    }
    throw new WalletException(WalletError.GATEWAY_MISBEHAVED, "the mailbox does not end");
  }
}
