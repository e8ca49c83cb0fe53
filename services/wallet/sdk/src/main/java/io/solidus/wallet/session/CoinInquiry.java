package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.transfer.TransferDraft;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Asks the authorities, through the gateway, what became of a compliance coin of this wallet. */
final class CoinInquiry {
  private final WalletSession session;

  CoinInquiry(WalletSession session) {
    this.session = session;
  }

  Finding ask(ComplianceCoin coin) {
    SerialNumber serial = session.factory().serial(coin.rho());
    return Finding.of(
        session.gateway().coinStates(List.of(serial)).getFirst(),
        session.platform().committee(),
        request -> counter(coin, request));
  }

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
