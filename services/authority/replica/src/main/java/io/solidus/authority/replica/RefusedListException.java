package io.solidus.authority.replica;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;

/**
 * A list, or pages that are not those of the list. An honest gateway shows such ones when its
 * mailbox came back from a backup, or for a moment while tables expire.
 */
final class RefusedListException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  RefusedListException(String detail) {
    super(RejectionCode.UNAVAILABLE, detail);
  }
}
