package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
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

  /**
   * The verdict on a coin, and what else spends it.
   *
   * @param recovers of this wallet with the coin as their lead, the one with most below it first
   */
  record Spent(CoinSpendVerdict verdict, List<ShownRecover> recovers) {
    Spent {
      recovers = List.copyOf(recovers);
    }
  }

  Spent spent(ComplianceCoin coin) {
    SignedAnswers answers = ask(coin);
    return new Spent(
        verdict(coin, answers), ShownRecover.of(session, answers.serial(), answers.recovers()));
  }

  CoinSpendVerdict verdict(ComplianceCoin coin) {
    return verdict(coin, ask(coin));
  }

  private SignedAnswers ask(ComplianceCoin coin) {
    return signed.ask(List.of(session.factory().serial(coin.rho()))).getFirst();
  }

  private CoinSpendVerdict verdict(ComplianceCoin coin, SignedAnswers answers) {
    return CoinSpendVerdict.of(
        answers, session.platform().committee(), request -> made(coin, request));
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
