package io.solidus.authority.replica;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;

/**
 * A list, or pages that are not those of the list. An honest gateway shows such ones when its
 * mailbox came back from a backup, or for a moment while tables expire.
 */
final class RefusedListException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  /** Why; the label of a metric. */
  enum Reason {
    /** Of a time that has not come. */
    AHEAD("ahead"),
    /** It does not continue the one before, or its tables are others. */
    TABLES("tables"),
    /** The newest tables do not fit into the memory or the disk. */
    FULL("full");

    private final String label;

    Reason(String label) {
      this.label = label;
    }
  }

  private final Reason reason;

  RefusedListException(Reason reason, String detail) {
    super(RejectionCode.UNAVAILABLE, detail);
    this.reason = reason;
  }

  String label() {
    return reason.label;
  }
}
