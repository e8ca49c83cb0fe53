package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.Balance;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.util.List;
import java.util.ListIterator;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that do not know the newest transfer: a restore that stopped early, and a copy of the file
 * from before a payment. Two of four authorities hold that payment, so a second one out of the same
 * compliance coin would lock the balance.
 */
@Tag("process")
@Spec({"W-03", "W-05"})
class StaleCopyTest {

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet bob;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bob = bench.registered("bob");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** The wallet pays, and its request reaches these authorities only. */
  private void payHalf(String name, long minor, Integer... authorities) {
    Wallet wallet = bench.reopen(name, WalletBench.IMPATIENT);
    bench.gateway.faults.onTransfer =
        request ->
            List.of(authorities)
                .forEach(i -> bench.gateway.committee.authority(i).reserveOnly(request));
    bench.gateway.faults.lostRequests.set(Integer.MAX_VALUE);
    WalletException failure =
        catchThrowableOfType(
            WalletException.class,
            () -> wallet.pay(bob.address(), amount(minor), "from the lost phone"));
    assertThat(failure.error()).isEqualTo(WalletError.TRANSFER_IN_FLIGHT);
    bench.closeWallet(wallet);
    bench.gateway.faults.lostRequests.set(0);
    bench.gateway.faults.onTransfer = null;
  }

  private void assertBobReceives(String... references) {
    assertThat(bob.receive().stream().map(coin -> coin.reference())).containsExactly(references);
  }

  @Test
  void aPaymentFinishesAnInterruptedRestoreFirst() {
    bench.closeWallet(bench.funded("alice", words, 1_000));
    payHalf("alice", 250, 1, 2);
    Wallet again = bench.toRestore("again", words);
    bench.gateway.faults.coinStatesDown = true;
    assertThatThrownBy(again::restore).isInstanceOf(ProtocolException.class);
    assertThat(again.status().restoring()).isTrue();
    bench.gateway.faults.coinStatesDown = false;
    bench.closeWallet(again);

    Wallet opened = bench.reopen("again", WalletBench.IMPATIENT);
    assertThat(opened.status().restoring()).isTrue();
    opened.pay(bob.address(), amount(100), "coffee");
    assertThat(opened.status().restoring()).isFalse();
    assertThat(opened.balance()).isEqualTo(new Balance(amount(650), amount(0), 0));
    assertBobReceives("from the lost phone", "coffee");
  }

  @Test
  void aPaymentFromAnOldBackupFinishesTheNewerOneFirst() {
    Wallet alice = bench.funded("alice", 1_000);
    alice.claim();
    bench.closeWallet(alice);
    bench.copy("alice", "backup");
    payHalf("alice", 250, 1, 2);

    Wallet backup = bench.reopen("backup", WalletBench.IMPATIENT);
    backup.pay(bob.address(), amount(100), "coffee");
    assertThat(backup.balance()).isEqualTo(new Balance(amount(650), amount(0), 0));
    assertBobReceives("from the lost phone", "coffee");
  }

  /** The transfer that authorities hold claims a coin that came after the backup. */
  @Test
  void anOldBackupFetchesTheCoinsThatTheNewerPaymentClaims() {
    bench.closeWallet(bench.funded("alice", 1_000));
    bench.copy("alice", "backup");
    Wallet alice = bench.reopen("alice");
    bench.fund(alice, 500);
    bench.closeWallet(alice);
    payHalf("alice", 250, 1, 2);
    bench.gateway.rules.policy(
        100_000, 500_000, 900_000, 40); // so that the transfer needs a new proof

    Wallet backup = bench.reopen("backup");
    backup.pay(bob.address(), amount(100), "coffee");
    assertThat(backup.balance().total()).isEqualTo(amount(1_150));
    assertBobReceives("from the lost phone", "coffee");
  }

  /**
   * The second one was made while 2f+1 authorities reported the coin as unspent, so only the second
   * can have a quorum, as soon as authority 2 is back.
   */
  @Test
  void ofTwoHalfSentTransfersTheLaterOneIsFinished() {
    Wallet alice = bench.funded("alice", 1_000);
    alice.claim();
    bench.closeWallet(alice);
    bench.copy("alice", "second");
    bench.copy("alice", "third");
    payHalf("alice", 250, 1);
    bench.gateway.committee.authority(1).up(false);
    payHalf("second", 100, 2, 3);
    bench.gateway.committee.authority(1).up(true);

    bench.gateway.committee.authority(2).up(false);
    Wallet third = bench.reopen("third", WalletBench.IMPATIENT);
    ProtocolException waits =
        catchThrowableOfType(ProtocolException.class, () -> third.pay(bob.address(), amount(5)));
    assertThat(waits.code()).isEqualTo(RejectionCode.NO_QUORUM);
    bench.gateway.committee.authority(2).up(true);
    third.pay(bob.address(), amount(5), "third");
    assertThat(third.balance()).isEqualTo(new Balance(amount(895), amount(0), 0));
    assertBobReceives("from the lost phone", "third");
  }

