package io.solidus.authority.signer.log;

/**
 * A table that the sign-log was compared with is another one now: it was dropped, restored or
 * rewritten while the signer ran. Nothing is signed before the whole log is compared again.
 */
public final class TablesReplacedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TablesReplacedException() {
    super("a table of a shard, of the issuer or of the signer was dropped, restored or rewritten");
  }
}
