package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.ACCOUNT;
import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Address;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.MintId;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
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
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payments, claims and withdrawals with a real committee; some tests make real proofs. */
@Tag("process")
class PaymentFlowTest {
  @TempDir private Path folder;
  private WalletBench bench;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void mintsPaysClaimsAndWithdraws() {
    bench.useRealProofs();
    Wallet alice = bench.funded("alice", 10_000);
    Wallet bob = bench.registered("bob");
    assertThat(alice.balance()).isEqualTo(new Balance(amount(0), amount(10_000), 1));

    Payment paid = alice.pay(bob.address(), amount(2_500), "coffee for a year");
    assertThat(paid.claimed()).isEqualTo(amount(10_000));
    assertThat(paid.delivered()).isTrue();
    assertThat(alice.balance()).isEqualTo(new Balance(amount(7_500), amount(0), 0));

    assertThat(bob.receive())
        .singleElement()
        .satisfies(receipt -> {
          assertThat(receipt.value()).isEqualTo(amount(2_500));
          assertThat(receipt.reference()).isEqualTo("coffee for a year");
        });
    assertThat(bob.claim().orElseThrow().claimed()).isEqualTo(amount(2_500));
    assertThat(bob.balance()).isEqualTo(new Balance(amount(2_500), amount(0), 0));

    Payment withdrawn = bob.withdraw(amount(400), ACCOUNT);
    assertThat(withdrawn.redeemed()).isTrue();
    assertThat(bob.balance().held()).isEqualTo(amount(2_100));
    assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(400);
    String payout =
        PayoutBlockReader.open(
            bench.gateway.issuerKey, bench.gateway.mint.payoutBlocks().getFirst());
    assertThat(payout).contains("DE02120300000000202051", "Ada Lovelace");
    assertThat(alice.receive()).isEmpty();
  }

  /** The name of the mailbox reaches the payer, who cannot deliver to it yet. */
  @Test
  @Spec("F-14")
  void aPayeeOfAnotherMailboxIsShownAndRefused() {
    Wallet alice = bench.create("alice");
    Address bob = bench.create("bob").address();
    assertThat(bob.mailbox()).isEqualTo(Mailbox.NETWORK);
    String text =
        new Address(bob.apk(), bob.encryptionKey(), new Mailbox("post.example.org"))
            .encode(TestCommittee.NETWORK);
    Address payee = alice.parseAddress(text);
    assertThat(payee.mailbox()).hasToString("post.example.org");
    foreignMailbox(() -> alice.pay(payee, amount(1)));
    foreignMailbox(() -> alice.payWithSurplus(payee, amount(1), "", ACCOUNT));
    assertThat(alice.status().transferInFlight()).isFalse();
  }

  private static void foreignMailbox(ThrowingCallable payment) {
    WalletException refused = catchThrowableOfType(WalletException.class, payment);
    assertThat(refused.error()).isEqualTo(WalletError.FOREIGN_MAILBOX);
    assertThat(refused).hasMessageContaining("post.example.org");
  }

