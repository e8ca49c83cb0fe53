package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Address;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.StubProofSystem;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways, authorities, provers and payers that misbehave. */
@Tag("process")
class UntrustedServicesTest {
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

  /** A user interface shows the balance while a service keeps the wallet waiting. */
  @Test
  void aServiceThatDoesNotAnswerDoesNotHideTheBalance() {
    Wallet alice = bench.funded("alice", 1_000);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    bench.gateway.faults.onExchange =
        exchange -> {
          asked.countDown();
          await(answer);
        };
    Thread waiting = Thread.startVirtualThread(alice::receive);
    await(asked);
    try {
      assertTimeoutPreemptively(
          Duration.ofSeconds(5),
          () -> {
            assertThat(alice.balance().total()).isEqualTo(amount(1_000));
            assertThat(alice.history()).hasSize(1);
            assertThat(alice.status().transferInFlight()).isFalse();
          });
      assertThat(waiting.isAlive()).isTrue();
    } finally {
      answer.countDown();
      bench.gateway.faults.onExchange = exchange -> {};
    }
  }

  @Test
  void theOwnersProxyIsAskedForEveryCall() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Set<String> asked = ConcurrentHashMap.newKeySet();
    ProxySelector proxy =
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            asked.add(uri.getPath());
            return List.of(Proxy.NO_PROXY);
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            // the caller reports it
          }
        };
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withProxy(proxy));
    alice.pay(bench.create("bob").address(), amount(10));
    alice.withdraw(amount(10), WalletBench.ACCOUNT);
    assertThat(asked).contains("/v1/transfers", "/v1/mailbox", "/v1/redemptions", "/v1/policy");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @Spec("W-07")
  void aWrongCombinedSignatureIsReplacedByTheWalletsOwn() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.faults.wrongCombined = true;
    alice.pay(bob.address(), amount(10));
    assertThat(alice.balance().held()).isEqualTo(amount(990));
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void anInvalidPartialSignatureIsIgnored() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.committee.authority(2).lies(true);
    alice.pay(bob.address(), amount(10));
    assertThat(alice.balance().held()).isEqualTo(amount(990));
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void anUnavailableAuthorityDoesNotPreventAPayment() {
    Wallet alice = bench.funded("alice", 1_000);
    bench.gateway.committee.authority(4).up(false);
    assertThat(alice.pay(bench.create("bob").address(), amount(10)).authorities())
        .containsExactly(1, 2, 3);
  }

  @Test
  void withoutAQuorumTheTransferStaysInFlight() {
    bench.closeWallet(bench.funded("alice", 1_000));
    Wallet bob = bench.create("bob");
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withPatience(Duration.ofMillis(1)));
    bench.gateway.faults.partialsKept = 2;
    assertRefused(RejectionCode.NO_QUORUM, () -> alice.pay(bob.address(), amount(10)));
    assertThat(alice.status().transferInFlight()).isTrue();
    assertThat(alice.balance().held()).isEqualTo(amount(0));
    bench.gateway.faults.partialsKept = 4;
    assertThat(alice.settle()).isPresent();
    assertThat(alice.balance().held()).isEqualTo(amount(990));
  }

  @Test
  @Spec("W-07")
  void aRootThatDoesNotFollowFromTheListIsRefused() {
    Wallet alice = bench.funded("alice", 1_000);
    Address bob = bench.create("bob").address();
    bench.gateway.faults.list = list -> SanctionKey.of(bob.apk()).bytes();
    assertFailed(WalletError.RULES_UNTRUSTED, () -> alice.pay(bob, amount(10)));
    SanctionCheckpoint honest = bench.gateway.rules.checkpoint();
    SanctionCheckpoint tagged =
        new SanctionCheckpoint(
            honest.version(), bob.apk().value(), honest.size(), honest.listDigest(), 1);
    bench.gateway.faults.list = list -> list;
    bench.gateway.faults.checkpointNote =
        note -> FakeRules.note(tagged.toNoteText(TestCommittee.NETWORK), 4);
    assertFailed(WalletError.RULES_UNTRUSTED, () -> alice.pay(bob, amount(10)));
    assertThat(bench.gateway.transfers).isEmpty();
  }

  @Test
  @Spec({"W-07", "F-27"})
  void rulesWithTheCountersignatureOfOneAuthorityAreRefused() {
    Wallet alice = bench.funded("alice", 1_000);
    Address bob = bench.create("bob").address();
    bench.gateway.faults.policyNote =
        note -> FakeRules.note(bench.gateway.rules.policy().toNoteText(TestCommittee.NETWORK), 1);
    assertFailed(WalletError.RULES_UNTRUSTED, () -> alice.pay(bob, amount(10)));
    bench.gateway.faults.policyNote =
        note ->
            FakeRules.note(bench.gateway.rules.policy().toNoteText(TestCommittee.NETWORK), 2)
                .replace("max-held-minor: 1", "max-held-minor: 9");
    assertFailed(WalletError.RULES_UNTRUSTED, () -> alice.pay(bob, amount(10)));
    bench.gateway.faults.policyNote = note -> "nonsense";
    assertFailed(WalletError.RULES_UNTRUSTED, () -> alice.pay(bob, amount(10)));
    bench.gateway.faults.policyNote =
        note -> FakeRules.note(bench.gateway.rules.policy().toNoteText(TestCommittee.NETWORK), 2);
    alice.pay(bob, amount(10));
  }

  @Test
  @Spec({"W-07", "F-27"})
  void aRolledBackPolicyIsRefusedAfterReopening() {
    Wallet alice = bench.funded("alice", 1_000);
    Address bob = bench.create("bob").address();
    String first = bench.gateway.rules.policyNote();
    bench.gateway.rules.policy(100_000, 500_000, 1_000_000, 49);
    alice.pay(bob, amount(10));
    bench.closeWallet(alice);
    Wallet reopened = bench.reopen("alice");
    bench.gateway.faults.policyNote = note -> first;
    assertFailed(WalletError.RULES_ROLLED_BACK, () -> reopened.pay(bob, amount(10)));
  }

  @Test
  @Spec("F-27")
  void twoTextsOfOneVersionAreRefused() {
    Wallet alice = bench.funded("alice", 1_000);
    Address bob = bench.create("bob").address();
    alice.pay(bob, amount(10));
    Policy p = bench.gateway.rules.policy();
    Policy fork =
        new Policy(
            p.version(),
            p.period(),
            p.maxPerTransfer(),
            p.maxPerPeriod(),
            amount(7),
            p.maxEscrow(),
            p.maxTransfersPerPeriod(),
            p.mintCapPerDay(),
            0);
    bench.gateway.faults.policyNote =
        note -> FakeRules.note(fork.toNoteText(TestCommittee.NETWORK), 4);
    assertFailed(WalletError.RULES_ROLLED_BACK, () -> alice.pay(bob, amount(10)));
  }

  @Test
  void aListedPayeeOrPayerIsRefusedBeforeAnyProof() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    bench.gateway.rules.sanction(bob.address().apk());
    assertRefused(RejectionCode.SANCTIONED, () -> alice.pay(bob.address(), amount(10)));
    bench.gateway.rules.sanction(alice.address().apk());
    assertRefused(RejectionCode.SANCTIONED, alice::claim);
    assertThat(bench.gateway.transfers).isEmpty();
    assertThat(alice.status().transferInFlight()).isFalse();
  }

  @Test
  void limitsAreCheckedBeforeTheProof() {
    Wallet alice = bench.funded("alice", 5_000);
    Address bob = bench.create("bob").address();
    bench.gateway.rules.policy(100, 150, 10_000, 2);
    assertRefused(RejectionCode.OVER_LIMIT_TRANSFER, () -> alice.pay(bob, amount(101)));
    assertRefused(
        RejectionCode.INSUFFICIENT_FUNDS, () -> alice.withdraw(amount(5_001), WalletBench.ACCOUNT));
    alice.pay(bob, amount(100));
    assertRefused(RejectionCode.OVER_LIMIT_PERIOD, () -> alice.pay(bob, amount(60)));
    alice.pay(bob, amount(50));
    assertRefused(
        RejectionCode.OVER_LIMIT_COUNT, () -> alice.withdraw(amount(1), WalletBench.ACCOUNT));
    assertThat(bench.gateway.transfers).hasSize(2);
  }

  @Test
  @Spec("W-06")
  void acceptsOnlyItsOwnCoinsWithAValidSignature() {
    Wallet alice = bench.funded("alice", 1_000);
    Wallet bob = bench.create("bob");
    Signature foreign =
        new Signature(
            TestNetwork.get().keys.committee().y1(),
            TestNetwork.get().keys.committee().member(1).gamma());
    ParcelCipher cipher = new ParcelCipher(TestCommittee.NETWORK);
    Parcel forged =
        new Parcel.Payment(
            Origin.PAYMENT, amount(5_000), FieldElement.ofLong(12), foreign, 0, "gift");
    bench
        .gateway
        .mailbox()
        .add(Base64Url.encode(cipher.seal(bob.address().encryptionKey(), forged)));
    bench.gateway.mailbox().add(Base64Url.encode(new byte[1200]));
    alice.pay(bob.address(), amount(10));
    assertThat(bob.receive())
        .singleElement()
        .satisfies(r -> assertThat(r.value()).isEqualTo(amount(10)));
  }

  @Test
  void aDelegatedProofIsVerifiedBeforeTheTransferIsSent() {
    bench.useRealProofs();
    WalletProfile delegating = bench.profile().withProverKey(bench.gateway.proverKey.publicKey());
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      Wallet fresh = bench.create("alice", phrase, delegating);
      WalletBench.registered(fresh);
      bench.fund(fresh, 1_000);
      bench.closeWallet(fresh);
    }
    Wallet alice = bench.reopen("alice");
    Address bob = bench.create("bob").address();
    alice.pay(bob, amount(10));
    assertThat(alice.balance().held()).isEqualTo(amount(990));

    bench.gateway.faults.proof =
        proof -> {
          proof[100] ^= 1;
          return proof;
        };
    assertFailed(WalletError.PROOF_UNVERIFIED, () -> alice.pay(bob, amount(10)));
    assertThat(alice.status().transferInFlight()).isFalse();
    assertThat(bench.gateway.transfers).hasSize(1);
  }

  @Test
  @Spec("W-07")
  void aGatewayCannotChangeThePinnedServices() {
    Wallet alice = bench.create("alice");
    try (FakeGateway thief = new FakeGateway(bench.platform)) {
      bench.gateway.faults.services = thief.uri();
      WalletBench.registered(alice);
      bench.fund(alice, 1_000);
      bench.closeWallet(alice);
      Wallet reopened = bench.reopen("alice");
      assertThat(reopened.withdraw(amount(100), WalletBench.ACCOUNT).redeemed()).isTrue();
      assertThat(reopened.profile().services()).isEqualTo(bench.profile().services());
      assertThat(thief.routes).isEmpty();
      assertThat(bench.gateway.mint.redeemedMinor()).isEqualTo(100);
      byte[] block = bench.gateway.mint.payoutBlocks().getFirst();
      assertThat(PayoutBlockReader.open(bench.gateway.issuerKey, block))
          .contains("DE02120300000000202051");
    }
  }

  @Test
  @Spec("W-07")
  void keysNotSignedByThePinnedKeyAreRefused() {
    byte[] otherKey = bench.profile().manifestKey();
    otherKey[0] ^= 1;
    WalletProfile distrusting = profile(new Ed25519PublicKey(otherKey));
    assertFailed(WalletError.MANIFEST_UNTRUSTED, () -> WalletPlatform.open(distrusting));
  }

  /**
   * A refresh of the shares makes another manifest of the same key. Gateways get it before wallets,
   * or after.
   */
  @Test
  @Spec("K-08")
  void aRefreshedManifestStopsNoWallet() throws IOException {
    TestCommittee refreshed = TestCommittee.regulated().refreshed(0);
    Ed25519PrivateKey manifestKey = Ed25519PrivateKey.fromSeed(new byte[32]);
    byte[] manifest = Files.readAllBytes(refreshed.keysDir().resolve("manifest.json"));
    bench.closeWallet(bench.funded("bob", 1_000));
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom());
        KeySet fresh = refreshed.openKeys();
        Prover prover = Prover.open(fresh, 1);
        WalletPlatform later = StubProofSystem.platform(fresh, prover)) {
      Wallet alice =
          WalletBench.registered(bench.create("alice", phrase, profile(manifestKey.publicKey())));
      bench.fund(alice, 1_000);
      bench.closeWallet(alice);
      bench.gateway.faults.keys =
          Map.of("manifest", manifest, "signature", line(manifestKey.sign(manifest)));
      Wallet old = bench.reopen("alice");
      assertThat(old.pay(old.address(), amount(10)).delivered()).isTrue();
      bench.closeWallet(old);

      // somebody else's signature over the same manifest
      Ed25519PrivateKey other = Ed25519PrivateKey.fromSeed(TestRandom.bytes(32));
      bench.gateway.faults.keys =
          Map.of("manifest", manifest, "signature", line(other.sign(manifest)));
      Wallet deceived = bench.reopen("alice");
      assertFailed(
          WalletError.MANIFEST_UNTRUSTED, () -> deceived.pay(deceived.address(), amount(10)));
      bench.closeWallet(deceived);

      // another network's manifest under the same key: it does not name this wallet's
      byte[] foreign =
          new String(manifest, StandardCharsets.UTF_8)
              .replace(TestCommittee.regulated().keys().manifestDigest().hex(), "00".repeat(32))
              .getBytes(StandardCharsets.UTF_8);
      bench.gateway.faults.keys =
          Map.of("manifest", foreign, "signature", line(manifestKey.sign(foreign)));
      Wallet elsewhere = bench.reopen("alice");
      assertFailed(
          WalletError.MANIFEST_UNTRUSTED, () -> elsewhere.pay(elsewhere.address(), amount(10)));

      bench.gateway.faults.keys = null;
      bench.platform = later;
      Wallet bob = bench.reopen("bob");
      assertThat(bob.pay(bob.address(), amount(10)).delivered()).isTrue();
      bench.closeWallet(bob);
    }
  }

  private static byte[] line(byte[] signature) {
    return (HexFormat.of().formatHex(signature) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  private WalletProfile profile(Ed25519PublicKey manifestKey) {
    WalletProfile p = bench.profile();
    return new WalletProfile(
        p.network(),
        p.kind(),
        p.currency(),
        manifestKey.bytes(),
        p.keyClasses(),
        p.gateway(),
        p.services(),
        p.keysDir(),
        null);
  }

  private static void assertRefused(RejectionCode code, ThrowingCallable call) {
    ProtocolException refused = catchThrowableOfType(ProtocolException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.code()).isEqualTo(code);
  }

  private static void assertFailed(WalletError error, ThrowingCallable call) {
    WalletException failed = catchThrowableOfType(WalletException.class, call);
    assertThat(failed).isNotNull();
    assertThat(failed.error()).isEqualTo(error);
  }
}
