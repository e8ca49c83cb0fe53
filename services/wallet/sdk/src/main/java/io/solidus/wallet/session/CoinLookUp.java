package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks up, through the gateway, whether a compliance coin of this wallet is spent and by which
 * transfers.
 */
final class CoinLookUp {
  private static final int TIME_BITS = 44;
  private static final long LATEST = (1L << TIME_BITS) - 1;

  private final WalletSession session;
  private final SignedLookUp signed;

  CoinLookUp(WalletSession session) {
    this.session = session;
    this.signed = new SignedLookUp(session);
  }

  CoinSpendVerdict verdict(ComplianceCoin coin) {
    SerialNumber serial = session.factory().serial(coin.rho());
    return CoinSpendVerdict.of(
        signed.ask(List.of(serial)).getFirst(),
        session.platform().committee(),
        request -> made(coin, request));
  }

  /**
   * The place of the request among this wallet's transfers from the coin, by the counter and then
   * the time of its memo; empty when the request is not this wallet's.
   */
  private OptionalLong made(ComplianceCoin coin, TransferRequest request) {
    Optional<TransferDraft> opened = session.factory().reopen(coin, request);
    if (opened.isEmpty()) {
      return OptionalLong.empty();
    }
    try (TransferDraft draft = opened.get()) {
      Memo memo = draft.memo();
      long millis = Math.clamp(memo.atMillis(), 0, LATEST);
      return OptionalLong.of(((long) memo.counter() << TIME_BITS) + millis);
    }
  }
}
