package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.ACCOUNT;
import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintId;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.Balance;
import io.solidus.wallet.HistoryItem;
import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What wallets are for, with a real committee; what comes together in one proof, with real ones.
 */
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
  void moneyGoesFromMintToPayeeAndOutAgain() {
    bench = bench.withRealProofs();
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
        PayoutBlocks.open(bench.gateway.deskKey, bench.gateway.mint.payoutBlocks().getFirst());
    assertThat(payout).contains("DE02120300000000202051", "Ada Lovelace");
    assertThat(alice.receive()).isEmpty();
  }

  @Test
  void aPayeeNeedsNoClaimToPayOn() {
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

  @Test
  void manyCoinsAreClaimedFirstWhenTwoDoNotSuffice() {
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
  void whatWouldBreakTheHoldingLimitLeavesInTheSameProof() {
    bench = bench.withRealProofs();
    Wallet alice = bench.funded("alice", 9_000);
    Wallet bob = bench.registered("bob");
    bench.gateway.rules.policy(100_000, 500_000, 1_000, 50);
    Payment paid = alice.payWithSurplus(bob.address(), amount(500), "", ACCOUNT);
    assertThat(paid.paid()).isEqualTo(amount(500));
    assertThat(paid.withdrawn()).isEqualTo(amount(7_500));
    assertThat(alice.balance().held()).isEqualTo(amount(1_000));
    assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(7_500);
  }

  @Test
  void aClaimCanPassItsSurplusOn() {
    Wallet alice = bench.funded("alice", 9_000);
    bench.gateway.rules.policy(100_000, 500_000, 1_000, 50);
    assertThat(alice.claimWithSurplus(ACCOUNT).orElseThrow().withdrawn()).isEqualTo(amount(8_000));
    assertThat(alice.balance()).isEqualTo(new Balance(amount(1_000), amount(0), 0));
  }

  @Test
  void registrationAndMintWaitForPeople() {
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
  void historyOpensToTheCommitmentThatTheCoinCarries() {
    Wallet alice = bench.funded("alice", 5_000);
    Wallet bob = bench.registered("bob");
    TxCore first = alice.pay(bob.address(), amount(100), "one").core();
    alice.withdraw(amount(50), ACCOUNT);
    assertThat(alice.history().stream().map(HistoryItem::kind))
        .containsExactly(
            HistoryItem.Kind.MINTED,
            HistoryItem.Kind.CLAIMED,
            HistoryItem.Kind.PAID,
            HistoryItem.Kind.WITHDRAWN);
    bench.closeWallet(alice);
    HistoryCheck.requireOpens(bench.path("alice"));

    JsonNode evidence =
        JsonMapper.builder().build().readTree(bench.reopen("alice").exportEvidence(first));
    assertThat(evidence.path("partials").size()).isEqualTo(3);
    assertThat(evidence.path("opening").path("paidMinor").asLong()).isEqualTo(100);
    assertThat(evidence.path("request").path("statement").path("family").asInt()).isEqualTo(3);
  }

  @Test
  void allMailboxBlobsLookAlike() {
    Wallet alice = bench.funded("alice", 500);
    alice.pay(bench.registered("bob").address(), amount(5), "x".repeat(140));
    List<String> blobs = bench.gateway.mailbox();
    assertThat(blobs)
        .hasSize(6)
        .allSatisfy(blob -> assertThat(blob).hasSize(1_600))
        .doesNotHaveDuplicates();
  }

  /**
   * The attack: a payee shows her coin to an authority, which looks for the transfer whose blinded
   * coin has that base.
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
          InputDigest d = request.statement().inputDigest(TestKeys.NETWORK);
          assertThat(request.statement().outputs())
              .isNotEmpty()
              .noneSatisfy(coin ->
                  assertThat(bench.platform.suite().blindBase(coin, d))
                      .isEqualTo(received.signature().s1()));
        });
    assertThat(bob.receive()).hasSize(1);
  }

  private Parcel.Payment payment(String words) {
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        WalletKeys keys = WalletKeys.derive(phrase, TestKeys.NETWORK)) {
      ParcelCipher cipher = new ParcelCipher(TestKeys.NETWORK);
      return bench.gateway.mailbox().stream()
          .flatMap(
              blob -> cipher.open(keys.encryptionKey(), Base64Url.decode(blob, "blob")).stream())
          .filter(Parcel.Payment.class::isInstance)
          .map(Parcel.Payment.class::cast)
          .findFirst()
          .orElseThrow();
    }
  }
}