  /** An answer costs a request: one for a session, none for its following payments. */
  @Test
  void asksOnceInASession() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet alice = bench.reopen("alice");
    bench.gateway.routes.clear();
    for (int i = 0; i < 3; i++) {
      alice.pay(bob.address(), amount(10));
    }
    assertThat(bench.gateway.routes)
        .filteredOn(route -> route.equals("POST /v1/coins/state"))
        .hasSize(1);
  }

  @Test
  void paysNothingWhileTooFewAuthoritiesAnswer() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet alice = bench.reopen("alice");
    bench.gateway.committee.authority(1).up(false);
    bench.gateway.committee.authority(2).up(false);
    bench.gateway.transfers.clear();
    ProtocolException refused =
        catchThrowableOfType(ProtocolException.class, () -> alice.pay(bob.address(), amount(10)));
    assertThat(refused.code()).isEqualTo(RejectionCode.NO_QUORUM);
    assertThat(refused.code().retryable()).isTrue();
    assertThat(alice.status().transferInFlight()).isFalse();
    assertThat(bench.gateway.transfers).isEmpty();
    bench.gateway.committee.authority(2).up(true);
    alice.pay(bob.address(), amount(10));
    assertThat(alice.balance().held()).isEqualTo(amount(990));
  }

  /** One authority alone shows a transfer that was given up; the others never get it. */
  @Test
  void aLiarWithAnAbandonedTransferStopsNobody() {
    bench.closeWallet(bench.funded("alice", 1_000));
    bench.copy("alice", "backup");
    payHalf("alice", 250);
    TransferRequest first = bench.gateway.transfers.getLast();
    bench.gateway.rules.period(new Period(202612));
    bench.gateway.faults.lookUps.put(
        3,
        (lead, truth) -> lead.equals(first.statement().leadSerial()) ? Optional.of(first) : truth);
    Wallet backup = bench.reopen("backup");
    backup.pay(bob.address(), amount(100), "backup");
    assertThat(backup.status().transferInFlight()).isFalse();
    bench.closeWallet(backup);

    Wallet alice = bench.reopen("alice");
    assertThat(catchThrowableOfType(ProtocolException.class, alice::settle).code())
        .isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(alice.status().transferInFlight()).isFalse();
    alice.pay(bob.address(), amount(100), "alice");
    assertThat(alice.balance().total()).isEqualTo(amount(800));
    assertBobReceives("backup", "alice");
  }

  /** The backup has a transfer in flight that the newer file gave up and replaced. */
  @Test
  void anOldBackupDropsATransferThatWasReplaced() {
    bench.closeWallet(bench.funded("alice", 1_000));
    payHalf("alice", 250);
    bench.copy("alice", "backup");
    bench.gateway.rules.period(new Period(202612));
    Wallet alice = bench.reopen("alice");
    assertThat(alice.settle()).isEmpty();
    alice.pay(bob.address(), amount(100), "replaced");
    bench.closeWallet(alice);

    Wallet backup = bench.reopen("backup");
    assertThatThrownBy(backup::settle).isInstanceOf(ProtocolException.class);
    assertThat(backup.status().transferInFlight()).isFalse();
    backup.pay(bob.address(), amount(10), "after");
    assertThat(backup.balance().total()).isEqualTo(amount(890));
    assertBobReceives("replaced", "after");
  }

  @Test
  @Spec("W-06")
  void aPayerCannotCallAPaymentAMint() {
    Wallet alice = bench.funded("alice", 1_000);
    String bobsWords = WalletBench.newPhrase();
    Wallet shop = bench.restored("shop", bobsWords);
    alice.pay(shop.address(), amount(700), "taxable");
    ParcelCipher cipher = new ParcelCipher(TestCommittee.NETWORK);
    try (SeedPhrase phrase = SeedPhrase.parse(bobsWords);
        WalletKeys keys = WalletKeys.derive(phrase, TestCommittee.NETWORK)) {
      // the payer knows value, rho and signature of the coin; here they come from its parcel
      HpkePrivateKey key = keys.encryptionKey();
      for (ListIterator<String> i = bench.gateway.mailbox().listIterator(); i.hasNext(); ) {
        Optional<Parcel> parcel = cipher.open(key, Base64Url.decode(i.next(), "blob"));
        if (parcel.isPresent() && parcel.get() instanceof Parcel.Payment p) {
          i.set(
              Base64Url.encode(
                  cipher.seal(
                      shop.address().encryptionKey(),
                      new Parcel.Minted(p.value(), p.rho(), p.signature(), -1))));
        }
      }
    }
    shop.receive();
    assertThat(shop.history()).noneMatch(item -> item.kind() == HistoryItem.Kind.MINTED);
  }

  @Test
  void aRefusedDeliveryDoesNotHoldBackLaterOnes() {
    Wallet alice = bench.funded("alice", 1_000);
    bench.gateway.faults.refusesNextBlob = true;
    assertThat(alice.pay(bob.address(), amount(100), "refused").delivered()).isFalse();
    assertThat(alice.pay(bob.address(), amount(200), "later").delivered()).isFalse();
    assertBobReceives("later");
    assertThat(alice.status().pendingDeliveries()).isEqualTo(1);
    bench.gateway.faults.refusedBlobs.clear();
    alice.settle();
    assertBobReceives("refused");
  }
}
