package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What became of a list of payments.
 *
 * @param lines in the order of the list
 */
public record BulkStatus(List<BulkLine> lines) {
  public BulkStatus {
    lines = List.copyOf(lines);
  }

  /**
   * The status as of a wallet's state. {@link BulkLine.State#LISTED} is not known from it.
   *
   * @param inFlight the memo of the transfer in flight; null when none is
   * @param inFlightCore its core; null when none is
   * @throws ProtocolException idempotency-mismatch when another list has this name
   */
  public static BulkStatus of(
      WalletState state,
      BulkTag tag,
      List<PaymentOrder> orders,
      @Nullable Memo inFlight,
      @Nullable TxCore inFlightCore) {
    List<BulkLine> lines = new ArrayList<>();
    for (PaymentOrder order : orders) {
      lines.add(BulkLine.open(lines.size() + 1, order));
    }
    requireSameList(state, tag, orders.size(), inFlight);
    Set<String> burnt = state.burntNames();
    lines.replaceAll(line ->
        burnt.contains(BulkLines.name(tag, line.number()))
            ? line.with(BulkLine.State.BURNT)
            : line);
    if (inFlight != null && inFlightCore != null) {
      place(lines, tag, inFlight, inFlightCore, BulkLine.State.IN_FLIGHT, payee -> false);
    }
    Set<List<Integer>> waiting = new HashSet<>();
    state.deliveries().stream()
        .filter(PendingDelivery::isWaiting)
        .forEach(delivery -> waiting.add(List.of(delivery.transfer(), delivery.payee())));
    for (int i = 0; i < state.transfers().size(); i++) {
      TransferRecord record = state.transfers().get(i);
      int index = i;
      place(
          lines,
          tag,
          record.memo(),
          record.core(),
          BulkLine.State.PAID,
          payee -> !waiting.contains(List.of(index, payee)));
    }
    return new BulkStatus(lines);
  }

  /**
   * Requires that no other list was begun under this name, by transfers and by the names that the
   * file keeps: of a transfer that a recover burnt it has nothing else. What was given up paid
   * nothing, and is among the transfers if it is finished after all.
   */
  private static void requireSameList(
      WalletState state, BulkTag tag, int lines, @Nullable Memo inFlight) {
    List<BulkLines> others =
        state.transfers().stream()
            .flatMap(record -> Stream.ofNullable(record.memo().bulk()))
            .filter(paid -> isAnother(paid, tag, lines))
            .toList();
    BulkLines pending = inFlight == null ? null : inFlight.bulk();
    Set<TxCore> givenUp =
        state.abandoned().stream()
            .map(AbandonedTransfer::core)
            .filter(core -> !state.burnt(core))
            .collect(Collectors.toSet());
    if (others.isEmpty()
        && (pending == null || !isAnother(pending, tag, lines))
        && state.paymentIds().stream()
            .filter(name -> BulkLines.isOfAnotherList(name.id(), tag))
            .allMatch(name -> givenUp.contains(name.core()))) {
      return;
    }
    List<Integer> paid = others.stream().flatMap(one -> one.numbers().stream()).sorted().toList();
    throw new ProtocolException(
        RejectionCode.IDEMPOTENCY_MISMATCH,
        "another list of payments was begun under this id"
            + (paid.isEmpty()
                ? ""
                : ", and payments " + BulkDoubts.shown(paid) + " of the list are paid there")
            + ": give that list as it was, and under another id only what it does not pay");
  }

  private static boolean isAnother(BulkLines paid, BulkTag tag, int lines) {
    return paid.tag().hasSameName(tag)
        && (!paid.tag().equals(tag) || paid.numbers().stream().anyMatch(number -> number > lines));
  }

  private static void place(
      List<BulkLine> lines,
      BulkTag tag,
      Memo memo,
      TxCore core,
      BulkLine.State state,
      Predicate<Integer> delivered) {
    BulkLines paid = memo.bulk();
    if (paid == null || !paid.tag().equals(tag)) {
      return;
    }
    for (int payee = 0; payee < paid.numbers().size(); payee++) {
      int number = paid.numbers().get(payee);
      lines.set(
          number - 1,
          new BulkLine(
              number, lines.get(number - 1).order(), state, core, payee, delivered.test(payee)));
    }
  }

  /** The same, with those open lines marked whose payee is on a list. */
  public BulkStatus listed(Predicate<Apk> listed) {
    return new BulkStatus(
        lines.stream()
            .map(line ->
                line.state() == BulkLine.State.OPEN && listed.test(line.order().to().apk())
                    ? line.with(BulkLine.State.LISTED)
                    : line)
            .toList());
  }

  /** Whether a line to this payee is marked as listed. */
  public boolean isListed(Apk payee) {
    return lines(BulkLine.State.LISTED).stream()
        .anyMatch(line -> line.order().to().apk().equals(payee));
  }

  public List<BulkLine> lines(BulkLine.State state) {
    return lines.stream().filter(line -> line.state() == state).toList();
  }

  /** The sum of the lines in this state. */
  public Amount sum(BulkLine.State state) {
    return lines(state).stream()
        .map(line -> line.order().amount())
        .reduce(Amount.ZERO, Amount::plus);
  }

  /** Whether nothing can be done for any line: each is paid, listed or burnt. */
  public boolean isFinished() {
    return lines.stream()
        .noneMatch(line ->
            line.state() == BulkLine.State.OPEN || line.state() == BulkLine.State.IN_FLIGHT);
  }
}
