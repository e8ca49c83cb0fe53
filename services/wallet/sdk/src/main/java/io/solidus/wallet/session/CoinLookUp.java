package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Looks up, through the gateway, whether a compliance coin of this wallet is spent and by which
 * transfers.
 */
final class CoinLookUp {
  private final WalletSession session;

  CoinLookUp(WalletSession session) {
    this.session = session;
  }

  CoinSpendVerdict verdict(ComplianceCoin coin) {
    SerialNumber serial = session.factory().serial(coin.rho());
    return CoinSpendVerdict.of(
        session.gateway().coinStates(List.of(serial)).getFirst(),
        session.platform().committee(),
        request -> counter(coin, request));
  }

  /** The counter of the request's memo; empty when the request is not this wallet's. */
  private OptionalInt counter(ComplianceCoin coin, TransferRequest request) {
    Optional<TransferDraft> opened = session.factory().reopen(coin, request);
    if (opened.isEmpty()) {
      return OptionalInt.empty();
    }
    try (TransferDraft draft = opened.get()) {
      return OptionalInt.of(draft.memo().counter());
    }
  }
}
