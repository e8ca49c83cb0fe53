package io.solidus.wallet.transfer;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.wallet.model.OwnedCoin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The purpose of a transfer: payment, claim, withdrawal.
 *
 * @param recipient the wallet's own address when nothing is paid
 * @param payoutBlock sealed payout instruction; null when nothing is withdrawn
 */
public record TransferIntent(
    Amount paid,
    Address recipient,
    Amount withdrawn,
    List<OwnedCoin> inputs,
    byte @Nullable [] payoutBlock,
    String reference) {
  public TransferIntent {
    inputs = List.copyOf(inputs);
  }

  public static TransferIntent payment(
      Address recipient, Amount paid, List<OwnedCoin> inputs, String reference) {
    return new TransferIntent(paid, recipient, Amount.ZERO, inputs, null, reference);
  }

  public static TransferIntent claim(Address self, List<OwnedCoin> inputs) {
    return new TransferIntent(Amount.ZERO, self, Amount.ZERO, inputs, null, "");
  }

  /** The same transfer with a withdrawal. */
  public TransferIntent withPayout(Amount amount, byte[] sealedInstruction) {
    return new TransferIntent(paid, recipient, amount, inputs, sealedInstruction, reference);
  }
}
