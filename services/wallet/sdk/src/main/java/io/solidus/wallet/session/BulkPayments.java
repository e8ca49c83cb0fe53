package io.solidus.wallet.session;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.BulkDoubts;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkPlan;
import io.solidus.wallet.model.BulkStatus;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentId;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.BulkPlanner;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Pays lists of payments, several with one proof where the network has it. What is paid is known
 * from the transfers themselves, so a list is continued where it ended, whatever ended it.
 */
public final class BulkPayments {
  private final WalletSession session;
  private final MailboxClient mailbox;
  private final Payments payments;

  public BulkPayments(WalletSession session, MailboxClient mailbox, Payments payments) {
    this.session = session;
    this.mailbox = mailbox;
    this.payments = payments;
  }

  /**
   * What paying the open lines takes; nothing is paid.
   *
   * @throws ProtocolException as {@link #pay}
   */
  public BulkPlan plan(String id, List<PaymentOrder> orders) {
    requireValid(id, orders);
    BulkStatus known = status(id, orders);
    if (known.isFinished()) {
      return new BulkPlan(known, 0, 1, false, BulkDoubts.NONE);
    }
    BulkTurn turn = payments.bulkTurn();
    BulkStatus now = status(id, orders).listed(turn::isListed);
    List<BulkLine> open = now.lines(BulkLine.State.OPEN);
    return new BulkPlan(
        now,
        open.isEmpty() ? 0 : turn.transfers(open),
        turn.payees(),
        turn.isDenied(),
        doubts(BulkTag.of(id, orders), open));
  }

  private BulkDoubts doubts(BulkTag tag, List<BulkLine> open) {
    return BulkDoubts.of(session.store().state(), tag, open, session.options().clock().millis());
  }

  /**
   * Pays the open lines, but none whose payee is listed, and posts each payee's coin.
   *
   * @param confirmed doubts that the owner saw: lines are paid in spite of these, and of no others
   * @param after is called after each transfer
   * @return with the listed lines marked
   * @throws WalletException payments-repeated when there are other doubts before a transfer
   * @throws ProtocolException idempotency-mismatch when another list was begun under this id; a
   *     limit or insufficient-funds, before anything is paid; the refusal of a transfer
   */
  @Spec("W-50")
  public BulkStatus pay(
      String id, List<PaymentOrder> orders, BulkDoubts confirmed, Consumer<BulkStatus> after) {
    requireValid(id, orders);
    BulkTag tag = BulkTag.of(id, orders);
    boolean planned = false;
    while (true) {
      BulkStatus known = status(id, orders);
      if (known.isFinished()) {
        return known;
      }
      BulkTurn turn = payments.bulkTurn();
      BulkStatus now = status(id, orders).listed(turn::isListed); // a walk may have paid some
      List<BulkLine> open = now.lines(BulkLine.State.OPEN);
      if (open.isEmpty()) {
        return now;
      }
      doubts(tag, open).requireAmong(confirmed);
      if (!planned) {
        turn.transfers(open);
        planned = true;
      }
      turn.pay(tag, open.subList(0, BulkPlanner.next(open.size(), turn.payees())));
      mailbox.deliver();
      after.accept(status(id, orders).listed(turn::isListed));
    }
  }

  /**
   * What became of the lines, as of the wallet's file.
   *
   * @throws ProtocolException idempotency-mismatch when another list was begun under this id
   */
  public BulkStatus status(String id, List<PaymentOrder> orders) {
    WalletState state = session.store().state();
    TransferRequest pending = state.pending();
    Memo inFlight = pending == null ? null : session.factory().memo(pending).orElse(null);
    TxCore core = pending == null ? null : pending.statement().core(session.network());
    return BulkStatus.of(state, BulkTag.of(id, orders), orders, inFlight, core);
  }

  private void requireValid(String id, List<PaymentOrder> orders) {
    if (!PaymentId.isValid(id)) {
      throw PaymentService.invalidId();
    }
    if (orders.isEmpty() || orders.size() > BulkLines.MAX_LINES) {
      throw ProtocolException.malformed(
          "a list of payments has 1 to " + BulkLines.MAX_LINES + " lines");
    }
    IntStream.range(0, orders.size())
        .forEach(i -> {
          PaymentOrder order = orders.get(i);
          if (order.to().apk().equals(session.factory().apk())) {
            throw ProtocolException.malformed(place(i) + "it is to this wallet itself");
          }
          try {
            PaymentService.requirePayment(session, order.to(), order.amount());
          } catch (ProtocolException e) {
            throw new ProtocolException(e.code(), place(i) + e.detail(), e);
          } catch (WalletException e) {
            throw new WalletException(e.error(), place(i) + e.getMessage(), e);
          }
        });
  }

  private static String place(int index) {
    return "payment " + (index + 1) + " of the list: ";
  }
}
