package io.solidus.protocol;

/**
 * All tables of a bucket of the mailbox up to its last one, in one digest.
 *
 * @param closed when the last table became final: Unix time in seconds; 0 before the first
 * @param digest see {@link MailTable#after}
 */
public record MailState(long closed, Digest32 digest) {
  /** The state of a bucket that has no table. */
  public static final MailState NONE = new MailState(0, Digest32.of(new byte[Digest32.BYTES]));

  /**
   * @throws ProtocolException malformed-request for a negative time
   */
  public MailState {
    if (closed < 0) {
      throw ProtocolException.malformed("a table of the mailbox has a positive time");
    }
  }
}
