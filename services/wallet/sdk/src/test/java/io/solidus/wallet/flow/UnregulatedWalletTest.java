package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.ACCOUNT;
import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.Balance;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Payment;
import io.solidus.wallet.Samples;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.WalletStatus;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.session.Restorer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wallets of an unregulated network: no registration, no limits, coins that are spent whole. */
@Tag("process")
class UnregulatedWalletTest {
  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();

  @BeforeEach
  void open() {
    bench = new WalletBench(folder, TestNetwork.unregulated());
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Wallet funded(String name, long... minor) {
    Wallet wallet = bench.create(name);
    bench.fund(wallet, minor);
    return wallet;
  }

  private Wallet fundedOfWords(String name, long... minor) {
    Wallet wallet = bench.restored(name, words);
    bench.fund(wallet, minor);
    return wallet;
  }

  private static Balance coins(int number, long minor) {
    return new Balance(amount(0), amount(minor), number);
  }

  @Test
  @Spec("W-13")
  void mintsPaysPaysOnAndWithdrawsWithRealProofs() {
    bench.useRealProofs();
    Wallet alice = funded("alice", 10_000);
    Wallet bob = bench.create("bob");
    Wallet carol = bench.create("carol");
    Payment paid = alice.pay(bob.address(), amount(2_500), "coffee");
    assertThat(paid.delivered()).isTrue();
    assertThat(alice.balance()).isEqualTo(coins(1, 7_500));
    assertThat(bob.receive())
        .singleElement()
        .satisfies(coin -> assertThat(coin.reference()).isEqualTo("coffee"));

    bob.pay(carol.address(), amount(1_000));
    assertThat(carol.receive()).hasSize(1);
    assertThat(bob.balance()).isEqualTo(coins(1, 1_500));

    assertThat(carol.withdraw(amount(400), ACCOUNT).redeemed()).isTrue();
    assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(400);
    assertThat(Stream.of(alice, bob, carol).mapToLong(each -> each.balance().total().minor()).sum())
        .as("what was minted and not paid out")
        .isEqualTo(10_000 - 400);
    assertThat(bench.gateway.routes)
        .as("there are no rules to fetch")
        .doesNotContain("GET /v1/policy", "GET /v1/sanctions/checkpoint");
    assertThat(bench.gateway.transfers)
        .allSatisfy(request ->
            assertThat(request.statement().family()).isEqualTo(Family.TRANSFER_UNREGULATED));
    assertThat(alice.receipt(paid.core()).coin().value()).isEqualTo(amount(2_500));
  }

  @Test
  void aProverMakesTheProofs() {
    bench.useRealProofs();
    Wallet alice = funded("alice", 500);
    alice.moveTo(alice.profile().withProverKey(bench.gateway.proverKey.publicKey()));
    bench.closeWallet(alice);
    Wallet delegating = bench.reopen("alice");
    delegating.pay(bench.create("bob").address(), amount(200));
    assertThat(bench.gateway.routes).contains("POST /v1/proofs");
    assertThat(delegating.balance()).isEqualTo(coins(1, 300));
  }

  /** Every transfer spends coins and makes change, which is neither claimed nor received. */
  @Test
  void theHistoryShowsPaymentsAndNoChange() {
    Wallet alice = funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    alice.pay(bob.address(), amount(300), "one");
    alice.pay(bob.address(), amount(200), "two");
    assertThat(alice.receive()).as("her own change in the mailbox").isEmpty();
    bob.receive();
    assertThat(alice.history().stream().map(item -> item.kind() + " " + item.amount().minor()))
        .containsExactly("MINTED 1000", "PAID 300", "PAID 200");
    assertThat(bob.history().stream().map(HistoryItem::kind))
        .containsExactly(HistoryItem.Kind.RECEIVED, HistoryItem.Kind.RECEIVED);
  }

  @Test
  @Spec("W-13")
  void manyCoinsAreMergedBeforeAPaymentThatNeedsThem() {
    Wallet alice = funded("alice", 100, 110, 120, 130);
    Wallet bob = bench.create("bob");
    Payment paid = alice.pay(bob.address(), amount(400));
    assertThat(paid.claimsBefore()).hasSize(2);
    assertThat(alice.balance()).isEqualTo(coins(1, 60));
    assertThat(bob.receive()).hasSize(1);
  }

  /** Small coins are merged with the payment, and large ones stay whole. */
  @Test
  @Spec("W-13")
  void aPaymentSpendsTheSmallestTwoCoinsThatCoverIt() {
    Wallet alice = funded("alice", 5, 50, 70, 1_000);
    assertThat(alice.pay(bench.create("bob").address(), amount(60)).claimed())
        .isEqualTo(amount(75));
    assertThat(alice.balance()).isEqualTo(coins(3, 1_065));
  }

  @Test
  void aPaymentAboveTheBalanceSendsNothing() {
    Wallet alice = funded("alice", 100, 110);
    Wallet bob = bench.create("bob");
    refused(RejectionCode.INSUFFICIENT_FUNDS, () -> alice.pay(bob.address(), amount(211)));
    assertThat(bench.gateway.transfers).isEmpty();
    assertThat(alice.balance()).isEqualTo(coins(2, 210));
  }

  @Test
  void registrationClaimsAndRecoversAreOfRegulatedNetworks() {
    Wallet alice = funded("alice", 100);
    Person ada = new Person("Ada", "Lovelace", LocalDate.of(1990, 12, 10), "GB", "X1");
    refused(WalletError.NOT_SUPPORTED, () -> alice.register(ada));
    refused(WalletError.NOT_SUPPORTED, alice::collectRegistration);
    refused(WalletError.NOT_SUPPORTED, alice::claim);
    refused(WalletError.NOT_SUPPORTED, alice::recover);
    refused(
        WalletError.NOT_SUPPORTED,
        () -> alice.payWithSurplus(alice.address(), amount(1), "", ACCOUNT));
    assertThat(bench.gateway.routes).noneMatch(route -> route.contains("registrations"));
  }

  /** A gateway cannot turn the limits of a network off, nor on. */
  @Test
  @Spec("W-15")
  void theGatewaysWordAboutTheKindIsComparedWithTheSignedManifest() {
    Wallet alice = bench.create("alice");
    bench.gateway.faults.kind = "regulated";
    refused(WalletError.NETWORK_MISMATCH, alice::receive);
  }

  /** As a process that dies with its first byte on the wire leaves it. */
  @Test
  @Spec("W-14")
  void theWholeRequestIsOnDiskBeforeItsFirstByteLeaves() {
    Wallet alice = funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    AtomicReference<TransferRequest> sent = new AtomicReference<>();
    bench.gateway.faults.onTransfer =
        request -> {
          if (sent.compareAndSet(null, request)) {
            bench.copy("alice", "killed");
          }
        };
    alice.pay(bob.address(), amount(300));
    Wallet killed = bench.reopen("killed");
    assertThat(killed.status().transferInFlight()).isTrue();
    assertThat(killed.settle().orElseThrow().core())
        .isEqualTo(sent.get().statement().core(TestCommittee.NETWORK));
    assertThat(bench.gateway.transfers).as("the same bytes again").containsOnly(sent.get());
    assertThat(killed.balance()).isEqualTo(coins(1, 700));
    assertThat(bob.receive()).as("delivered by both, accepted once").hasSize(1);
  }

  @Test
  @Spec("W-14")
  void aLostAnswerLeavesThePaymentInFlightAndTheNextCommandFinishesIt() {
    bench.closeWallet(funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.gateway.faults.lostReplies.set(1);
    refused(
        WalletError.TRANSFER_IN_FLIGHT,
        () -> alice.pay("rent of May", bob.address(), amount(300), ""));
    Payment once = alice.pay("rent of May", bob.address(), amount(300), "");
    assertThat(once.paid()).isEqualTo(amount(300));
    assertThat(alice.balance()).isEqualTo(coins(1, 700));
    assertThat(bob.receive()).hasSize(1);
  }

  /**
   * The outputs follow from the seed, the coin and the sealed blocks, never from the coin alone.
   */
  @Test
  @Spec("W-12")
  void twoTransfersOutOfOneCoinShareNoOutput() {
    bench.closeWallet(funded("alice", 1_000));
    bench.copy("alice", "copy");
    Wallet bob = bench.create("bob");
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    for (String name : List.of("alice", "copy")) {
      Wallet wallet = bench.reopen(name, WalletBench.IMPATIENT);
      refused(WalletError.TRANSFER_IN_FLIGHT, () -> wallet.pay(bob.address(), amount(300)));
    }
    List<TransferRequest> sent = bench.gateway.transfers.stream().distinct().toList();
    assertThat(sent).hasSize(2);
    assertThat(sent.getFirst().statement().leadSerial())
        .isEqualTo(sent.getLast().statement().leadSerial());
    assertThat(
            sent.stream()
                .flatMap(request -> request.statement().outputs().stream())
                .map(BlindedCoin::cm))
        .doesNotHaveDuplicates()
        .hasSize(4);
  }

  @Test
  void aWrongCombinationAndALyingAuthorityAreNoticed() {
    Wallet alice = funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.committee.authority(1).lies(true);
    bench.gateway.faults.wrongCombined = true;
    alice.pay(bob.address(), amount(300));
    assertThat(bob.receive()).hasSize(1);
    bob.pay(alice.address(), amount(300));
    assertThat(alice.receive()).hasSize(1);
    assertThat(alice.balance()).isEqualTo(coins(2, 1_000));
  }

  /** The file may be old: the coin that it would spend is asked for first. */
  @Test
  @Spec("W-14")
  void anOldCopyFollowsWhatTheNewerOnePaidBeforeItPays() {
    bench.closeWallet(funded("alice", 1_000));
    bench.copy("alice", "backup");
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice");
    alice.pay(bob.address(), amount(250), "from the phone");
    bench.closeWallet(alice);

    Wallet backup = bench.reopen("backup");
    assertThat(backup.balance()).as("as of this file").isEqualTo(coins(1, 1_000));
    refused(RejectionCode.INSUFFICIENT_FUNDS, () -> backup.pay(bob.address(), amount(800)));
    backup.pay(bob.address(), amount(100), "from the backup");
    assertThat(backup.balance()).isEqualTo(coins(1, 650));
    assertThat(bob.receive().stream().map(coin -> coin.reference()).distinct())
        .containsExactly("from the phone", "from the backup");
    assertThat(bob.balance().total()).isEqualTo(amount(350));
  }

  @Test
  @Spec("W-14")
  void anOldCopyFinishesWhatHalfOfTheAuthoritiesHold() {
    bench.closeWallet(funded("alice", 1_000));
    bench.copy("alice", "backup");
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.payAt(alice, bob, 250, 1, 2);
    bench.closeWallet(alice);

    Wallet backup = bench.reopen("backup", WalletBench.IMPATIENT);
    backup.pay(bob.address(), amount(100));
    assertThat(backup.balance()).isEqualTo(coins(1, 650));
    bob.receive();
    assertThat(bob.balance()).isEqualTo(coins(2, 350));
  }

  @Test
  @Spec("W-14")
  void nothingIsMadeWhileTooFewAuthoritiesSayThatACoinIsFree() {
    bench.closeWallet(funded("alice", 1_000));
    Wallet alice = bench.reopen("alice", WalletBench.IMPATIENT);
    Wallet bob = bench.create("bob");
    bench.only(1, 2);
    refused(RejectionCode.NO_QUORUM, () -> alice.pay(bob.address(), amount(1)));
    assertThat(bench.gateway.transfers).isEmpty();
    assertThat(alice.status().transferInFlight()).isFalse();
    bench.only(1, 2, 3, 4);
    bench.gateway.faults.signedStates = signed -> signed.subList(0, 2);
    refused(RejectionCode.NO_QUORUM, () -> alice.pay(bob.address(), amount(1)));
    assertThat(bench.gateway.transfers).isEmpty();
  }

  /** Change reaches the other device through the mailbox and shows that a transfer was made. */
  @Test
  void anotherDeviceLearnsOfATransferFromTheMailbox() {
    bench.closeWallet(funded("alice", 1_000));
    bench.copy("alice", "tablet");
    Wallet alice = bench.reopen("alice");
    alice.pay(bench.create("bob").address(), amount(250));
    Wallet tablet = bench.reopen("tablet");
    assertThat(tablet.receive()).isEmpty();
    assertThat(tablet.balance()).isEqualTo(coins(1, 750));
    assertThat(tablet.history().getLast().kind()).isEqualTo(HistoryItem.Kind.PAID);
  }

  /**
   * Two devices at one moment. The first transfer holds its coin at one authority only, so the
   * second one completes, and the first device follows it.
   */
  @Test
  @Spec("W-14")
  void ofTwoTransfersOutOfOneCoinOneIsMadeAndTheOtherDeviceFollows() {
    bench.closeWallet(funded("phone", 1_000));
    bench.copy("phone", "laptop");
    Wallet bob = bench.create("bob");
    Wallet phone = bench.reopen("phone", WalletBench.IMPATIENT);
    bench.payAt(phone, bob, 250, 1);
    bench.only(2, 3, 4);
    Wallet laptop = bench.reopen("laptop", WalletBench.IMPATIENT);
    laptop.pay(bob.address(), amount(600));
    bench.only(1, 2, 3, 4);

    refused(RejectionCode.SERIAL_CONFLICT, phone::settle);
    assertThat(phone.status().transferInFlight()).isFalse();
    assertThat(phone.balance()).isEqualTo(coins(1, 400));
    bob.receive();
    assertThat(bob.balance()).isEqualTo(coins(1, 600));
  }

  /** The coin that a dead transfer names at half of the authorities cannot be spent again. */
  @Test
  @Spec("W-14")
  void aCoinThatADeadTransferHoldsLeavesTheBalance() {
    bench.closeWallet(funded("phone", 600, 500));
    bench.copy("phone", "laptop");
    Wallet bob = bench.create("bob");
    Wallet phone = bench.reopen("phone", WalletBench.IMPATIENT);
    bench.payAt(phone, bob, 1_000, 1, 2); // both coins
    bench
        .gateway
        .committee
        .authorities()
        .forEach(authority -> {
          if (authority.index() > 2) {
            bench
                .gateway
                .transfers
                .getFirst()
                .statement()
                .serials()
                .forEach(authority::holdsForAnother);
          }
        });
    refused(RejectionCode.SERIAL_CONFLICT, phone::settle);
    assertThat(phone.balance()).isEqualTo(coins(0, 0));
    assertThat(phone.status().transferInFlight()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  @Spec({"W-12", "W-14"})
  void theWordsBringBackEverythingAlthoughOneAuthorityLies(int liar) {
    Wallet alice = fundedOfWords("alice", 1_000, 500);
    Wallet bob = bench.create("bob");
    alice.pay(bob.address(), amount(300), "first");
    bob.receive();
    bob.pay(alice.address(), amount(40), "back");
    alice.receive();
    alice.pay(bob.address(), amount(600), "second");
    alice.withdraw(amount(25), ACCOUNT);
    List<String> history = lines(alice);
    bench.closeWallet(alice);
    if (liar > 0) {
      bench.gateway.faults.lookUps.put(
          liar,
          (lead, truth) ->
              liar % 2 == 0 ? Optional.empty() : Optional.of(ForeignTransfers.about(lead)));
    }

    Wallet again = bench.toRestore("again", words);
    Restorer.Restored restored = again.restore();
    assertThat(restored.transfers()).isEqualTo(3);
    assertThat(restored.coins()).isEqualTo(3);
    assertThat(restored.disbelieved()).isEqualTo(liar % 2 == 0 ? Set.of() : Set.of(liar));
    assertThat(again.balance().total()).isEqualTo(amount(615));
    assertThat(lines(again)).containsExactlyInAnyOrderElementsOf(history);
    assertThat(bob.receive()).hasSize(1);
    again.pay(bob.address(), amount(600));
    assertThat(again.balance()).isEqualTo(coins(1, 15));
    assertThat(bench.gateway.mint.redeemedMinor()).as("paid out once").isEqualTo(25);
  }

  private static List<String> lines(Wallet wallet) {
    return wallet.history().stream()
        .map(item -> item.kind() + " " + item.amount().minor() + " " + item.reference())
        .toList();
  }

  /** Neither the payee's coin nor the copy of the change has reached the mailbox. */
  @Test
  @Spec("W-14")
  void changeWithoutACopyIsFoundThroughTheTransferThatMadeIt() {
    Wallet alice = fundedOfWords("alice", 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.faults.mailboxDown = true;
    assertThat(alice.pay(bob.address(), amount(300)).delivered()).isFalse();
    alice.pay(bob.address(), amount(200));
    bench.closeWallet(alice);
    bench.gateway.faults.mailboxDown = false;

    Wallet again = bench.toRestore("again", words);
    assertThat(again.restore().transfers()).isEqualTo(2);
    assertThat(again.balance()).isEqualTo(coins(1, 500));
    bob.receive();
    assertThat(bob.balance()).as("both were delivered again").isEqualTo(coins(2, 500));
  }

  @Test
  @Spec("W-14")
  void aTransferInFlightIsFinishedByARestore() {
    Wallet alice = fundedOfWords("alice", 1_000);
    bench.closeWallet(alice);
    Wallet bob = bench.create("bob");
    Wallet impatient = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.payAt(impatient, bob, 250, 1, 2);
    bench.closeWallet(impatient);
    Wallet again = bench.toRestore("again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    WalletStatus status = again.status();
    assertThat(status.transferInFlight()).isFalse();
    assertThat(status.restoring()).isFalse();
    assertThat(again.balance()).isEqualTo(coins(1, 750));
    assertThat(bob.receive()).hasSize(1);
  }

  /**
   * One authority holds both coins, one is away: too few sign that the second coin is free, and the
   * transfer that spends it is found by the first one.
   */
  @Test
  @Spec("W-14")
  void aTransferAtOneAuthorityIsFinishedAlthoughAnotherOneIsAway() {
    bench.closeWallet(fundedOfWords("alice", 600, 500));
    Wallet bob = bench.create("bob");
    Wallet impatient = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.payAt(impatient, bob, 1_000, 1);
    bench.closeWallet(impatient);
    bench.only(1, 2, 3);
    Wallet again = bench.toRestore("again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance()).isEqualTo(coins(1, 100));
    assertThat(bob.receive()).hasSize(1);
  }

  /** Anybody with the address can seal a parcel to it, with a coin that is really the payee's. */
  @Test
  @Spec({"W-06", "F-04", "F-09"})
  void onlyTheWalletItselfCanCallACoinItsOwn() {
    Wallet bob = bench.create("bob");
    TestCommittee committee = TestCommittee.unregulated();
    FieldElement rho = Samples.field(77);
    Signature signature =
        committee.sign(
            committee
                .suite()
                .coinMessage(new Coin(Origin.PAYMENT, amount(9), bob.address().apk(), rho)));
    post(bob, new Parcel.OwnCoin(Origin.OWN, amount(9), rho, signature, 0, Digest32.sha256()));
    post(bob, new Parcel.Minted(amount(9), rho, signature, 0));
    post(bob, new Parcel.Payment(Origin.OWN, amount(9), rho, signature, 0, ""));
    assertThat(bob.receive()).isEmpty();
    assertThat(bob.balance()).isEqualTo(coins(0, 0));
    post(bob, new Parcel.Payment(Origin.PAYMENT, amount(9), rho, signature, 0, "a payment"));
    assertThat(bob.receive()).hasSize(1);
    assertThat(bob.history()).hasSize(1);
  }

  private void post(Wallet payee, Parcel parcel) {
    byte[] blob =
        new ParcelCipher(TestCommittee.NETWORK).seal(payee.address().encryptionKey(), parcel);
    bench.gateway.mailbox().add(Base64.getUrlEncoder().withoutPadding().encodeToString(blob));
  }
}
