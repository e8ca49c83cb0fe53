package io.solidus.wallet.model;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memo that a wallet seals to itself in every transfer. With the seed phrase and the spent
 * compliance coin, the memo and the public statement restore the transfer, the successor coin, and
 * the coin or payout that still has to be delivered.
 *
 * @param counter counter of the derived randomness
 * @param atMillis time of the transfer for the history, in milliseconds since 1970
 * @param payees those that it pays, at most eight; the wallet itself with an amount of zero when
 *     nothing is paid
 * @param inputs received coins claimed: at most two, in a claim of 16 at most 16
 * @param unfinished number of the transfers before this one back to the oldest whose coin was not
 *     delivered or whose payout was not requested
 * @param bulk which lines of a list of payments it pays; null when they are of none
 */
public record Memo(
    int counter,
    long atMillis,
    List<PaymentOrder> payees,
    Amount withdrawn,
    List<SpentInput> inputs,
    int unfinished,
    @Nullable BulkLines bulk) {
  public static final int MAX_INPUTS = 16;
  public static final int MAX_PAYEES = 8;
  public static final int MAX_REFERENCE_BYTES = 140;
  public static final int MAX_COUNTER = 0xffff;

  public Memo {
    payees = List.copyOf(payees);
    inputs = List.copyOf(inputs);
    if (payees.isEmpty() || payees.size() > MAX_PAYEES) {
      throw new IllegalArgumentException("a transfer has 1 to 8 payees");
    }
    if (bulk != null && bulk.numbers().size() != payees.size()) {
      throw new IllegalArgumentException("a transfer pays one payee for each line");
    }
    if (inputs.size() > MAX_INPUTS) {
      throw new IllegalArgumentException("a transfer claims at most 16 coins");
    }
    if (counter < 0 || counter > MAX_COUNTER || unfinished < 0) {
      throw new IllegalArgumentException("a memo's counters are not negative");
    }
  }

  /** The memo of a transfer with one payee, which is of no list. */
  public Memo(
      int counter,
      long atMillis,
      Amount paid,
      Address recipient,
      Amount withdrawn,
      List<SpentInput> inputs,
      int unfinished,
      String reference) {
    this(
        counter,
        atMillis,
        List.of(new PaymentOrder(recipient, paid, reference)),
        withdrawn,
        inputs,
        unfinished,
        null);
  }

  /** What all payees together get; zero for a claim or a withdrawal. */
  public Amount paid() {
    return payees.stream().map(PaymentOrder::amount).reduce(Amount.ZERO, Amount::plus);
  }

  /** The first payee, or the wallet itself when nothing is paid. */
  public Address recipient() {
    return payees.getFirst().to();
  }

  /** The text for the first payee. */
  public String reference() {
    return payees.getFirst().reference();
  }

  public Amount claimed() {
    return inputs.stream().map(SpentInput::value).reduce(Amount.ZERO, Amount::plus);
  }
}
