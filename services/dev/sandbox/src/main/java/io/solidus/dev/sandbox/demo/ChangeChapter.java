package io.solidus.dev.sandbox.demo;

import static io.solidus.dev.sandbox.demo.RegistrationChapter.refusal;
import static io.solidus.dev.sandbox.demo.Stage.money;
import static io.solidus.dev.sandbox.demo.StoryFailure.unless;

import io.solidus.dev.dishonestwallet.DishonestWallet;
import io.solidus.dev.sandbox.operators.PolicyLimits;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.session.Restorer;
import java.time.Duration;
import java.util.List;

/** Steps in which rules change during payments, and in which validators stop and start. */
final class ChangeChapter {
  /**
   * The grace time of a superseded version in the sandbox, plus the time in which every authority
   * learns of the new one.
   */
  private static final Duration PAST_GRACE = Duration.ofSeconds(14);

  /** A shard publishes its count of signatures once a second. */
  private static final Duration COUNTED = Duration.ofSeconds(2);

  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final long IN_FLIGHT = 50_011;

  private final Stage stage;

  ChangeChapter(Stage stage) {
    this.stage = stage;
  }

  String policyChangeInFlight(Actor alice, Actor bob) throws Exception {
    long before = leaveInFlight(alice, bob, IN_FLIGHT);
    try (Actor stranger = Actor.enter(stage, "Stranger")) {
      stage.operators.listAddress(stranger.wallet().addressText(), "demonstration");
    }
    long checkpoint = stage.operators.publishCheckpoint();
    long policy = stage.operators.publishPolicy(PolicyLimits.standard().withMaxPerTransfer(40_000));
    startStopped();
    stage.await(
        "policy " + policy + " and checkpoint " + checkpoint + " in force",
        () -> stage.probe.allHave(policy, checkpoint));
    Thread.sleep(PAST_GRACE);
    alice.reopen();
    unless(alice.wallet().settle().isPresent(), "there was nothing to finish");
    unless(alice.total() == before - IN_FLIGHT, "the balance is not as after the payment");
    PaymentChapter.pay(alice, bob, 101);
    return money(IN_FLIGHT)
        + " begun under the old limits was finished although "
        + money(40_000)
        + " is the limit now (policy "
        + policy
        + "); the next payment went through";
  }

  /**
   * Pays while two of four authorities are stopped: without a quorum the payment stays in flight. A
   * small payment precedes it, because a wallet that was just opened makes no transfer before a
   * quorum said that its coin is free.
   *
   * @return the payer's total before the payment in flight, in minor units
   */
  private long leaveInFlight(Actor from, Actor to, long amountMinor) throws Exception {
    from.reopen(SHORT);
    PaymentChapter.pay(from, to, 1);
    long before = from.total();
    for (int authority : stopped()) {
      stage.control.kill(authority);
    }
    PaymentChapter.staysInFlight(
        from, () -> from.wallet().pay(to.address(), new Amount(amountMinor)));
    return before;
  }

  private static List<Integer> stopped() {
    return List.of(3, 4);
  }

  private void startStopped() throws Exception {
    for (int authority : stopped()) {
      stage.control.start(authority);
    }
  }

  String refuseSanctionedPayee(Actor alice) throws Exception {
    try (Actor mallory = Actor.enter(stage, "Mallory")) {
      alice.letGo();
      try (DishonestWallet cheat =
          DishonestWallet.open(
              alice.file(), Stage.PASSPHRASE.clone(), stage.wallets, stage.walletOptions(SHORT))) {
        TransferRequest old = cheat.prepareUnsent(mallory.address(), new Amount(701));
        stage.operators.listAddress(mallory.wallet().addressText(), "demonstration");
        long checkpoint = stage.operators.publishCheckpoint();
        stage.await(
            "checkpoint " + checkpoint + " in force", () -> stage.probe.allHave(0, checkpoint));
        Thread.sleep(PAST_GRACE);
        ProtocolException late = cheat.submitLate(old);
        unless(
            late.code() == RejectionCode.STALE_CHECKPOINT,
            "the old checkpoint's proof was refused with " + late.code().code());
      } finally {
        alice.reopen();
      }
      String refused =
          refusal(
              () -> alice.wallet().pay(mallory.address(), new Amount(701)),
              RejectionCode.SANCTIONED);
      return "no proof for a listed payee, "
          + refused
          + "; a proof made before the listing: stale-checkpoint after the grace time";
    }
  }

