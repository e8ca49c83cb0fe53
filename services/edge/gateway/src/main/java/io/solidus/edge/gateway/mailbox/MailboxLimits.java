package io.solidus.edge.gateway.mailbox;

/** Sizes that the mailbox's API accepts. */
public final class MailboxLimits {
  /** The length of every message, in bytes. */
  public static final int MESSAGE_BYTES = 1200;

  /** The most messages on a page. */
  public static final int MAX_PAGE = 500;

  /** Messages on a page when the reader asks for no number. */
  public static final int PAGE = 200;

  /** The days after its own for which a post's Idempotency-Key is remembered. */
  public static final int KEY_DAYS = 1;

  private MailboxLimits() {}
}
