package io.solidus.dev.sandbox.demo;

import static io.solidus.dev.sandbox.demo.Stage.money;
import static io.solidus.dev.sandbox.demo.StoryFailure.unless;

import io.solidus.dev.dishonestwallet.DishonestWallet;
import io.solidus.protocol.Amount;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.Payment;
import io.solidus.wallet.WalletStatus;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.session.Restorer;
import java.time.Duration;
import java.util.List;

/** The steps on an unregulated network, where nobody registers and coins are spent whole. */
final class UnregulatedChapter {
  private static final long MINTED = 250_000;

  /** Above every limit of the sandbox's policy for one payment. */
  private static final long ALICE_TO_BOB = 200_017;

  private static final long BOB_TO_CAROL = 20_023;
  private static final long TWICE = 503;
  private static final long BEFORE_THE_LOSS = 3_001;
  private static final long WITHDRAWN = 12_000;

  private final Stage stage;
  private final PaymentChapter payments;

  UnregulatedChapter(Stage stage) {
    this.stage = stage;
    this.payments = new PaymentChapter(stage);
  }

  String mint(Actor actor) throws Exception {
    return payments.mint(actor, MINTED) + "; nobody registered";
  }

  String pay(Actor alice, Actor bob) {
    Payment payment = PaymentChapter.pay(alice, bob, ALICE_TO_BOB);
    unless(payment.claimed().minor() == MINTED, "the minted coin was not spent whole");
    return money(ALICE_TO_BOB) + " paid in one transfer, which no limit stops, and change";
  }

  /** The payee spends the received coin as it is. */
  String payOn(Actor bob, Actor carol) {
    List<ReceivedCoin> received = bob.wallet().receive();
    unless(received.size() == 1, "Bob received " + received.size() + " coins");
    PaymentChapter.pay(bob, carol, BOB_TO_CAROL);
    unless(carol.wallet().receive().size() == 1, "nothing reached Carol");
    return money(BOB_TO_CAROL) + " of what he received, without a claim";
  }

  String refuseDoubleSpend(Actor bob, Actor alice, Actor carol) {
    long before = bob.total();
    DishonestWallet.Outcome outcome;
    bob.letGo();
    try (DishonestWallet cheat =
        DishonestWallet.open(
            bob.file(),
            Stage.PASSPHRASE.clone(),
            stage.wallets,
            stage.walletOptions(Duration.ofSeconds(2)))) {
      outcome = cheat.payTwice(alice.address(), carol.address(), new Amount(TWICE));
    } finally {
      bob.reopen();
    }
    RejectionCode code = outcome.refusal().code();
    unless(code == RejectionCode.SERIAL_CONFLICT, "refused with " + code.code());
    unless(bob.total() == before - TWICE, "Bob's balance is not as after one payment");
    unless(alice.wallet().receive().size() == 1, "the first payment did not reach Alice");
    unless(carol.wallet().receive().isEmpty(), "the second payment reached Carol");
    return "one payment went through; a valid second proof over the same coin found no quorum: "
        + code.code();
  }

  String restore(Actor alice, Actor carol) throws Exception {
    PaymentChapter.pay(alice, carol, BEFORE_THE_LOSS);
    long before = alice.total();
    alice.loseAndStartOver();
    Restorer.Restored restored = alice.wallet().restore();
    unless(
        alice.total() == before,
        "restored to " + money(alice.total()) + ", expected " + money(before));
    WalletStatus status = alice.wallet().status();
    unless(!status.restoring() && !status.transferInFlight(), "the restore is not finished");
    unless(carol.wallet().receive().size() == 1, "the last payment did not reach Carol once");
    return "24 words brought back "
        + money(before)
        + " over "
        + restored.transfers()
        + " transfers, from the mailbox and the authorities";
  }

  String redeem(Actor carol) throws Exception {
    long total = carol.total();
    Payment payment =
        carol
            .wallet()
            .withdraw(
                new Amount(WITHDRAWN),
                new PayoutInstruction("Carol", "DE02120300000000202051", "defunding"));
    unless(payment.redeemed(), "the issuer was not asked for the payout");
    unless(carol.total() == total - WITHDRAWN, "the balance did not fall by the amount");
    long sent = stage.operators.payOut();
    unless(sent >= WITHDRAWN, "the bank paid " + money(sent));
    return money(WITHDRAWN) + " paid out to her account against a quorum's evidence";
  }
}