  String delegatedProof(Actor alice, Actor bob) throws Exception {
    alice.wallet().moveTo(stage.profile(stage.proverKey()));
    alice.reopen();
    PaymentChapter.pay(alice, bob, 1_009);
    alice.wallet().moveTo(stage.profile(null));
    alice.reopen();
    return money(1_009)
        + " proved by the prover service from a sealed witness without the spend key; signed by the wallet itself";
  }

  String surviveOneValidatorDown(Actor alice, Actor bob) throws Exception {
    // compares differences, because some authorities may sign a transfer that an earlier run left
    Thread.sleep(COUNTED.toMillis());
    long first = stage.probe.signedCount(1);
    long fourth = stage.probe.signedCount(4);
    stage.control.kill(4);
    PaymentChapter.pay(alice, bob, 2_003);
    Thread.sleep(COUNTED.toMillis());
    long signed = stage.probe.signedCount(1) - first;
    unless(signed > 0, "authority 1 signed nothing");
    stage.control.start(4);
    stage.await("authority 4 has caught up", () -> stage.probe.signedCount(4) - fourth >= signed);
    return "authority 4 was away, the payment went through; back again it caught up with "
        + signed
        + " request(s)";
  }

  String redeemBob(Actor bob) throws Exception {
    bob.wallet().receive();
    long total = bob.total();
    long before = stage.operators.supply().path("redeemedMinor").asLong();
    var account =
        new io.solidus.wallet.model.PayoutInstruction("Bob", "DE02120300000000202051", "defunding");
    var payment = bob.wallet().withdraw(new Amount(total), account);
    unless(payment.redeemed(), "the issuer was not asked for the payout");
    unless(bob.total() == 0, "something is left");
    long redeemed = stage.operators.supply().path("redeemedMinor").asLong() - before;
    unless(redeemed == total, "the issuer paid out " + money(redeemed));
    long atBank = stage.operators.supply().path("bankBalanceMinor").asLong();
    long sent = stage.operators.payOut();
    long left = atBank - stage.operators.supply().path("bankBalanceMinor").asLong();
    unless(sent >= total && left == sent, "the bank paid " + money(left) + " of " + money(sent));
    return money(total)
        + " paid out to his account against a quorum's evidence; the bank has settled it, and the books follow its account";
  }

  /**
   * Restores the wallet; repeats the command, which continues, while the gateway cannot reach
   * restarted authorities.
   */
  private Restorer.Restored restore(Actor actor) throws Exception {
    Restorer.Restored[] restored = new Restorer.Restored[1];
    stage.await(
        "the wallet is restored",
        () -> {
          try {
            restored[0] = actor.wallet().restore();
            return true;
          } catch (ProtocolException e) {
            if (!e.code().retryable()) {
              throw e;
            }
            return false;
          }
        });
    return restored[0];
  }

  String restoreAlice(Actor alice, Actor carol) throws Exception {
    alice.wallet().receive();
    long before = leaveInFlight(alice, carol, 3_001);
    startStopped();
    stage.await("all authorities back", () -> stage.probe.allHave(0, 0));
    alice.loseAndStartOver();
    Restorer.Restored restored = restore(alice);
    alice.wallet().settle();
    unless(
        alice.total() == before - 3_001,
        "restored to " + money(alice.total()) + ", expected " + money(before - 3_001));
    unless(!alice.wallet().status().transferInFlight(), "the transfer is still in flight");
    long received =
        carol.wallet().receive().stream()
            .mapToLong(receipt -> receipt.value().minor())
            .filter(m -> m == 3_001)
            .count();
    unless(received == 1, "the transfer in flight did not reach Carol");
    return "24 words brought back "
        + money(alice.total())
        + " over "
        + restored.transfers()
        + " transfers, and the one in flight reached Carol";
  }
}
