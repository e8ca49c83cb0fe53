package io.solidus.wallet.session;

import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.transfer.TransferDraft;

/** Thrown when rules that the wallet verified itself no longer admit the transfer in flight. */
final class UnfinishableTransferException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient TransferDraft draft;
  private final transient ProtocolException reason;

  UnfinishableTransferException(TransferDraft draft, ProtocolException reason) {
    super(reason);
    this.draft = draft;
    this.reason = reason;
  }

  TransferDraft draft() {
    return draft;
  }

  ProtocolException reason() {
    return reason;
  }
}
