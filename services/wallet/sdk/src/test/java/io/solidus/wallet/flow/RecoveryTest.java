package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.ACCOUNT;
import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wallet.Balance;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.session.Progress;
import io.solidus.wallet.session.Restorer;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After lost answers, crashes, lost files and with old backups, transfers are finished and no money
 * is lost.
 */
@Tag("process")
class RecoveryTest {

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private List<TransferStatement> statements() {
    return bench.gateway.transfers.stream().map(TransferRequest::statement).toList();
  }

  @Test
  void aLostAnswerIsRequestedAgainWithTheSameCore() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.faults.lostReplies.set(2);
    alice.pay(bob.address(), amount(10));
    assertThat(statements()).hasSize(3);
    assertThat(statements().stream().distinct()).hasSize(1);
    assertThat(alice.balance().held()).isEqualTo(amount(990));
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  @Spec({"W-03", "V-12"})
  void aTransferWithoutAnAnswerIsFinishedAfterACrash() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.gateway.faults.lostReplies.set(Integer.MAX_VALUE);
    assertInFlight(() -> alice.pay(bob.address(), amount(10)));
    assertThat(alice.status().transferInFlight()).isTrue();
    bench.closeWallet(alice);

    bench.gateway.faults.lostReplies.set(0);
    Wallet reopened = bench.reopen("alice");
    assertThat(reopened.settle()).isPresent();
    assertThat(statements().stream().distinct()).hasSize(1);
    assertThat(reopened.status().transferInFlight()).isFalse();
    assertThat(reopened.balance().held()).isEqualTo(amount(990));
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void aTransferInFlightIsFinishedBeforeTheNextPayment() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    assertInFlight(() -> alice.pay(bob.address(), amount(10), "first"));
    bench.gateway.faults.lostRequests.set(0);
    alice.pay(bob.address(), amount(20), "second");
    assertThat(bob.receive().stream().map(receipt -> receipt.reference()))
        .containsExactly("first", "second");
    assertThat(alice.balance().held()).isEqualTo(amount(970));
  }

  @Test
  @Spec({"W-03", "V-12"})
  void aStalePolicyRenewsTheProofAndKeepsTheCore() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    bench.useRealProofs();
    Wallet alice = bench.reopen("alice");
    bench.gateway.faults.onTransfer =
        request -> {
          if (bench.gateway.rules.policy().version() == 1) {
            bench.gateway.rules.policy(100_000, 500_000, 900_000, 40);
          }
        };
    alice.pay(bob.address(), amount(10));
    List<TransferRequest> sent = bench.gateway.transfers;
    assertThat(sent).hasSize(2);
    assertThat(sent.get(1).statement()).isEqualTo(sent.get(0).statement());
    assertThat(sent.get(0).evidence().policyVersion()).isEqualTo(1);
    assertThat(sent.get(1).evidence().policyVersion()).isEqualTo(2);
    assertThat(sent.get(1).evidence().proof()).isNotEqualTo(sent.get(0).evidence().proof());
    assertThat(sent.get(1).evidence().rk()).isNotEqualTo(sent.get(0).evidence().rk());
    assertThat(alice.balance().held()).isEqualTo(amount(990));
  }

  @Test
  void aNewSanctionListRenewsTheProofAndKeepsTheCore() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    Wallet carol = bench.create("carol");
    bench.gateway.faults.onTransfer =
        request -> {
          if (bench.gateway.rules.checkpoint().version() == 1) {
            bench.gateway.rules.sanction(carol.address().apk());
          }
        };
    alice.pay(bob.address(), amount(10));
    assertThat(statements()).hasSize(2);
    assertThat(statements().stream().distinct()).hasSize(1);
    assertThat(bench.gateway.transfers.get(1).evidence().checkpointVersion()).isEqualTo(2);
  }

  @Test
  @Spec("W-05")
  void aPhraseRestoresEverything() {
    Wallet alice = bench.funded("alice", words, 1_000, 500);
    Wallet bob = bench.funded("bob", 300);
    alice.pay(bob.address(), amount(100), "one");
    alice.withdraw(amount(50), ACCOUNT);
    bob.pay(alice.address(), amount(200), "back");
    alice.receive();
    List<HistoryItem> history = alice.history();
    Balance balance = alice.balance();
    bench.closeWallet(alice);

    bench.useRealProofs();
    Wallet again = bench.restored("alice-again", words);
    Restorer.Restored restored = again.restore();
    assertThat(restored).isEqualTo(new Restorer.Restored(3, 2, true, new TreeSet<>()));
    assertThat(again.balance())
        .isEqualTo(balance)
        .isEqualTo(new Balance(amount(1_350), amount(200), 1));
    assertThat(again.history()).containsExactlyInAnyOrderElementsOf(history);
    bob.receive();
    again.pay(bob.address(), amount(1_500));
    assertThat(bob.receive()).hasSize(1);
    bench.closeWallet(again);
    HistoryCheck.requireOpens(bench.path("alice-again"));
  }

  @Test
  @Spec({"W-05", "V-12"})
  void aPhraseFinishesATransferThatSomeValidatorsReserved() {
    bench.closeWallet(bench.funded("alice", words, 1_000));
    Wallet bob = bench.create("bob");
    bench.useRealProofs();
    Wallet alice = bench.reopen("alice", WalletBench.IMPATIENT);
    bench.gateway.faults.onTransfer =
        request -> {
          bench.gateway.committee.authority(1).reserveOnly(request);
          bench.gateway.committee.authority(2).reserveOnly(request);
        };
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    assertInFlight(() -> alice.pay(bob.address(), amount(250), "before the flood"));
    bench.closeWallet(alice);
    bench.gateway.faults.lostRequests.set(0);
    bench.gateway.faults.onTransfer = null;
    bench.gateway.rules.policy(
        100_000, 500_000, 900_000, 40); // so that the transfer needs a new proof

    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(statements().stream().distinct()).hasSize(1);
    assertThat(again.balance()).isEqualTo(new Balance(amount(750), amount(0), 0));
    assertThat(bob.receive())
        .singleElement()
        .satisfies(r -> assertThat(r.reference()).isEqualTo("before the flood"));
  }

  @Test
  void aPhraseResumesPendingDeliveriesAndPayouts() {
    Wallet alice = bench.funded("alice", words, 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.faults.mailboxDown = true;
    bench.gateway.faults.redemptionDown = true;
    assertThat(alice.pay(bob.address(), amount(100)).delivered()).isFalse();
    Payment withdrawn = alice.withdraw(amount(70), ACCOUNT);
    assertThat(withdrawn.redeemed()).isFalse();
    assertThat(alice.pay(bob.address(), amount(30)).delivered()).isFalse();
    bench.closeWallet(alice);
    bench.gateway.faults.mailboxDown = false;
    bench.gateway.faults.redemptionDown = false;

    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(3);
    assertThat(bob.receive().stream().map(receipt -> receipt.value()))
        .containsExactly(amount(100), amount(30));
    assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(70);
    assertThat(again.status().pendingDeliveries()).isZero();
  }

  /** The mailbox has lost the first compliance coin's signature too. */
  @Test
  @Spec("W-05")
  void aPhraseDeliversTheFirstPaymentAlthoughTheMailboxLostEverything() {
    Wallet alice = bench.funded("alice", words, 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.faults.mailboxDown = true;
    assertThat(alice.pay(bob.address(), amount(100), "first").delivered()).isFalse();
    bench.closeWallet(alice);
    bench.gateway.faults.mailboxDown = false;
    bench.gateway.mailbox().clear();

    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(bob.receive())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.reference()).isEqualTo("first"));
    assertThat(again.balance().held()).isEqualTo(amount(900));
  }

  @Test
  @Spec("W-05")
  void aPhraseRequestsTheFirstPayoutAlthoughTheMailboxLostEverything() {
    Wallet alice = bench.funded("alice", words, 1_000);
    bench.gateway.faults.redemptionDown = true;
    assertThat(alice.withdraw(amount(70), ACCOUNT).redeemed()).isFalse();
    bench.closeWallet(alice);
    bench.gateway.faults.redemptionDown = false;
    bench.gateway.mailbox().clear();

    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(70);
  }

  /** The money has left: an exception would make an application pay again. */
  @Test
  void aPaymentInterruptedBeforeItsDeliverySucceeds() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    WalletOptions slow =
        WalletBench.OPTIONS
            .withMaxMailboxDelay(Duration.ofMinutes(10))
            .withProgress(step -> {
              if (step == Progress.Step.DELIVERING) {
                Thread.currentThread().interrupt();
              }
            });
    Wallet alice = bench.reopen("alice", slow);
    Payment payment = alice.pay(bob.address(), amount(100), "invoice 4");
    assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
    assertThat(payment.delivered()).isFalse();
    assertThat(alice.status().transferInFlight()).isFalse();
    assertThat(alice.status().pendingDeliveries()).isEqualTo(1);
    bench.closeWallet(alice);
    bench.reopen("alice").settle();
    assertThat(bob.receive())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.reference()).isEqualTo("invoice 4"));
  }

  /** A till repeats what it does not know the outcome of. */
  @Test
  void aNamedPaymentIsMadeOnce() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withPatience(Duration.ofMillis(50)));
    bench.gateway.faults.lostReplies.set(Integer.MAX_VALUE);
    assertThatThrownBy(() -> alice.pay("order 7", bob.address(), amount(100), "books"))
        .isInstanceOf(WalletException.class);
    assertThatThrownBy(() -> alice.pay("order 7", bob.address(), amount(100), "books"))
        .isInstanceOf(WalletException.class);
    bench.gateway.faults.lostReplies.set(0);
    Payment made = alice.pay("order 7", bob.address(), amount(100), "books");
    assertThat(alice.pay("order 7", bob.address(), amount(100), "books").core())
        .isEqualTo(made.core());
    bench.closeWallet(alice);
    Wallet again = bench.reopen("alice");
    assertThat(again.pay("order 7", bob.address(), amount(100), "books").core())
        .isEqualTo(made.core());
    assertThatThrownBy(() -> again.pay("order 7", bob.address(), amount(101), "books"))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.IDEMPOTENCY_MISMATCH));
    assertThat(bob.receive()).hasSize(1);
    assertThat(again.balance().total()).isEqualTo(amount(900));
    again.pay("order 8", bob.address(), amount(100), "books");
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void aFailedDeliveryIsRepeatedByTheNextCommand() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.faults.mailboxDown = true;
    alice.pay(bob.address(), amount(100));
    assertThat(alice.status().pendingDeliveries()).isEqualTo(1);
    bench.gateway.faults.mailboxDown = false;
    alice.settle();
    assertThat(alice.status().pendingDeliveries()).isZero();
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void aPhraseContinuesAPendingRegistration() {
    bench.gateway.approveRegistrations(false);
    Wallet alice = bench.restored("alice", words);
    alice.register(new Person("Ada", "Lovelace", LocalDate.of(1990, 12, 10), "GB", "X1"));
    bench.closeWallet(alice);
    bench.gateway.approveRegistrations(true);

    Wallet again = bench.restored("alice-again", words);
    assertThat(again.restore().registered()).isFalse();
    assertThat(again.collectRegistration().stage()).isEqualTo(RegistrationStatus.Stage.REGISTERED);
  }

  @Test
  @Spec("W-05")
  void aPhraseIgnoresForeignRegistrationCases() {
    bench.gateway.approveRegistrations(false);
    Wallet alice = bench.restored("alice", words);
    alice.register(new Person("Ada", "Lovelace", LocalDate.of(1990, 12, 10), "GB", "X1"));
    bench
        .create("mallory")
        .register(new Person("Mal", "Lory", LocalDate.of(1990, 12, 10), "GB", "X2"));
    RegistrationCase foreign = new RegistrationCase("case-1", "token-case-1");
    RegistrationCase missing = new RegistrationCase("case-9", "token-case-9");
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        WalletKeys keys = WalletKeys.derive(phrase, TestCommittee.NETWORK)) {
      send(alice, new Parcel.Registering(missing, keys.caseTag(missing)));
      send(
          alice,
          new Parcel.Registering(
              foreign,
              keys.caseTag(foreign))); // tagged by this wallet, but the registration of another
    }
    send(alice, new Parcel.Registering(foreign, Digest32.sha256()));
    bench.closeWallet(alice);
    bench.gateway.approveRegistrations(true);

    Wallet again = bench.restored("alice-again", words);
    again.restore();
    assertThat(again.collectRegistration().stage()).isEqualTo(RegistrationStatus.Stage.REGISTERED);
  }

  @Test
  void aCaseWithoutTheWalletsTagIsNotRequested() {
    Wallet alice = bench.restored("alice", words);
    send(
        alice,
        new Parcel.Registering(new RegistrationCase("case-7", "token-case-7"), Digest32.sha256()));
    bench.closeWallet(alice);
    Wallet again = bench.restored("alice-again", words);
    again.restore();
    assertThat(again.status().registration()).isEqualTo(RegistrationStatus.Stage.NONE);
    assertThat(bench.gateway.routes).noneMatch(route -> route.contains("case-7"));
  }

  private void send(Wallet to, Parcel parcel) {
    byte[] blob =
        new ParcelCipher(TestCommittee.NETWORK).seal(to.address().encryptionKey(), parcel);
    bench.gateway.mailbox().add(Base64Url.encode(blob));
  }

  @Test
  void anOldBackupIsUpdatedAndCannotSpendTwice() {
    bench.closeWallet(bench.funded("alice", 1_000));
    bench.copy("alice", "old");
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice");
    alice.pay(bob.address(), amount(100));
    alice.pay(bob.address(), amount(200));
    bench.closeWallet(alice);

    Wallet old = bench.reopen("old");
    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> old.pay(bob.address(), amount(999)));
    assertThat(refused.code()).isEqualTo(RejectionCode.INSUFFICIENT_FUNDS);
    assertThat(old.balance()).isEqualTo(new Balance(amount(700), amount(0), 0));
    old.pay(bob.address(), amount(300));
    assertThat(bob.receive().stream().mapToLong(receipt -> receipt.value().minor()).sum())
        .isEqualTo(600);
  }

  /** A copy that has paid does not ask again: the conflict tells it. */
  @Test
  void ofTwoOpenCopiesOneFindsOutByTheConflict() {
    bench.closeWallet(bench.funded("alice", 1_000));
    bench.copy("alice", "copy");
    Wallet bob = bench.create("bob");
    Wallet copy = bench.reopen("copy");
    copy.pay(bob.address(), amount(10));
    Wallet alice = bench.reopen("alice");
    alice.pay(bob.address(), amount(100));

    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> copy.pay(bob.address(), amount(5)));
    assertThat(refused.code()).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(copy.balance().held()).isEqualTo(amount(890));
    copy.pay(bob.address(), amount(5));
    assertThat(copy.balance().held()).isEqualTo(amount(885));
  }

  @Test
  @Spec("W-06")
  void aCoinDeliveredRepeatedlyIsAcceptedOnce() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.registered("bob");
    alice.pay(bob.address(), amount(100));
    bench.gateway.mailbox().addAll(List.copyOf(bench.gateway.mailbox()));
    assertThat(bob.receive()).hasSize(1);
    assertThat(bob.receive()).isEmpty();
    bob.claim();
    bench.gateway.mailbox().addAll(List.copyOf(bench.gateway.mailbox()));
    assertThat(bob.receive()).isEmpty();
    assertThat(bob.balance().total()).isEqualTo(amount(100));
  }

  private static void assertInFlight(ThrowingCallable call) {
    WalletException failure = catchThrowableOfType(WalletException.class, call);
    assertThat(failure.error()).isEqualTo(WalletError.TRANSFER_IN_FLIGHT);
  }
}
