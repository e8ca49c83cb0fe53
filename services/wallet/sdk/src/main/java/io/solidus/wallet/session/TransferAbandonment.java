package io.solidus.wallet.session;

import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.AbandonedTransfer;
import io.solidus.wallet.model.ProvedUnder;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.TransferDraft;

/**
 * Gives up a transfer whose rules expired before any validator held it, so that the balance is free
 * again. Otherwise a gateway that is unavailable at the end of a month would lock the balance for
 * ever.
 *
 * <p>It takes signatures of 2f+1 authorities for a nonce that is drawn here, after the transfer was
 * last sent: that its coin is free, with floors above all rules that the transfer was ever proved
 * under. Such an authority never takes the transfer, unless f+1 votes carry it. At most f honest
 * ones are left, so its successor finds 2f+1, whatever a gateway withholds and delivers later.
 * Without floors a gateway could withhold the transfer, say that its rules expired, pass on the
 * truth that the coin is free, and deliver the transfer to half of the authorities while they still
 * take it.
 *
 * <p>Why this never spends twice: the abandoned core and its successor spend the same compliance
 * coin, so they have the same lead serial number. A correct validator reserves a serial number for
 * one core, for ever, and any two quorums of 2f+1 share a correct validator. So at most one of the
 * two cores is ever signed. If that is the abandoned core, its successor gets a serial conflict,
 * and the wallet follows the chain and finishes the abandoned core.
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
   * Abandons the transfer in flight if 2f+1 authorities signed that they never take it.
   *
   * @return the exception to throw: the reason of the abandonment; serial-conflict when authorities
   *     hold another transfer of this wallet from the coin; {@code transfer-in-flight} when the
   *     transfer stays in flight
   */
  RuntimeException resolve(TransferDraft draft, ProtocolException reason) {
    TxCore core = draft.statement().core(session.network());
    CoinSpendVerdict verdict = verdict(draft, core, reason);
    if (!verdict.unspent() && verdict.own().stream().anyMatch(own -> !own.core().equals(core))) {
      return new ProtocolException(
          RejectionCode.SERIAL_CONFLICT,
          "another transfer of this wallet spends the compliance coin",
          reason);
    }
    if (!verdict.unspent()) {
      return stillInFlight(
          core,
          reason,
          "authorities hold it, or too few authorities signed that its coin is free",
          reason);
    }
    if (!isRefusedForGood(verdict, draft.statement().period())) {
      return stillInFlight(
          core,
          reason,
          "authorities still take what was proved under the former rules; it can be given up when"
              + " their grace time is over",
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

  /** Whether 2f+1 authorities for which the coin is free promised to take none of the evidence. */
  private boolean isRefusedForGood(CoinSpendVerdict verdict, Period period) {
    WalletState state = session.store().state();
    ProvedUnder proved =
        state.requireProvedUnder().notAbove(state.policyMark(), state.checkpointMark());
    return verdict.free().values().stream()
            .filter(
                floors -> !floors.admit(proved.policyVersion(), proved.checkpointVersion(), period))
            .count()
        >= session.platform().committee().quorum();
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
