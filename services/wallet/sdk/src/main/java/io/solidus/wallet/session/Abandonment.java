package io.solidus.wallet.session;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.AbandonedTransfer;
import io.solidus.wallet.transfer.TransferDraft;

/**
 * Gives a transfer up whose rules ran out before any validator held it, so that the balance is free
 * again. Without this a gateway that is away over the end of a month would lock the balance for
 * ever.
 *
 * <p>Why this never spends twice: the given-up core and its successor spend the same compliance
 * coin, hence name the same lead serial number. A correct validator reserves it for one core, for
 * ever, and two quorums of 2f+1 meet in a correct validator; so at most one of the two is ever
 * signed, whatever was said to this wallet. Should it be the given-up one, the other meets a serial
 * conflict, and the wallet follows the chain and takes the given-up one back.
 *
 * <p>"Unspent" is the gateway's word for what 2f+1 authorities say. If it lies while some
 * authorities hold the given-up core, the two may split the authorities and neither gets a quorum:
 * the balance is then locked, as it would have been without giving up, and no worse.
 *
 * <p>What an authority shows that is not a transfer of this wallet is no reason to wait: otherwise
 * one liar could lock the balance.
 */
final class Abandonment {
  private final WalletSession session;
  private final CoinInquiry inquiry;

  Abandonment(WalletSession session) {
    this.session = session;
    this.inquiry = new CoinInquiry(session);
  }

  /**
   * Drops the transfer in flight when 2f+1 authorities say that its coin is unspent and none shows
   * a transfer of this wallet out of it.
   *
   * @return what to throw: why it was given up, or {@code transfer-in-flight} when it still waits
   */
  RuntimeException resolve(TransferDraft draft, ProtocolException reason) {
    TxCore core = draft.statement().core(session.network());
    if (!unspent(draft, core, reason)) {
      return waits(core, reason, "authorities hold it, or too few can tell that none does", reason);
    }
    RejectionCode code = reason.code();
    AbandonedTransfer abandoned =
        new AbandonedTransfer(
            core, draft.statement().leadSerial(), draft.statement().period(), draft.memo(), code);
    session
        .store()
        .update(edit -> {
          edit.pending = null;
          edit.abandoned.add(abandoned);
        });
    return new ProtocolException(
        code,
        "the transfer "
            + core.hex()
            + " was given up before any authority held it, and nothing was paid: "
            + reason.detail(),
        reason);
  }

  private boolean unspent(TransferDraft draft, TxCore core, ProtocolException reason) {
    try {
      Finding finding = inquiry.ask(draft.plan().cc());
      return finding.unspent() && finding.own().isEmpty();
    } catch (ProtocolException | WalletException e) {
      throw waits(core, reason, "whether an authority holds it cannot be asked right now", e);
    }
  }

  private static WalletException waits(
      TxCore core, ProtocolException reason, String detail, RuntimeException cause) {
    return new WalletException(
        WalletError.TRANSFER_IN_FLIGHT,
        "the transfer "
            + core.hex()
            + " waits: today's rules refuse it ("
            + reason.code().code()
            + ": "
            + reason.detail()
            + ") and "
            + detail
            + "; until that is settled its compliance coin, and so the balance, cannot be used for anything else",
        cause);
  }
}
