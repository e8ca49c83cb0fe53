package io.solidus.wallet.session;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.transfer.CoinSelection;
import io.solidus.wallet.transfer.FinishedTransfer;
import io.solidus.wallet.transfer.PayoutEnvelope;
import io.solidus.wallet.transfer.TransferIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Payments and withdrawals in an unregulated network. Every coin is spendable as it is: there are
 * no claims, no limits and no rules to fetch. A payment that needs more than two coins merges the
 * largest ones first.
 */
@Spec("W-13")
public final class UnregulatedPayments implements Payments {
  private final WalletSession session;
  private final UnregulatedRunner runner;
  private final CoinWalker walker;

  public UnregulatedPayments(WalletSession session, UnregulatedRunner runner, CoinWalker walker) {
    this.session = session;
    this.runner = runner;
    this.walker = walker;
  }

  @Override
  public Optional<FinishedTransfer> settle() {
    TransferRequest pending = session.store().state().pending();
    if (pending == null) {
      return Optional.empty();
    }
    walker.requireLookUp();
    TxCore core = pending.statement().core(session.network());
    try {
      return Optional.of(orCatchUp(runner::finish));
    } catch (ProtocolException e) {
      throw session.store().state().pending() == null ? e : PaymentService.stillInFlight(core, e);
    }
  }

  @Override
  public List<FinishedTransfer> pay(
      @Nullable String paymentId, Address to, Amount amount, String reference) {
    return pay(paymentId, null, PaymentRequest.of(to), amount, reference);
  }

  @Override
  public List<FinishedTransfer> pay(@Nullable String paymentId, PaymentRequest request) {
    PaymentRequest.Price price = PaymentService.requirePrice(session, request);
    return paymentId == null
        ? pay(request.paymentId(), request.id(), request, price.amount(), request.paymentText())
        : pay(paymentId, null, request, price.amount(), request.paymentText());
  }

  private List<FinishedTransfer> pay(
      @Nullable String paymentId,
      @Nullable RequestToken id,
      PaymentRequest request,
      Amount amount,
      String reference) {
    Address to = request.payee();
    PaymentService.requirePayment(session, to, amount);
    Optional<FinishedTransfer> before =
        PaymentService.made(session, paymentId, id, to, amount, reference);
    if (before.isPresent()) {
      return List.of(before.get());
    }
    PaymentService.requireNotExpired(session, request);
    prepare();
    before = PaymentService.made(session, paymentId, id, to, amount, reference);
    if (before.isPresent()) { // only the walk has finished it
      return List.of(before.get());
    }
    return spend(
        amount, paymentId, inputs -> TransferIntent.payment(to, amount, inputs, reference));
  }

  @Override
  public BulkTurn bulkTurn() {
    session.gatewayInfo();
    walker.requireKnown();
    return new BulkTurn() {
      @Override
      public boolean isListed(Apk payee) {
        return false;
      }

      @Override
      public int payees() {
        return 1;
      }

      @Override
      public boolean isDenied() {
        return false;
      }

      @Override
      public int transfers(List<BulkLine> lines) {
        requireFunds(
            lines.stream().map(line -> line.order().amount()).reduce(Amount.ZERO, Amount::plus));
        return lines.size();
      }

      @Override
      public void pay(BulkTag tag, List<BulkLine> lines) {
        payLine(tag, lines.getFirst());
      }
    };
  }

  private void payLine(BulkTag tag, BulkLine line) {
    Amount needed = line.order().amount();
    requireFunds(needed);
    List<OwnedCoin> coins = session.store().state().coins();
    BulkLines number = new BulkLines(tag, List.of(line.number()));
    run(
        CoinSelection.covering(coins, needed)
            .map(inputs -> TransferIntent.payments(List.of(line.order()), inputs, number))
            .orElseGet(() -> TransferIntent.claim(session.address(), CoinSelection.largest(coins))),
        null);
  }

  @Override
  public List<FinishedTransfer> withdraw(Amount amount, PayoutInstruction payout) {
    if (amount.isZero()) {
      throw ProtocolException.malformed("the amount of a withdrawal must be more than zero");
    }
    prepare();
    byte[] block =
        PayoutEnvelope.seal(session.services().redemptionKey(), session.network(), payout);
    return spend(
        amount,
        null,
        inputs -> TransferIntent.claim(session.address(), inputs).withPayout(amount, block));
  }

  @Override
  public FinishedTransfer payWithSurplus(
      Address to, Amount amount, String reference, PayoutInstruction payout) {
    throw unlimited();
  }

  @Override
  public Optional<FinishedTransfer> claim() {
    throw unlimited();
  }

  @Override
  public Optional<FinishedTransfer> claimWithSurplus(PayoutInstruction payout) {
    throw unlimited();
  }

  private static WalletException unlimited() {
    return new WalletException(
        WalletError.NOT_SUPPORTED,
        "an unregulated network has no holding limit: every coin is spendable without a claim");
  }

  private void prepare() {
    session.gatewayInfo();
    walker.requireFree();
  }

  private List<FinishedTransfer> spend(
      Amount needed, @Nullable String paymentId, Function<List<OwnedCoin>, TransferIntent> intent) {
    requireFunds(needed);
    List<FinishedTransfer> done = new ArrayList<>();
    while (true) {
      List<OwnedCoin> coins = session.store().state().coins();
      Optional<List<OwnedCoin>> inputs = CoinSelection.covering(coins, needed);
      if (inputs.isPresent()) {
        done.add(run(intent.apply(inputs.get()), paymentId));
        return done;
      }
      done.add(run(TransferIntent.claim(session.address(), CoinSelection.largest(coins)), null));
    }
  }

  private void requireFunds(Amount needed) {
    if (session.store().state().unclaimed().compareTo(needed) < 0) {
      throw new ProtocolException(
          RejectionCode.INSUFFICIENT_FUNDS, "the wallet holds less than the amount");
    }
  }

  private FinishedTransfer run(TransferIntent intent, @Nullable String paymentId) {
    Set<FieldElement> before = rhos(session.store().state());
    FinishedTransfer finished = orCatchUp(() -> runner.run(intent, paymentId));
    session.store().state().coins().stream()
        .filter(coin -> !before.contains(coin.rho()))
        .forEach(walker::made);
    return finished;
  }

  private static Set<FieldElement> rhos(WalletState state) {
    return state.coins().stream().map(OwnedCoin::rho).collect(Collectors.toSet());
  }

  /**
   * Runs the step. On a conflict over a coin, follows the transfers that authorities hold, also
   * those of another copy of this wallet.
   */
  private FinishedTransfer orCatchUp(Supplier<FinishedTransfer> step) {
    try {
      return step.get();
    } catch (ProtocolException e) {
      TransferRequest pending = session.store().state().pending();
      if (e.code() != RejectionCode.SERIAL_CONFLICT || pending == null) {
        throw e;
      }
      TxCore core = pending.statement().core(session.network());
      walker.requireLookUp();
      walker.catchUp();
      WalletState now = session.store().state();
      Optional<FinishedTransfer> finished = PaymentService.finished(now, core);
      if (finished.isEmpty() && now.pending() != null) {
        throw e;
      }
      return finished.orElseThrow(() -> PaymentService.overtaken(e));
    }
  }
}
