package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why paying a list may pay somebody twice: who changed a list that was cut off half-way, and gave
 * it another name, would pay those again who were paid.
 *
 * @param paid open lines whose payee was paid lately: the same amount by another list, or the same
 *     amount with the same text by a payment of its own
 * @param burnt whether a recover burnt transfers lately of which this file does not know whom they
 *     paid: they may have paid who is in this list. Of a burnt transfer that had no name, such as a
 *     claim, the file keeps nothing, so it counts as well, and of one of another list only the name
 */
public record BulkDoubts(List<BulkLine> paid, boolean burnt) {
  /** How long ago a payment is taken for the same; shorter than a month, as wages are the same. */
  public static final Duration WINDOW = Duration.ofDays(21);

  public static final BulkDoubts NONE = new BulkDoubts(List.of(), false);

  /** Numbers in the message of a refusal. */
  private static final int MAX_SHOWN = 20;

  public BulkDoubts {
    paid = List.copyOf(paid);
  }

  /** A payment for comparison; without text where any text is the same. */
  private record Paid(Apk payee, Amount amount, @Nullable String reference) {}

  /**
   * The doubts as of a wallet's state.
   *
   * @param open lines of the list
   */
  public static BulkDoubts of(WalletState state, BulkTag tag, List<BulkLine> open, long nowMillis) {
    long since = nowMillis - WINDOW.toMillis();
    Set<Paid> paid = new HashSet<>();
    // what was given up may have been paid when a recover burnt it all the same
    Stream<Memo> memos =
        Stream.concat(
            state.transfers().stream().map(TransferRecord::memo),
            state.abandoned().stream()
                .filter(given -> state.burnt(given.core()))
                .map(AbandonedTransfer::memo));
    for (Memo memo : memos.toList()) {
      BulkLines lines = memo.bulk();
      if (memo.atMillis() > since && (lines == null || !lines.tag().equals(tag))) {
        memo.payees()
            .forEach(payee ->
                paid.add(
                    new Paid(
                        payee.to().apk(),
                        payee.amount(),
                        lines == null ? payee.reference() : null)));
      }
    }
    List<BulkLine> again =
        open.stream()
            .filter(line -> {
              PaymentOrder order = line.order();
              Apk payee = order.to().apk();
              return paid.contains(new Paid(payee, order.amount(), null))
                  || paid.contains(new Paid(payee, order.amount(), order.reference()));
            })
            .toList();
    return new BulkDoubts(again, !open.isEmpty() && burnt(state, tag, since));
  }

  private static boolean burnt(WalletState state, BulkTag tag, long since) {
    if (state.recovers().isEmpty()) {
      return false;
    }
    Set<TxCore> known = known(state, tag);
    return state.recovers().stream()
        .filter(recover -> recover.memo().atMillis() > since)
        .filter(recover -> !recover.memo().outflow().isZero())
        .anyMatch(recover -> !known.containsAll(recover.below()));
  }

  /**
   * Transfers of which the file knows whom they paid: by a name, or by their memos. The name of a
   * line of another list does not say whom it paid.
   */
  private static Set<TxCore> known(WalletState state, BulkTag tag) {
    Set<TxCore> known = new HashSet<>();
    state.paymentIds().forEach(named -> known.add(named.core()));
    state.paymentIds().stream()
        .filter(named -> BulkLines.isOfOtherTag(named.id(), tag))
        .forEach(named -> known.remove(named.core()));
    state.transfers().forEach(finished -> known.add(finished.core()));
    state.abandoned().forEach(given -> known.add(given.core()));
    return known;
  }

  public boolean isNone() {
    return paid.isEmpty() && !burnt;
  }

  /**
   * Requires that there is none.
   *
   * @throws WalletException {@code payments-repeated}
   */
  public void requireNone() {
    requireAmong(NONE);
  }

  /**
   * Requires that there are none but those that the owner confirmed. The chain may show others
   * since then, of which the owner knows nothing.
   *
   * @throws WalletException {@code payments-repeated}, which names the others
   */
  public void requireAmong(BulkDoubts confirmed) {
    Set<BulkLine> seen = Set.copyOf(confirmed.paid());
    new BulkDoubts(
            paid.stream().filter(line -> !seen.contains(line)).toList(),
            burnt && !confirmed.burnt())
        .refuse();
  }

  private void refuse() {
    if (!isNone()) {
      throw new WalletException(
          WalletError.PAYMENTS_REPEATED,
          paid.isEmpty()
              ? "a recover burnt transfers that may have paid lines of this list"
              : "already paid in the last "
                  + WINDOW.toDays()
                  + " days, the same amount to the same payee: payments "
                  + shown(paid.stream().map(BulkLine::number).toList())
                  + " of the list");
    }
  }

  /** The first numbers of many. */
  static String shown(List<Integer> numbers) {
    int more = numbers.size() - MAX_SHOWN;
    return numbers.stream().limit(MAX_SHOWN).map(String::valueOf).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
