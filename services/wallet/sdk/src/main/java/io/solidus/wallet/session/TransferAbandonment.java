package io.solidus.wallet.session;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.AbandonedTransfer;
import io.solidus.wallet.transfer.TransferDraft;

/**
 * Gives up a transfer whose rules expired before any validator held it, so that the balance is free
 * again. Otherwise a gateway that is unavailable at the end of a month would lock the balance for
 * ever.
 *
 * <p>Why this never spends twice: the abandoned core and its successor spend the same compliance
 * coin, so they have the same lead serial number. A correct validator reserves a serial number for
 * one core, for ever, and any two quorums of 2f+1 share a correct validator. So at most one of the
 * two cores is ever signed, even if the gateway lied to this wallet. If that is the abandoned core,
 * its successor gets a serial conflict, and the wallet follows the chain and finishes the abandoned
 * core.
 *
 * <p>The gateway reports that the coin is unspent at 2f+1 authorities. If that is false and some
 * authorities hold the abandoned core, each core may be reserved at some authorities and neither
 * reaches a quorum. The balance is then locked, as it would have been without abandonment.
 *
 * <p>Up to f authorities may show the core, or a request that is not this wallet's, and do not
 * delay the abandonment. Otherwise one lying authority could lock the balance. An honest one of
 * them keeps the core for ever and refuses the successor, which the others sign.
 */
final class TransferAbandonment {
  private final WalletSession session;
  private final CoinLookUp lookUp;

  TransferAbandonment(WalletSession session) {
    this.session = session;
    this.lookUp = new CoinLookUp(session);
  }

  /**
   * Abandons the transfer in flight if 2f+1 authorities report its coin as unspent.
   *
   * @return the exception to throw: the reason of the abandonment; serial-conflict when authorities
   *     hold another transfer of this wallet from the coin; {@code transfer-in-flight} when the
   *     transfer stays in flight
   */
  RuntimeException resolve(TransferDraft draft, ProtocolException reason) {
    TxCore core = draft.statement().core(session.network());
    CoinSpendVerdict verdict = verdict(draft, core, reason);
    if (!verdict.unspent()) {
      return verdict.own().stream().anyMatch(own -> !own.core().equals(core))
          ? new ProtocolException(
              RejectionCode.SERIAL_CONFLICT,
              "another transfer of this wallet spends the compliance coin",
              reason)
          : stillInFlight(
              core,
              reason,
              "authorities hold it, or too few authorities report its coin as unspent",
              reason);
    }
    RejectionCode code = reason.code();
    AbandonedTransfer abandoned =
        new AbandonedTransfer(
            core, draft.statement().leadSerial(), draft.statement().period(), draft.memo(), code);
    session
        .store()
        .update(edit -> {
          edit.pending = null;
          if (!session.store().state().gaveUp(core)) {
            edit.abandoned.add(abandoned);
          }
        });
    return new ProtocolException(
        code,
        "the transfer "
            + core.hex()
            + " was given up before a quorum could sign it, and nothing was paid: "
            + reason.detail(),
        reason);
  }

  private CoinSpendVerdict verdict(TransferDraft draft, TxCore core, ProtocolException reason) {
    try {
      return lookUp.verdict(draft.plan().cc());
    } catch (ProtocolException | WalletException e) {
      throw stillInFlight(core, reason, "the authorities cannot be asked for it right now", e);
    }
  }

  private static WalletException stillInFlight(
      TxCore core, ProtocolException reason, String detail, RuntimeException cause) {
    return new WalletException(
        WalletError.TRANSFER_IN_FLIGHT,
        "the transfer "
            + core.hex()
            + " waits: the rules in force refuse it ("
            + reason.code().code()
            + ": "
            + reason.detail()
            + ") and "
            + detail
            + "; until it is finished or given up its compliance coin, and so the balance, cannot"
            + " be used for anything else",
        cause);
  }
}
