package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.Balance;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.session.RecoverService.Recovered;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two devices of one phrase pay at once, and neither payment reaches 2f+1 authorities. */
@Tag("process")
@Spec("W-10")
class RecoverFromTwoDevicesTest {

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet bob;
  private Wallet phone;
  private Wallet laptop;

  /** Registrations, mints and the first claim are not what is tested, and have no real proofs. */
  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.closeWallet(bench.registered("bob"));
    bench.twoDevices(words);
    bench.useRealProofs();
    bob = bench.reopen("bob");
    phone = bench.device("phone", bob);
    laptop = bench.device("laptop", bob);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void assertFree(Wallet device, long total) {
    assertThat(device.balance().total()).isEqualTo(amount(total));
    assertThat(device.status().transferInFlight()).isFalse();
    device.pay(bob.address(), amount(30), "after");
    assertThat(device.balance().total()).isEqualTo(amount(total - 30));
    assertThat(bob.receive().getLast().reference()).isEqualTo("after");
  }

  private TxCore core(RecoverRequest request) {
    return request.resolve(TestCommittee.NETWORK).core();
  }

  @Test
  void aRecoverFreesAnAccountThatTwoDevicesLocked() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    refused(RejectionCode.SERIAL_CONFLICT, () -> phone.pay(bob.address(), amount(5)));

