package io.solidus.dev.sandbox.demo;

import static io.solidus.dev.sandbox.demo.RegistrationChapter.refusal;
import static io.solidus.dev.sandbox.demo.Stage.money;
import static io.solidus.dev.sandbox.demo.StoryFailure.unless;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.session.RecoverService.Recovered;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The step in which two devices of one person pay at once and lock the account. */
final class RecoverChapter {
  private static final Duration SHORT = Duration.ofSeconds(2);

  /** A shard publishes its count of signatures once a second. */
  private static final Duration COUNTED = Duration.ofSeconds(2);

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
      payAt(alice, bob, 1_501, List.of(1, 2), List.of(3, 4));
      payAt(other, bob, 2_503, List.of(3, 4), List.of(1, 2));
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

  /** Pays while two authorities are stopped, so that the two others hold the payment. */
  private void payAt(
      Actor from, Actor to, long amountMinor, List<Integer> holders, List<Integer> stopped)
      throws Exception {
    Map<Integer, Long> before = signedCounts(holders);
    for (int authority : stopped) {
      stage.control.kill(authority);
    }
    PaymentChapter.staysInFlight(
        from, () -> from.wallet().pay(to.address(), new Amount(amountMinor)));
    stage.await("two authorities hold the payment", () -> hold(before, from));
    for (int authority : stopped) {
      stage.control.start(authority);
    }
    stage.await("all authorities back", () -> stage.probe.allHave(0, 0));
  }

  private Map<Integer, Long> signedCounts(List<Integer> authorities) throws InterruptedException {
    Thread.sleep(COUNTED.toMillis()); // the payment before is counted by then
    Map<Integer, Long> counts = new HashMap<>();
    for (int authority : authorities) {
      counts.put(authority, stage.probe.signedCount(authority));
    }
    return counts;
  }

  /**
   * Whether each of these authorities signed since. Sends the payment again if not, because the
   * gateway does not reach authorities that were restarted just now.
   */
  private boolean hold(Map<Integer, Long> before, Actor payer) throws InterruptedException {
    Thread.sleep(COUNTED.toMillis());
    for (Map.Entry<Integer, Long> counted : before.entrySet()) {
      if (stage.probe.signedCount(counted.getKey()) <= counted.getValue()) {
        PaymentChapter.staysInFlight(payer, () -> payer.wallet().settle());
        return false;
      }
    }
    return true;
  }
}
