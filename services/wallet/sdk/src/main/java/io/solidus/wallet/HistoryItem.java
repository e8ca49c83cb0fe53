package io.solidus.wallet;

import io.solidus.protocol.Amount;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.AbandonedTransfer;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RecoverMemo;
import io.solidus.wallet.model.RecoverRecord;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of a wallet's history.
 *
 * @param atMillis milliseconds since 1970, by the clock of the sender for a received coin
 * @param amount by kind: paid, withdrawn, claimed, received or minted; for an abandoned transfer
 *     the amount that would have left the wallet; for a recover what it burnt, which may have been
 *     paid
 * @param core of this wallet's transfer or recover; null for a received or minted coin
 * @param payee the place of the payee among those of the transfer, from 0; 0 for anything but a
 *     payment
 * @param reference the payer's text; may be empty
 */
public record HistoryItem(
    Kind kind, long atMillis, Amount amount, @Nullable TxCore core, int payee, String reference) {
  public enum Kind {
    PAID,
    WITHDRAWN,
    CLAIMED,
    ABANDONED,
    RECOVERED,
    RECEIVED,
    MINTED
  }

  static List<HistoryItem> of(WalletState state) {
    boolean claims = state.profile().kind() == NetworkKind.REGULATED;
    Stream<HistoryItem> incoming =
        state.receivedCoins().stream()
            .filter(received -> claims || received.origin() != Origin.OWN) // change
            .map(HistoryItem::of);
    Stream<HistoryItem> own =
        state.transfers().stream()
            .flatMap(HistoryItem::of)
            .filter(item -> claims || item.kind() != Kind.CLAIMED);
    Stream<HistoryItem> abandoned = state.abandoned().stream().map(HistoryItem::of);
    Stream<HistoryItem> recovers = state.recovers().stream().map(HistoryItem::of);
    return Stream.of(incoming, own, abandoned, recovers)
        .flatMap(items -> items)
        .sorted(Comparator.comparingLong(HistoryItem::atMillis))
        .toList();
  }

  private static HistoryItem of(ReceivedCoin received) {
    Kind kind = received.origin() == Origin.MINT ? Kind.MINTED : Kind.RECEIVED;
    return new HistoryItem(
        kind, received.atMillis(), received.value(), null, 0, received.reference());
  }

  /** No money moved: the amount is what would have left the wallet. */
  private static HistoryItem of(AbandonedTransfer transfer) {
    Memo memo = transfer.memo();
    return new HistoryItem(
        Kind.ABANDONED,
        memo.atMillis(),
        memo.paid().plus(memo.withdrawn()),
        transfer.core(),
        0,
        memo.reference());
  }

  private static HistoryItem of(RecoverRecord recover) {
    RecoverMemo memo = recover.memo();
    return new HistoryItem(Kind.RECOVERED, memo.atMillis(), memo.outflow(), recover.core(), 0, "");
  }

  /** One transfer can claim, pay each of its payees, and withdraw; each gives an item. */
  private static Stream<HistoryItem> of(TransferRecord transfer) {
    Memo memo = transfer.memo();
    List<HistoryItem> items = new ArrayList<>();
    items.add(item(transfer, Kind.CLAIMED, memo.claimed(), 0));
    for (int payee = 0; payee < memo.payees().size(); payee++) {
      items.add(item(transfer, Kind.PAID, memo.payees().get(payee).amount(), payee));
    }
    items.add(item(transfer, Kind.WITHDRAWN, memo.withdrawn(), 0));
    return items.stream().filter(item -> !item.amount().isZero());
  }

  private static HistoryItem item(TransferRecord transfer, Kind kind, Amount amount, int payee) {
    Memo memo = transfer.memo();
    return new HistoryItem(
        kind,
        memo.atMillis(),
        amount,
        transfer.core(),
        payee,
        memo.payees().get(payee).reference());
  }
}
