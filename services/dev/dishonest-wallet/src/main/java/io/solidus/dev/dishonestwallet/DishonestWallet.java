package io.solidus.dev.dishonestwallet;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.session.MailboxClient;
import io.solidus.wallet.session.TransferRunner;
import io.solidus.wallet.session.UnregulatedRunner;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.session.WalletSession;
import io.solidus.wallet.store.WalletStore;
import io.solidus.wallet.transfer.CoinSelection;
import io.solidus.wallet.transfer.FinishedTransfer;
import io.solidus.wallet.transfer.PaymentPlan;
import io.solidus.wallet.transfer.TransferIntent;
import io.solidus.wallet.trust.Rules;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A wallet that tries to spend the same money twice, for tests and demonstrations. It uses a
 * wallet's file while no {@code Wallet} has it open. The file stays valid, because the first
 * payment is a correct one.
 */
public final class DishonestWallet implements AutoCloseable {
  private final WalletSession session;
  private final TransferRunner runner;

  private DishonestWallet(WalletSession session) {
    this.session = session;
    this.runner = new TransferRunner(session);
  }

  public static DishonestWallet open(
      Path path, char[] passphrase, WalletPlatform platform, WalletOptions options) {
    WalletStore store = WalletStore.open(path, passphrase);
    return new DishonestWallet(
        new WalletSession(store, platform, options, path.toAbsolutePath().getParent()));
  }

  /**
   * The result of the attempt.
   *
   * @param first the payment that was signed
   * @param refusal the rejection of the second payment
   */
  public record Outcome(FinishedTransfer first, ProtocolException refusal) {}

  /**
   * Pays one address, then sends a second, valid proof over the same compliance coin, or in an
   * unregulated network the same coins, that pays another.
   *
   * @throws IllegalStateException when the network signed both
   */
  public Outcome payTwice(Address first, Address second, Amount amount) {
    session.gatewayInfo();
    if (session.kind() == NetworkKind.UNREGULATED) {
      return payTwiceUnregulated(first, second, amount);
    }
    Rules rules = session.rules().newest();
    WalletState before = session.store().state();
    SignedComplianceCoin spent = before.compliance();
    if (spent == null || before.pending() != null) {
      throw new IllegalStateException("the wallet is not registered, or has a transfer in flight");
    }
    List<OwnedCoin> inputs = inputs(rules.policy(), before, spent, amount);
    TransferRequest conflicting =
        runner.prepare(TransferIntent.payment(second, amount, inputs, ""), spent, 0, rules);
    FinishedTransfer paid =
        runner.run(TransferIntent.payment(first, amount, inputs, ""), null, rules);
    new MailboxClient(session).deliver();
    return new Outcome(paid, refusal(conflicting));
  }

  private Outcome payTwiceUnregulated(Address first, Address second, Amount amount) {
    MailboxClient mailbox = new MailboxClient(session);
    UnregulatedRunner coins = new UnregulatedRunner(session, mailbox);
    List<OwnedCoin> inputs =
        CoinSelection.covering(session.store().state().coins(), amount).orElseThrow();
    TransferRequest conflicting =
        coins.prepare(TransferIntent.payment(second, amount, inputs, ""), 0);
    FinishedTransfer paid = coins.run(TransferIntent.payment(first, amount, inputs, ""), null);
    mailbox.deliver();
    return new Outcome(paid, refusal(conflicting));
  }

  /** Makes a payment with its proof under the present rules, without sending it. */
  public TransferRequest prepareUnsent(Address to, Amount amount) {
    session.gatewayInfo();
    Rules rules = session.rules().newest();
    WalletState before = session.store().state();
    SignedComplianceCoin spent =
        Objects.requireNonNull(before.compliance(), "the wallet is not registered");
    List<OwnedCoin> inputs = inputs(rules.policy(), before, spent, amount);
    return runner.prepare(TransferIntent.payment(to, amount, inputs, ""), spent, 0, rules);
  }

  /**
   * Sends a payment that was prepared earlier.
   *
   * @return the refusal
   * @throws IllegalStateException when it was signed
   */
  public ProtocolException submitLate(TransferRequest kept) {
    return refusal(kept);
  }

  @Override
  public void close() {
    session.close();
  }

  private ProtocolException refusal(TransferRequest conflicting) {
    try {
      session
          .gateway()
          .submitTransfer(conflicting.statement().core(session.network()), conflicting);
    } catch (ProtocolException e) {
      return e;
    }
    throw new IllegalStateException("the network signed a transfer that it must refuse");
  }

  private static List<OwnedCoin> inputs(
      Policy policy, WalletState state, SignedComplianceCoin spent, Amount amount) {
    PaymentPlan plan =
        PaymentPlan.of(
            spent.coin(), policy, state.coins(), amount, Amount.ZERO, CoinSelection.Claims.TWO);
    if (!plan.claims().isEmpty()) {
      throw new IllegalStateException("claim received coins first");
    }
    return plan.inputs();
  }
}
