package io.solidus.wallet.transfer;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PaymentOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The purpose of a transfer: payments, claim, withdrawal.
 *
 * @param payees the wallet's own address with an amount of zero when nothing is paid
 * @param payoutBlock sealed payout instruction; null when nothing is withdrawn
 * @param bulk the lines of a list of payments that it pays; null for none
 */
public record TransferIntent(
    List<PaymentOrder> payees,
    Amount withdrawn,
    List<OwnedCoin> inputs,
    byte @Nullable [] payoutBlock,
    @Nullable BulkLines bulk) {
  public TransferIntent {
    payees = List.copyOf(payees);
    inputs = List.copyOf(inputs);
  }

  public static TransferIntent payment(
      Address recipient, Amount paid, List<OwnedCoin> inputs, String reference) {
    return new TransferIntent(
        List.of(new PaymentOrder(recipient, paid, reference)), Amount.ZERO, inputs, null, null);
  }

  /** Payments of lines of a list. */
  public static TransferIntent payments(
      List<PaymentOrder> payees, List<OwnedCoin> inputs, BulkLines bulk) {
    return new TransferIntent(payees, Amount.ZERO, inputs, null, bulk);
  }

  public static TransferIntent claim(Address self, List<OwnedCoin> inputs) {
    return payment(self, Amount.ZERO, inputs, "");
  }

  /** The same transfer with a withdrawal. */
  public TransferIntent withPayout(Amount amount, byte[] sealedInstruction) {
    return new TransferIntent(payees, amount, inputs, sealedInstruction, bulk);
  }

  /** The amount of each payment. */
  public List<Amount> amounts() {
    return payees.stream().map(PaymentOrder::amount).toList();
  }
}
