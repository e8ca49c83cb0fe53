package io.solidus.dev.sandbox.demo;

import static io.solidus.dev.sandbox.demo.RegistrationChapter.refusal;
import static io.solidus.dev.sandbox.demo.Stage.money;
import static io.solidus.dev.sandbox.demo.StoryFailure.unless;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.session.RecoverService.Recovered;
import java.time.Duration;
import java.util.List;

/** The step in which two devices of one person pay at once and lock the account. */
final class RecoverChapter {
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Amount ABOVE_ALL_LIMITS = new Amount(900_000_000);

  private final Stage stage;
  private long burnt;

  RecoverChapter(Stage stage) {
    this.stage = stage;
  }

  /** What the step burnt, in minor units: it was issued and is in no wallet. */
  long burntMinor() {
    return burnt;
  }

  String recoverFromTwoDevices(Actor alice, Actor bob) throws Exception {
    alice.reopen(SHORT);
    PaymentChapter.pay(alice, bob, 2);
    try (Actor other = alice.withAnotherDevice()) {
      other.reopen(SHORT);
      // the device sees that its compliance coin is free, as one that was open all the time
      refusal(
          () -> other.wallet().pay(bob.address(), ABOVE_ALL_LIMITS),
          RejectionCode.OVER_LIMIT_TRANSFER);
      long before = alice.total();
      payWithout(alice, bob, 1_501, List.of(3, 4));
      payWithout(other, bob, 2_503, List.of(1, 2));
      stage.await("the account is locked", () -> isLocked(alice, bob));
      Recovered recovered = recover(alice);
      burnt = recovered.burnt().minor();
      unless(recovered.recovers() == 1, recovered.recovers() + " recovers were made");
      unless(burnt == 2_503, money(burnt) + " were burnt");
      unless(alice.total() == before - burnt, "the balance is " + money(alice.total()));
      unless(recover(other).equals(recovered), "the other device made another recover");
      unless(other.total() == alice.total(), "the devices have different balances");
    }
    PaymentChapter.pay(alice, bob, 1_007);
    return "two devices paid at once and locked the account; a recover burnt "
        + money(burnt)
        + ", and the next payment went through";
  }

  private static boolean isLocked(Actor alice, Actor bob) {
    try {
      alice.wallet().pay(bob.address(), new Amount(1));
      throw new StoryFailure("a payment went through");
    } catch (ProtocolException e) {
      return e.code() == RejectionCode.SERIAL_CONFLICT;
    } catch (WalletException e) {
      return false; // the gateway does not reach authorities that were restarted just now
    }
  }

  /** Asks again while the gateway cannot reach restarted authorities. */
  private Recovered recover(Actor actor) throws Exception {
    Recovered[] recovered = new Recovered[1];
    stage.await(
        "the account is free",
        () -> {
          try {
            recovered[0] = actor.wallet().recover();
            return true;
          } catch (ProtocolException e) {
            if (!e.code().retryable()) {
              throw e;
            }
            return false;
          }
        });
    return recovered[0];
  }

  /** Pays while two authorities are stopped, so that only the two others hold the payment. */
  private void payWithout(Actor from, Actor to, long amountMinor, List<Integer> stopped)
      throws Exception {
    for (int authority : stopped) {
      stage.control.kill(authority);
    }
    try {
      from.wallet().pay(to.address(), new Amount(amountMinor));
      throw new StoryFailure("a payment went through with two of four authorities away");
    } catch (WalletException e) {
      unless(e.error() == WalletError.TRANSFER_IN_FLIGHT, "the wallet says " + e.error().code());
    } catch (ProtocolException e) {
      unless(e.code() == RejectionCode.NO_QUORUM, "the wallet says " + e.code().code());
    }
    unless(from.wallet().status().transferInFlight(), "no transfer is in flight");
    for (int authority : stopped) {
      stage.control.start(authority);
    }
    stage.await("all authorities back", () -> stage.probe.allHave(0, 0));
  }
}