    assertThat(phone.recover()).isEqualTo(new Recovered(1, amount(500), amount(0), amount(4_500)));
    assertThat(phone.balance()).isEqualTo(new Balance(amount(1_300), amount(4_500), 1));
    assertThat(phone.history())
        .filteredOn(item -> item.kind() == HistoryItem.Kind.RECOVERED)
        .extracting(HistoryItem::amount)
        .containsExactly(amount(500));
    assertFree(phone, 5_800);
  }

  @Test
  void anAccountThatIsNotLockedBurnsNothing() {
    bench.payAt(phone, bob, 200, 1, 2);
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertThat(phone.balance().total()).isEqualTo(amount(6_100));
    assertThat(bench.gateway.recovers).isEmpty();
  }

  /** Nobody is known to refuse the payment, so it may complete as soon as authorities are back. */
  @Test
  void aPaymentThatNobodyRefusesIsNotBurnt() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.only(1, 2);
    refused(RejectionCode.NO_QUORUM, phone::recover);
    assertThat(bench.gateway.recovers).isEmpty();
    bench.only(1, 2, 3, 4);
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertFree(phone, 6_100);
  }

  @Test
  void theGatewaysWordBurnsNothing() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.gateway.faults.refusesTransfers = RejectionCode.SERIAL_CONFLICT;
    refused(RejectionCode.SERIAL_CONFLICT, phone::recover);
    assertThat(bench.gateway.recovers).isEmpty();
    bench.gateway.faults.refusesTransfers = null;
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertFree(phone, 6_100);
  }

  /** The payment has completed, its answer was lost, and the gateway says that it is refused. */
  @Test
  void aPaymentThatAQuorumHoldsIsNotBurnt() {
    bench.gateway.faults.lostReplies.set(Integer.MAX_VALUE);
    bench.gateway.faults.onTransfer = request -> bench.only(1, 2, 3);
    refused(WalletError.TRANSFER_IN_FLIGHT, () -> phone.pay(bob.address(), amount(200)));
    bench.gateway.faults.lostReplies.set(0);
    bench.payAt(laptop, bob, 500, 4);
    bench.gateway.faults.refusesTransfers = RejectionCode.SERIAL_CONFLICT;
    refused(RejectionCode.SERIAL_CONFLICT, phone::recover);
    refused(RejectionCode.SERIAL_CONFLICT, () -> phone.recover(true));
    assertThat(bench.gateway.recovers).isEmpty();
    bench.gateway.faults.refusesTransfers = null;
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertFree(phone, 6_100);
  }

  /** The gateway delivers the payment after the look of the recover, and says that it did not. */
  @Test
  void aPaymentThatCompletesWhileARecoverIsAtWorkIsNotBurnt() {
    bench.payAt(phone, bob, 200, 1, 2);
    TransferRequest payment = bench.gateway.transfers.getLast();
    bench.payAt(laptop, bob, 500, 4);
    AtomicBoolean looked = new AtomicBoolean();
    bench.gateway.faults.signedStates =
        signed -> {
          looked.compareAndSet(false, signed.getFirst().states().states().size() > 1);
          return signed;
        };
    bench.gateway.faults.onTransfer =
        request -> {
          if (looked.get() && request.statement().equals(payment.statement())) {
            bench.gateway.committee.authority(3).submit(payment);
          }
        };
    bench.gateway.faults.refusesTransfers = RejectionCode.SERIAL_CONFLICT;
    refused(RejectionCode.SERIAL_CONFLICT, () -> phone.recover(true));
    assertThat(bench.gateway.recovers).isEmpty();
    bench.gateway.faults.onTransfer = null;
    bench.gateway.faults.refusesTransfers = null;
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertFree(phone, 6_100);
  }

  /** Only these authorities answer, and its owner does not wait for the others. */
  private void recoversAt(Wallet device, Integer... authorities) {
    bench.only(authorities);
    refused(RejectionCode.NO_QUORUM, () -> device.recover(true));
    bench.only(1, 2, 3, 4);
  }

  /** The payment completes at 1, 2 and 3, and the gateway says that another core is in its way. */
  private void completesUnanswered() {
    bench.gateway.faults.lostReplies.set(Integer.MAX_VALUE);
    bench.gateway.faults.onTransfer = request -> bench.only(1, 2, 3);
    refused(WalletError.TRANSFER_IN_FLIGHT, () -> phone.pay(bob.address(), amount(200)));
    bench.gateway.faults.onTransfer = null;
    bench.gateway.faults.lostReplies.set(0);
    bench.payAt(laptop, bob, 500, 4);
    bench.gateway.faults.refusesTransfers = RejectionCode.SERIAL_CONFLICT;
  }

  private void answersOf(Integer... authorities) {
    List<Integer> passedOn = List.of(authorities);
    bench.gateway.faults.signedStates =
        signed -> signed.stream().filter(one -> passedOn.contains(one.authority())).toList();
  }

  /** Whatever the gateway leaves out, one authority is not f+1. */
  @Test
  void noGatewayThatDropsAnswersHasACompletedPaymentBurnt() {
    completesUnanswered();
    for (List<Integer> some : List.of(List.of(4), List.of(1, 4), List.of(1, 2, 4))) {
      answersOf(some.toArray(Integer[]::new));
      for (Wallet device : List.of(phone, laptop)) {
        assertThatThrownBy(device::recover).isInstanceOf(ProtocolException.class);
      }
      assertThat(bench.gateway.recovers).as("%s", some).isEmpty();
    }
    refused(RejectionCode.NO_QUORUM, phone::recover);
    answersOf(1, 2, 3, 4);
    bench.gateway.faults.refusesTransfers = null;
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertFree(phone, 6_100);
  }

  /** It shows each holder of the other payment at another look-up. */
  @Test
  void whatAuthoritiesSignedInTurnCounts() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    AtomicInteger looks = new AtomicInteger();
    bench.gateway.faults.signedStates =
        signed -> {
          int left = looks.getAndIncrement() % 2 == 0 ? 3 : 4;
          return signed.stream().filter(one -> one.authority() != left).toList();
        };
    assertThat(phone.recover().burnt()).isEqualTo(amount(500));
  }

  /** Authority 3 is away for good: nobody knows what it signed, and the owner goes on. */
  @Test
  void anOwnerWaitsNoLongerForAnAuthorityThatIsAway() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 4);
    bench.only(1, 2, 4);
    for (Wallet device : List.of(phone, laptop)) {
      refused(RejectionCode.NO_QUORUM, device::recover);
    }
    assertThat(bench.gateway.recovers).isEmpty();
    assertThat(phone.recover(true).burnt()).isEqualTo(amount(500));
    assertFree(phone, 5_800);
  }

  /** Authority 1 holds it and 4 is away for good: nobody completes it or signs that it is free. */
  @Test
  void aLonePaymentWhosePeriodIsOverLocksNoAccountForGood() {
    bench.payAt(phone, bob, 200, 1);
    bench.gateway.rules.period(new Period(202612));
    bench.only(1, 2, 3);
    refused(RejectionCode.NO_QUORUM, phone::recover);
    assertThat(bench.gateway.recovers).isEmpty();
    assertThat(phone.recover(true).burnt()).isEqualTo(amount(200));
    assertFree(phone, 6_100);
  }

  /** The gateway says that its owner's next payment conflicts, which has completed. */
  @Test
  void aPaymentBehindABurntOneIsNotBurntWhenItHasCompleted() {
    bench.payAt(phone, bob, 200, 1);
    bench.payAt(laptop, bob, 500, 2);
    bench.gateway.faults.onRecover = request -> bench.only(1);
    recoversAt(laptop, 1, 2);
    bench.gateway.faults.onRecover = null;
    assertThat(phone.settle()).isPresent();
    bench.haveAsked(phone, bob);
    bench.gateway.faults.lostReplies.set(Integer.MAX_VALUE);
    refused(WalletError.TRANSFER_IN_FLIGHT, () -> phone.pay(bob.address(), amount(40)));
    bench.gateway.faults.lostReplies.set(0);
    bench.gateway.faults.refusesTransfers = RejectionCode.SERIAL_CONFLICT;
    int before = bench.gateway.recovers.size();
    refused(RejectionCode.NO_QUORUM, phone::recover);
    refused(RejectionCode.NO_QUORUM, () -> phone.recover(true));
    assertThat(bench.gateway.recovers.stream().skip(before).map(this::core))
        .containsOnly(core(bench.gateway.recovers.getFirst()));
    bench.gateway.faults.refusesTransfers = null;
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertFree(phone, 6_060);
  }

  /** Its period is over, so that nobody takes it any more, and no gateway can complete it. */
  @Test
  void aPaymentWhosePeriodIsOverIsBurntWhereNobodyElseTakesIt() {
    bench.payAt(phone, bob, 200, 1);
    bench.payAt(laptop, bob, 500, 2);
    bench.gateway.faults.refusesTransfers = RejectionCode.SERIAL_CONFLICT;
    refused(RejectionCode.NO_QUORUM, phone::recover);
    assertThat(bench.gateway.recovers).isEmpty();
    int period = bench.gateway.transfers.getLast().statement().period().yyyymm();
    StateFloors above = new StateFloors(0, 0, new Period(period + 100));
    bench.gateway.faults.floors = authority -> above;
    assertThat(phone.recover().burnt()).isEqualTo(amount(500));
  }

  /** Its period is over for 3, but 1 and 2 vote for it there. */
  @Test
  void aPaymentThatVotesMayCarryIsNotBurnt() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 4);
    bench.gateway.faults.refusesTransfers = RejectionCode.SERIAL_CONFLICT;
    int period = bench.gateway.transfers.getLast().statement().period().yyyymm();
    StateFloors above = new StateFloors(0, 0, new Period(period + 100));
    bench.gateway.faults.floors = authority -> above;
    refused(RejectionCode.NO_QUORUM, phone::recover);
    assertThat(bench.gateway.recovers).isEmpty();
  }

  private PaymentRequest request(long minor) {
    return new PaymentRequest(
        bob.address(),
        new PaymentRequest.Price(amount(minor), new CurrencyCode("EUR")),
        null,
        bob.newRequestToken(),
        null,
        "",
        null);
  }

  private void payAt(Wallet device, PaymentRequest request, Integer... authorities) {
    bench.gateway.faults.onTransfer = transfer -> bench.only(authorities);
    refused(RejectionCode.NO_QUORUM, () -> device.pay(request));
    bench.gateway.faults.onTransfer = null;
    bench.only(1, 2, 3, 4);
  }

  /** Two are below the recover beside each other, and one behind the first of them. */
  @Test
  @Spec("F-39")
  void aRequestThatARecoverBurntIsNotPaidAgain() {
    PaymentRequest seven = request(200);
    PaymentRequest eight = request(500);
    PaymentRequest nine = request(40);
    payAt(phone, seven, 1);
    payAt(laptop, eight, 2);
    assertThat(phone.settle()).isPresent();
    bench.haveAsked(phone, bob);
    recoversAt(laptop, 1, 2);
    refused(RejectionCode.SERIAL_CONFLICT, () -> phone.pay(nine));
    phone.recover();
    for (PaymentRequest burnt : List.of(eight, nine)) {
      refused(WalletError.PAYMENT_BURNT, () -> phone.pay(burnt));
    }
    Wallet restored = bench.toRestore("restored", words);
    restored.restore();
    laptop.recover();
    for (Wallet device : List.of(restored, laptop)) {
      for (PaymentRequest burnt : List.of(seven, eight, nine)) {
        refused(WalletError.PAYMENT_BURNT, () -> device.pay(burnt));
      }
      assertThat(device.balance().total()).isEqualTo(amount(5_800));
    }
  }

  /** Authority 4 says that another core has the lead, while 3 is away for a moment. */
  @Test
  void oneLyingAuthorityCannotMakeTheOwnerBurnAPayment() {
    bench.payAt(phone, bob, 200, 1, 2);
    SerialNumber lead = bench.gateway.transfers.getLast().statement().leadSerial();
    bench.gateway.committee.authority(4).holdsForAnother(lead);
    bench.only(1, 2, 4);
    refused(RejectionCode.NO_QUORUM, phone::recover);
    refused(RejectionCode.NO_QUORUM, () -> phone.recover(true));
    assertThat(bench.gateway.recovers).isEmpty();
    bench.only(1, 2, 3, 4);
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertFree(phone, 6_100);
  }

  /** Also the blinding is the same, so either device's signatures count for both. */
  @Test
  void twoDevicesThatRecoverAtOnceMakeTheSameCore() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    bench.gateway.faults.onRecover = request -> bench.only();
    refused(RejectionCode.NO_QUORUM, phone::recover);
    bench.only(1, 2, 3, 4);
    refused(RejectionCode.NO_QUORUM, laptop::recover);
    bench.only(1, 2, 3, 4);
    bench.gateway.faults.onRecover = null;
    List<RecoverRequest> made = bench.gateway.recovers;
    assertThat(made).hasSize(2);
    assertThat(core(made.getFirst())).isEqualTo(core(made.getLast()));
    assertThat(made.getFirst().statement().outputs())
        .isEqualTo(made.getLast().statement().outputs());
    assertThat(made.getFirst().attachments()).isEqualTo(made.getLast().attachments());

    assertThat(laptop.recover().burnt()).isEqualTo(amount(500));
    assertThat(phone.recover().burnt()).isEqualTo(amount(500));
    assertThat(phone.recover()).isEqualTo(Recovered.NOTHING);
    assertThat(phone.balance()).isEqualTo(laptop.balance());
    assertFree(phone, 5_800);
  }

  /** Two authorities have the first recover, two a third device's payment. */
  @Test
  void aRecoverThatDoesNotCompleteIsTakenIn() {
    bench.copy("phone", "tablet");
    Wallet tablet = bench.device("tablet", bob);
    bench.payAt(phone, bob, 200, 1);
    bench.payAt(laptop, bob, 500, 2);
    bench.payAt(tablet, bob, 700, 3, 4);
    recoversAt(phone, 1, 2);

    assertThat(laptop.recover().burnt()).isEqualTo(amount(700));
    assertThat(bench.gateway.recovers.getLast().below()).hasSize(4);
    assertFree(laptop, 5_600);
  }

  /** The phone's payment completes although the laptop's recover took it in. */
  @Test
  void aWalletBehindABurntPaymentFinishesTheRecover() {
    bench.payAt(phone, bob, 200, 1);
    bench.payAt(laptop, bob, 500, 2);
    recoversAt(laptop, 1, 2);
    assertThat(phone.settle()).isPresent();
    refused(RejectionCode.NO_QUORUM, () -> phone.pay(bob.address(), amount(40)));

    assertThat(phone.recover().burnt()).isEqualTo(amount(500));
    assertThat(bench.gateway.recovers.getLast().below()).hasSize(2);
    assertFree(phone, 5_800);
  }

  /** The phone went on behind its payment, and two authorities have its next one. */
  @Test
  void aWalletThatWentOnBehindABurntPaymentGoesBack() {
    bench.payAt(phone, bob, 200, 1);
    bench.payAt(laptop, bob, 500, 2);
    assertThat(phone.settle()).isPresent();
    bench.haveAsked(phone, bob);
    recoversAt(laptop, 1, 2);
    refused(RejectionCode.SERIAL_CONFLICT, () -> phone.pay(bob.address(), amount(40)));

    assertThat(phone.recover().burnt()).isEqualTo(amount(500));
    assertThat(bench.gateway.recovers.getLast().below()).hasSize(6);
    assertFree(phone, 5_800);
  }

  @Test
  void aWalletThatWasKilledAfterItsRecoverGoesOn() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    bench.gateway.faults.onRecover = request -> bench.gateway.faults.lostReplies.set(1);
    refused(WalletError.GATEWAY_UNREACHABLE, phone::recover);
    bench.gateway.faults.onRecover = null;
    bench.closeWallet(phone);

    Wallet again = bench.reopen("phone", WalletBench.IMPATIENT);
    refused(WalletError.PAYMENT_BURNT, again::settle);
    assertFree(again, 5_800);
  }

  @Test
  void aPaymentThatWasBurntIsNotMadeAgainUnderItsId() {
    bench.gateway.faults.onTransfer = request -> bench.only(1, 2);
    refused(RejectionCode.NO_QUORUM, () -> phone.pay("rent", bob.address(), amount(200), "rent"));
    bench.gateway.faults.onTransfer = null;
    bench.only(1, 2, 3, 4);
    bench.payAt(laptop, bob, 500, 3, 4);
    phone.recover();
    refused(WalletError.PAYMENT_BURNT, () -> phone.pay("rent", bob.address(), amount(200), "rent"));
  }

  @Test
  void aRestoreFindsWhatARecoverLeft() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3, 4);
    phone.recover();
    Wallet before = bench.toRestore("before", words);
    before.restore();
    assertThat(before.balance()).isEqualTo(phone.balance());
    phone.pay(bob.address(), amount(30), "after");
    Wallet after = bench.toRestore("after", words);
    after.restore();
    assertThat(after.balance()).isEqualTo(phone.balance());
    assertThat(after.history()).isEqualTo(phone.history());
    HistoryCheck.requireOpens(closed(after, "after"));
  }

  private Path closed(Wallet wallet, String name) {
    bench.closeWallet(wallet);
    return bench.path(name);
  }

  private SerialNumber claimedCoin() {
    return bench.gateway.transfers.getLast().statement().serials().get(1);
  }

  /** The coin is the owner's whatever authority 4 says: the recover needs three others. */
  @Test
  void oneLyingAuthorityCannotMakeTheOwnerDropACoin() {
    bench.payAt(phone, bob, 200, 1, 2);
    bench.payAt(laptop, bob, 500, 3);
    bench.gateway.committee.authority(4).holdsForAnother(claimedCoin());
    assertThat(phone.recover().lost()).isEqualTo(amount(0));
    assertFree(phone, 5_800);
  }

  @Test
  void aCoinThatAnotherCoreHoldsIsNotCredited() {
    bench.payAt(phone, bob, 200, 1);
    bench.payAt(laptop, bob, 500, 2);
    bench.gateway.committee.authority(3).holdsForAnother(claimedCoin());
    bench.gateway.committee.authority(4).holdsForAnother(claimedCoin());
    assertThat(phone.recover()).isEqualTo(new Recovered(1, amount(500), amount(5_000), amount(0)));
    assertFree(phone, 800);
  }
}
