package io.solidus.wallet.mailbox;

import io.solidus.protocol.MailboxBucket;
import io.solidus.wire.hpke.SealedMessage;
import java.util.Map;

/** What a gateway serves of the mailbox's tables. Nothing of it is verified. */
public interface MailServer {
  /** The most messages of a page. */
  int PAGE = 500;

  /** The newest list of tables with its signatures. */
  String note();

  /** A page of headers of tables that closed after one time and up to another. */
  byte[] headers(MailboxBucket bucket, long after, long upto);

  /**
   * A page of whole messages, with numbers above one, of tables that closed up to a time: {@link
   * #PAGE} at most.
   */
  byte[] records(MailboxBucket bucket, long after, long upto);

  /**
   * Passes shares on.
   *
   * @param shares by authority
   * @return the sealed answers that came, by authority
   */
  Map<Integer, byte[]> query(Map<Integer, SealedMessage> shares);
}
