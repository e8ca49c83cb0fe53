package io.solidus.wallet;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.CoinSelection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves a wallet's balance to an address of fresh keys, in as few payments as the limits allow.
 *
 * <p>It keeps no record of its own: each step pays what the wallet has at that moment, so one that
 * was cut off goes on when it is run again.
 */
@Spec("W-17")
final class RetirementRun {
  private static final String REFERENCE = "retired wallet";

  /** Limits that stop it. What it has moved by then is moved. */
  private static final Set<RejectionCode> LIMITS =
      EnumSet.of(
          RejectionCode.OVER_LIMIT_PERIOD,
          RejectionCode.OVER_LIMIT_COUNT,
          RejectionCode.OVER_LIMIT_HELD);

  private final Wallet wallet;
  private final Supplier<WalletState> state;
  private final Address next;
  private final List<Payment> payments = new ArrayList<>();

  RetirementRun(Wallet wallet, Supplier<WalletState> state, Address next) {
    this.wallet = wallet;
    this.state = state;
    this.next = next;
  }

  Retirement run() {
    if (next.apk().equals(wallet.address().apk())) {
      throw ProtocolException.malformed("the fresh keys are those of another phrase");
    }
    wallet.settle();
    // what the file has goes first: it needs neither the mailbox nor the issuer
    RejectionCode refusal = payAll();
    wallet.receiveWhole();
    collectMints();
    if (refusal == null) {
      refusal = payAll();
    }
    return new Retirement(
        payments, wallet.balance().total(), refusal, wallet.pendingMints().size());
  }

  private void collectMints() {
    wallet
        .pendingMints()
        .forEach(mint -> {
          try {
            wallet.collectMint(mint);
          } catch (ProtocolException | WalletException e) {
            // refused, unknown to the issuer, or not reached: what is still open is counted
          }
        });
  }

  /** Pays until nothing is left, or a limit refuses. */
  private @Nullable RejectionCode payAll() {
    RejectionCode refusal = null;
    while (refusal == null && !wallet.balance().total().isZero()) {
      refusal = payOnce();
    }
    return refusal;
  }

  /** The limit that refused the payment; null when it was made. */
  private @Nullable RejectionCode payOnce() {
    Amount before = wallet.balance().total();
    try {
      payments.add(wallet.pay(next, share(), REFERENCE));
      return null;
    } catch (ProtocolException e) {
      if (e.code() == RejectionCode.INSUFFICIENT_FUNDS
          && !wallet.balance().total().equals(before)) {
        return null; // another copy had paid, which this one knows now
      }
      if (!LIMITS.contains(e.code())) {
        throw e;
      }
      return e.code();
    }
  }

  /** What one transfer can move: the balance and two coins, up to the limit for one payment. */
  private Amount share() {
    WalletState now = state.get();
    if (wallet.profile().kind() == NetworkKind.UNREGULATED) {
      return now.unclaimed();
    }
    Amount available = now.held().plus(OwnedCoin.total(CoinSelection.largest(now.coins())));
    Limits limits = wallet.limits();
    // a period without anything left refuses the payment, and so names the limit
    Amount most = limits.largestPayment().isZero() ? limits.perTransfer() : limits.largestPayment();
    return available.compareTo(most) < 0 ? available : most;
  }
}
