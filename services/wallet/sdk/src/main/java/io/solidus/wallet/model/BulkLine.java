package io.solidus.wallet.model;

import io.solidus.protocol.TxCore;
import org.jspecify.annotations.Nullable;

/**
 * One line of a list of payments.
 *
 * @param number from 1
 * @param core of the transfer that pays it; null while none does
 * @param payee the place of the line's payee in this transfer, from 0
 * @param delivered whether the payee's coin was posted to the mailbox
 */
public record BulkLine(
    int number,
    PaymentOrder order,
    State state,
    @Nullable TxCore core,
    int payee,
    boolean delivered) {
  public enum State {
    /** Not paid. */
    OPEN,
    /** A transfer that pays it was sent, and its outcome is not known. */
    IN_FLIGHT,
    /** Paid, once and for all. */
    PAID,
    /** Not paid: the payee's address is on the sanction list in force. */
    LISTED,
    /** A recover burnt the transfer that paid it: the payee may have been paid. */
    BURNT
  }

  static BulkLine open(int number, PaymentOrder order) {
    return new BulkLine(number, order, State.OPEN, null, 0, false);
  }

  BulkLine with(State next) {
    return new BulkLine(number, order, next, core, payee, delivered);
  }
}