  @Test
  void aPayeeCanPayWithoutAClaim() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.registered("bob");
    alice.pay(bob.address(), amount(600));
    bob.receive();
    Payment onward = bob.pay(alice.address(), amount(250));
    assertThat(onward.claimed()).isEqualTo(amount(600));
    assertThat(onward.claimsBefore()).isEmpty();
    assertThat(bob.balance().total()).isEqualTo(amount(350));
    assertThat(alice.receive()).hasSize(1);
    assertThat(alice.balance()).isEqualTo(new Balance(amount(400), amount(250), 1));
  }

  /** A coin keeps its origin from the message to the history: minted, received, own. */
  @Test
  void everyOriginIsClaimedAndWrittenIntoTheHistory() {
    bench.useRealProofs();
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.registered("bob");
    alice.pay(alice.address(), amount(300));
    assertThat(alice.receive())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.origin()).isEqualTo(Origin.OWN));
    alice.pay(bob.address(), amount(200));
    assertThat(bob.receive())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.origin()).isEqualTo(Origin.PAYMENT));
    bob.claim();
    assertThat(alice.balance()).isEqualTo(new Balance(amount(800), amount(0), 0));
    assertThat(bob.balance()).isEqualTo(new Balance(amount(200), amount(0), 0));
    bench.closeWallet(alice);
    bench.closeWallet(bob);
    HistoryCheck.requireOpens(bench.path("alice"));
    HistoryCheck.requireOpens(bench.path("bob"));
  }

  /** Nobody but the issuer and the owner can tell a transfer with a payout from one without. */
  @Test
  @Spec("E-13")
  void theBlockOfATransferWithoutAPayoutIsRandom() {
    Wallet alice = bench.funded("alice", 100, 200);
    alice.pay(bench.create("bob").address(), amount(10));
    alice.pay(bench.create("carol").address(), amount(20));
    assertThat(bench.gateway.transfers)
        .hasSize(2)
        .allSatisfy(request -> {
          byte[] block = request.attachments().payoutBlock();
          assertThat(block[31])
              .as("the highest bit of an encapsulated key is zero")
              .isNotNegative();
          Set<Byte> values = new HashSet<>();
          for (byte b : block) {
            values.add(b);
          }
          assertThat(values).hasSizeGreaterThan(100);
        });
    assertThat(bench.gateway.transfers.getFirst().attachments().payoutBlock())
        .isNotEqualTo(bench.gateway.transfers.getLast().attachments().payoutBlock());
  }

  @Test
  void claimsPrecedeAPaymentThatNeedsMoreThanTwoCoins() {
    Wallet alice = bench.funded("alice", 100, 110, 120);
    Wallet bob = bench.registered("bob");
    Payment paid = alice.pay(bob.address(), amount(300));
    assertThat(paid.claimsBefore()).hasSize(1);
    assertThat(alice.balance()).isEqualTo(new Balance(amount(30), amount(0), 0));
    assertThat(alice.status().count()).isEqualTo(2);
    assertThat(alice.status().sent()).isEqualTo(amount(300));
  }

  @Test
  void rulesMayChangeBetweenTheTransfersOfOnePayment() {
    Wallet alice = bench.funded("alice", 100, 110, 120);
    Wallet stranger = bench.create("stranger");
    bench.gateway.faults.onTransfer =
        request -> {
          if (bench.gateway.transfers.size() == 1) {
            bench.gateway.rules.sanction(stranger.address().apk());
          }
        };
    alice.pay(bench.create("bob").address(), amount(300));
    assertThat(alice.balance().held()).isEqualTo(amount(30));
    assertThat(bench.gateway.transfers).hasSize(3);
  }

  @Test
  void aPaymentWithdrawsTheSurplusAboveTheHoldingLimit() {
    bench.closeWallet(bench.funded("alice", 9_000));
    Wallet bob = bench.registered("bob");
    bench.useRealProofs();
    Wallet alice = bench.reopen("alice");
    bench.gateway.rules.policy(100_000, 500_000, 1_000, 50);
    Payment paid = alice.payWithSurplus(bob.address(), amount(500), "", ACCOUNT);
    assertThat(paid.paid()).isEqualTo(amount(500));
    assertThat(paid.withdrawn()).isEqualTo(amount(7_500));
    assertThat(alice.balance().held()).isEqualTo(amount(1_000));
    assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(7_500);
  }

  @Test
  void aClaimWithdrawsTheSurplusAboveTheHoldingLimit() {
    Wallet alice = bench.funded("alice", 9_000);
    bench.gateway.rules.policy(100_000, 500_000, 1_000, 50);
    assertThat(alice.claimWithSurplus(ACCOUNT).orElseThrow().withdrawn()).isEqualTo(amount(8_000));
    assertThat(alice.balance()).isEqualTo(new Balance(amount(1_000), amount(0), 0));
  }

  @Test
  void registrationAndMintWaitForDecisions() {
    bench.gateway.approveRegistrations(false);
    Wallet alice = bench.create("alice");
    assertThat(alice.status().registration()).isEqualTo(RegistrationStatus.Stage.NONE);
    Person ada = new Person("Ada", "Lovelace", LocalDate.of(1990, 12, 10), "GB", "X1");
    assertThat(alice.register(ada).stage()).isEqualTo(RegistrationStatus.Stage.PENDING);
    assertThat(alice.register(ada).stage()).isEqualTo(RegistrationStatus.Stage.PENDING);
    bench.gateway.approveRegistrations(true);
    assertThat(alice.collectRegistration().stage()).isEqualTo(RegistrationStatus.Stage.REGISTERED);

    MintId id = alice.requestMint("F-1", "token", amount(700));
    assertThat(alice.requestMint("F-1", "token", amount(700))).isEqualTo(id);
    assertThat(alice.collectMint(id)).isEmpty();
    assertThat(alice.pendingMints()).containsExactly(id);
    bench.gateway.mint.approveAll();
    assertThat(alice.collectMint(id).orElseThrow().value()).isEqualTo(amount(700));
    assertThat(alice.pendingMints()).isEmpty();
  }

  @Test
  @Spec("O-12")
  void theHistoryOpensTheCommitmentInTheCoin() {
    Wallet alice = bench.funded("alice", 5_000);
    Wallet bob = bench.registered("bob");
    alice.pay(bob.address(), amount(100), "one");
    alice.withdraw(amount(50), ACCOUNT);
    assertThat(alice.history().stream().map(HistoryItem::kind))
        .containsExactly(
            HistoryItem.Kind.MINTED,
            HistoryItem.Kind.CLAIMED,
            HistoryItem.Kind.PAID,
            HistoryItem.Kind.WITHDRAWN);
    bench.closeWallet(alice);
    HistoryCheck.requireOpens(bench.path("alice"));
  }

  @Test
  void allMailboxBlobsHaveOneSize() {
    Wallet alice = bench.funded("alice", 500);
    alice.pay(bench.registered("bob").address(), amount(5), "x".repeat(140));
    List<String> blobs = bench.gateway.mailbox();
    assertThat(blobs)
        .hasSize(6)
        .allSatisfy(blob -> assertThat(blob).hasSize(1_600))
        .doesNotHaveDuplicates();
  }

  /**
   * The attack: a payee shows the received coin to an authority, which looks for the transfer whose
   * blinded coin has the base of the coin's signature.
   */
  @Test
  @Spec("W-06")
  void aPayeeAndAnAuthorityDoNotFindTheTransferByTheCoinsSignature() {
    Wallet alice = bench.funded("alice", 500);
    String words = WalletBench.newPhrase();
    Wallet bob = WalletBench.registered(bench.restored("bob", words));
    alice.pay(bob.address(), amount(5));

    Parcel.Payment received = payment(words);
    assertThat(bench.gateway.transfers)
        .isNotEmpty()
        .allSatisfy(request -> {
          Outputs outputs = Outputs.of(TestCommittee.NETWORK, request.statement());
          for (int j = 0; j < outputs.coins().size(); j++) {
            assertThat(bench.platform.suite().blindBase(outputs, j))
                .isNotEqualTo(received.signature().s1());
          }
        });
    assertThat(bob.receive()).hasSize(1);
  }

  /** The signature is on the coin's message, which holds the origin. */
  @Test
  @Spec("W-06")
  void aCoinIsAcceptedWithItsTrueOriginOnly() {
    Wallet alice = bench.funded("alice", 500);
    String words = WalletBench.newPhrase();
    Wallet bob = WalletBench.registered(bench.restored("bob", words));
    alice.pay(bob.address(), amount(5));
    Parcel.Payment received = payment(words);
    ParcelCipher cipher = new ParcelCipher(TestCommittee.NETWORK);
    for (Origin origin : List.of(Origin.MINT, Origin.OWN)) {
      Parcel other =
          new Parcel.Payment(
              origin, received.value(), received.rho(), received.signature(), 0, "changed");
      byte[] blob = cipher.seal(bob.address().encryptionKey(), other);
      bench.gateway.mailbox().addFirst(Base64Url.encode(blob));
    }
    assertThat(bob.receive())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.origin()).isEqualTo(Origin.PAYMENT));
  }

  private Parcel.Payment payment(String words) {
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        WalletKeys keys = WalletKeys.derive(phrase, TestCommittee.NETWORK)) {
      ParcelCipher cipher = new ParcelCipher(TestCommittee.NETWORK);
      return bench.gateway.mailbox().stream()
          .flatMap(
              blob -> cipher.open(keys.encryptionKey(), Base64Url.decode(blob, "blob")).stream())
          .filter(Parcel.Payment.class::isInstance)
          .map(Parcel.Payment.class::cast)
          .findFirst()
          .orElseThrow();
    }
  }

  /** A wrong token of a funding: the file would have kept a mint that nobody can decide. */
  @Test
  void aMintThatTheIssuerDoesNotTakeIsForgotten() {
    Wallet wallet = bench.registered("wallet");
    bench.gateway.mint.refusal = RejectionCode.NOT_FOUND;
    assertThat(
            catchThrowableOfType(
                    ProtocolException.class,
                    () -> wallet.requestMint("funding", "wrong", amount(5)))
                .code())
        .isEqualTo(RejectionCode.NOT_FOUND);
    assertThat(wallet.pendingMints()).isEmpty();
  }

  @Test
  void aMintThatTheIssuerHasIsKeptWhateverItAnswers() {
    Wallet wallet = bench.registered("wallet");
    MintId id = wallet.requestMint("funding", "token", amount(5));
    bench.gateway.mint.refusal = RejectionCode.FORBIDDEN;
    assertThat(
            catchThrowableOfType(
                    ProtocolException.class,
                    () -> wallet.requestMint("funding", "token", amount(5)))
                .code())
        .isEqualTo(RejectionCode.FORBIDDEN);
    assertThat(wallet.pendingMints()).containsExactly(id);
    bench.gateway.mint.refusal = null;
    bench.gateway.mint.approveAll();
    assertThat(wallet.collectMint(id)).isPresent();
  }
}
