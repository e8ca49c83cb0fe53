package io.solidus.wallet.session;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.transfer.FinishedTransfer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a wallet does with its money, in the way of its network's kind. */
public interface Payments {
  /**
   * Finishes the transfer in flight, or follows the transfers that another copy of this wallet
   * made.
   *
   * @return the transfer; empty when none was in flight, or it was given up
   * @throws ProtocolException the refusal of a transfer that stays in flight
   * @throws WalletException {@code transfer-in-flight} when the outcome is still not known
   */
  Optional<FinishedTransfer> settle();

  /**
   * Pays; the transfers that were made, the payment last.
   *
   * @param paymentId the application's name of the payment, which is made once; null for none
   * @throws WalletException {@code foreign-mailbox} when the payee's mailbox is none of the
   *     network's
   * @throws ProtocolException idempotency-mismatch when another payment has this name
   */
  List<FinishedTransfer> pay(
      @Nullable String paymentId, Address to, Amount amount, String reference);

  /**
   * Pays a request; the transfers that were made, the payment last.
   *
   * @param paymentId the application's name of the payment; null for the request's own, under which
   *     it is made once
   * @throws WalletException {@code request-expired}, {@code network-mismatch} for another currency,
   *     or {@code foreign-mailbox}
   * @throws ProtocolException malformed-request when the request names no amount;
   *     idempotency-mismatch when another payment has this name
   */
  List<FinishedTransfer> pay(@Nullable String paymentId, PaymentRequest request);

  /**
   * As {@link #pay(String, Address, Amount, String)}, but claims two coins whatever the holding
   * limit and withdraws the surplus above it in the same transfer.
   */
  FinishedTransfer payWithSurplus(
      Address to, Amount amount, String reference, PayoutInstruction payout);

  /**
   * Begins with payments of a list: fetches the rules in force, and follows the transfers that
   * another copy of this wallet made.
   */
  BulkTurn bulkTurn();

  /** Withdraws; the transfers that were made, the withdrawal last. */
  List<FinishedTransfer> withdraw(Amount amount, PayoutInstruction payout);

  /** Claims up to two received coins; empty when there is none. */
  Optional<FinishedTransfer> claim();

  /** Claims two coins whatever the holding limit and withdraws the surplus above it. */
  Optional<FinishedTransfer> claimWithSurplus(PayoutInstruction payout);
}
