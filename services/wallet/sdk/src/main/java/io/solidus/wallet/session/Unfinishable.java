package io.solidus.wallet.session;

import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.transfer.TransferDraft;

/**
 * A transfer in flight that no try can finish any more, by rules that the wallet verified itself.
 */
final class Unfinishable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient TransferDraft draft;
  private final transient ProtocolException reason;

  Unfinishable(TransferDraft draft, ProtocolException reason) {
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
