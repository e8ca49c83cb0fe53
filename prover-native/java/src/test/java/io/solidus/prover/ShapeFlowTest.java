package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.TransferPlan.Payment;
import io.solidus.prover.Wallet.Signed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Claims of 16 and payments to eight with real keys, proofs and threshold signatures, through the
 * bridge.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShapeFlowTest {
  private KeySet keys;
  private Prover prover;
  private Verifier verifier;
  private SanctionTree tree;
  private List<Share> shares;
  private Wallet shop;
  private Signed<ComplianceCoin> account;
  private final List<Signed<Coin>> coins = new ArrayList<>();
  private Wallet.Sent claim;

  @BeforeAll
  void claimOnce() {
    TestKeys testKeys = TestKeys.withShapes();
    keys = testKeys.open();
    prover = Prover.open(keys, 1);
    verifier = Verifier.open(keys, keys.committee());
    shares = IntStream.rangeClosed(1, 4).mapToObj(testKeys::share).toList();
    shop = new Wallet(new Suite(TestKeys.NETWORK), keys.committee(), shares, prover);
    tree = SanctionTree.build(TestKeys.NETWORK, SanctionKey.of(new Apk(Wallet.field())).bytes());
    account = shop.collect(shop.register(keys.circuitVersion(Family.REGISTER)), 1, 2, 3);
    for (int i = 0; i < 6; i++) {
      coins.add(shop.collect(shop.mint(100 + i, keys.circuitVersion(Family.MINT)), 1, 2, 3));
    }
    claim = shop.claim(account, coins, shop.apk, 0, tree, keys.circuitVersion(Family.CLAIM_16));
  }

  @AfterAll
  void close() {
    prover.close();
    verifier.close();
    tree.close();
    shares.forEach(Share::close);
    keys.close();
  }

  @Test
  @Spec("F-80")
  void theKeysHaveTheShapeBesideTheManifestsCircuits() {
    assertThat(keys.circuits())
        .containsOnlyKeys(
            Family.TRANSFER,
            Family.REGISTER,
            Family.MINT,
            Family.RECOVER,
            Family.CLAIM_16,
            Family.PAY_8);
    assertThat(keys.circuits())
        .extractingByKey(Family.CLAIM_16)
        .extracting(KeySet.Circuit::constraints)
        .isEqualTo(26_911);
    assertThat(keys.circuits())
        .extractingByKey(Family.PAY_8)
        .extracting(KeySet.Circuit::constraints)
        .isEqualTo(48_310);
    assertThat(keys.transfers().shapes()).isEqualTo(Set.of(Family.CLAIM_16, Family.PAY_8));
    assertThat(keys.canProve(Family.CLAIM_16)).isTrue();
    assertThat(keys.canProve(Family.PAY_8)).isTrue();
    try (KeySet without = TestKeys.of(NetworkKind.REGULATED).open()) {
      assertThat(without.transfers().shapes()).isEmpty();
      assertThat(without.canProve(Family.CLAIM_16)).isFalse();
      assertThat(without.canProve(Family.TRANSFER)).isTrue();
      assertThat(without.manifestDigest()).isEqualTo(keys.manifestDigest());
    }
  }

  @Test
  void sixCoinsAreClaimedWithOneProofAndTheAccountGoesOn() {
    assertThat(claim.statement().serials()).hasSize(17);
    assertThat(claim.evidence().proof()).hasSize(Family.CLAIM_16.proofBytes());
    assertThat(verify(claim)).isEqualTo(NativeErrorCode.OK);
    Signed<ComplianceCoin> next = shop.collectNext(claim, 1, 3, 4);
    assertThat(next.coin().held()).isEqualTo(new Amount(615));
    assertThat(next.coin().count()).isEqualTo(1);
    Wallet.Sent payment =
        shop.transfer(
            next,
            shop.collect(shop.mint(9, keys.circuitVersion(Family.MINT)), 1, 2, 3),
            shop.apk,
            400,
            0,
            tree,
            keys.circuitVersion(Family.TRANSFER));
    assertThat(verify(payment)).isEqualTo(NativeErrorCode.OK);
  }

  /** A key set without the file of shapes verifies the same request as one of an unknown family. */
  @Test
  @Spec("V-40")
  void withoutTheShapeItIsOfAnUnknownFamily() {
    try (KeySet without = TestKeys.of(NetworkKind.REGULATED).open();
        Verifier other = Verifier.open(without, without.committee())) {
      assertThat(
              other.verifyTransfer(claim.statement(), claim.evidence(), Wallet.LIMITS, tree.root()))
          .isEqualTo(NativeErrorCode.WRONG_FAMILY);
      assertThat(other.verifyTransfers(List.of(item(claim.evidence()))))
          .containsExactly(NativeErrorCode.WRONG_FAMILY);
      try (Prover none = Prover.open(without, 1)) {
        Wallet elsewhere =
            new Wallet(new Suite(TestKeys.NETWORK), without.committee(), shares, none);
        NativeException refusal =
            catchThrowableOfType(
                NativeException.class,
                () -> {
                  Signed<ComplianceCoin> coin =
                      elsewhere.collect(
                          elsewhere.register(without.circuitVersion(Family.REGISTER)), 1, 2, 3);
                  elsewhere.claim(coin, List.of(), elsewhere.apk, 0, tree, 1);
                });
        assertThat(refusal.code()).isEqualTo(NativeErrorCode.KEYS_NO_CIRCUIT);
      }
    }
  }

  @Test
  void aBatchOfBothFamiliesGivesEachItsOwnResult() {
    Evidence e = claim.evidence();
    byte[] damaged = e.proof();
    damaged[damaged.length - 1] ^= 1;
    Evidence wrong =
        new Evidence(1, 1, e.circuitVersion(), e.rk(), e.shows(), damaged, e.rkSignature());
    List<TransferBatchItem> batch = new ArrayList<>(Collections.nCopies(5, item(claim.evidence())));
    batch.set(3, item(wrong));
    assertThat(verifier.verifyTransfers(batch))
        .containsExactly(
            NativeErrorCode.OK,
            NativeErrorCode.OK,
            NativeErrorCode.OK,
            NativeErrorCode.LINK_INVALID,
            NativeErrorCode.OK);
  }

  /** Five payees get a coin each, the payer's account goes on, and a payee spends what it got. */
  @Test
  @Spec({"O-11", "T-13"})
  void fivePayeesArePaidWithOneProof() {
    List<Wallet> payees =
        Stream.generate(() -> new Wallet(shop.suite, keys.committee(), shares, prover))
            .limit(5)
            .toList();
    List<Payment> payments = new ArrayList<>();
    for (Wallet payee : payees) {
      payments.add(new Payment(payee.apk, new Amount(10 + payments.size())));
    }
    Wallet payer = new Wallet(shop.suite, keys.committee(), shares, prover);
    Signed<ComplianceCoin> own =
        payer.collect(payer.register(keys.circuitVersion(Family.REGISTER)), 1, 2, 3);
    Signed<Coin> money = payer.collect(payer.mint(100, keys.circuitVersion(Family.MINT)), 1, 2, 3);
    Wallet.Sent sent = payer.pay(own, money, payments, tree, keys.circuitVersion(Family.PAY_8));
    assertThat(sent.evidence().proof()).hasSize(Family.PAY_8.proofBytes());
    assertThat(verify(sent)).isEqualTo(NativeErrorCode.OK);
    Signed<ComplianceCoin> next = payer.collectNext(sent, 1, 3, 4);
    assertThat(next.coin().held()).isEqualTo(new Amount(40));
    assertThat(next.coin().sent()).isEqualTo(new Amount(60));
    assertThat(next.coin().count()).isEqualTo(5);
    List<FieldElement> rhos =
        payer.suite.rhos(sent.plan().seed(), sent.plan().d(), Family.PAY_8.outputs());
    for (int j = 0; j < payees.size(); j++) {
      Signed<Coin> coin = payer.collectPayment(j, sent, 2, 3, 4);
      assertThat(coin.coin().value()).isEqualTo(new Amount(10 + j));
      assertThat(coin.coin().owner()).isEqualTo(payees.get(j).apk);
      assertThat(coin.coin().rho()).isEqualTo(rhos.get(Family.outputOf(j)));
      assertThat(payer.suite.verify(keys.committee(), coin.message(), coin.signature())).isTrue();
    }
    Wallet payee = payees.get(4);
    Signed<ComplianceCoin> account =
        payee.collect(payee.register(keys.circuitVersion(Family.REGISTER)), 1, 2, 3);
    Wallet.Sent onward =
        payee.transfer(
            account,
            payer.collectPayment(4, sent, 1, 2, 3),
            payer.apk,
            14,
            0,
            tree,
            keys.circuitVersion(Family.TRANSFER));
    assertThat(verify(onward)).isEqualTo(NativeErrorCode.OK);
    attacks(sent);
  }

  /** Attacks on one proof of several payments: what a verifier must not take for the statement. */
  private void attacks(Wallet.Sent sent) {
    TransferStatement s = sent.statement();
    List<BlindedCoin> swapped = new ArrayList<>(s.outputs());
    Collections.swap(swapped, 2, 3);
    assertThat(verify(s, swapped, s.period(), sent.evidence(), Wallet.LIMITS))
        .as("outputs swapped")
        .isNotEqualTo(NativeErrorCode.OK);
    for (int changed : new int[] {0, 1, 8}) {
      List<BlindedCoin> other = new ArrayList<>(s.outputs());
      other.set(changed, claim.statement().outputs().getFirst());
      assertThat(verify(s, other, s.period(), sent.evidence(), Wallet.LIMITS))
          .as("output %d of another statement", changed)
          .isNotEqualTo(NativeErrorCode.OK);
    }
    Limits l = Wallet.LIMITS;
    for (Limits lower :
        List.of(
            new Limits(l.maxPerTransfer(), l.maxPerPeriod(), l.maxHeld(), l.maxEscrow(), 4),
            new Limits(new Amount(13), l.maxPerPeriod(), l.maxHeld(), l.maxEscrow(), 50),
            new Limits(l.maxPerTransfer(), new Amount(59), l.maxHeld(), l.maxEscrow(), 50))) {
      assertThat(verify(s, s.outputs(), s.period(), sent.evidence(), lower))
          .as("above a limit")
          .isEqualTo(NativeErrorCode.PROOF_INVALID);
    }
    try (KeySet without = TestKeys.of(NetworkKind.REGULATED).open();
        Verifier other = Verifier.open(without, without.committee())) {
      assertThat(other.verifyTransfer(s, sent.evidence(), Wallet.LIMITS, tree.root()))
          .isEqualTo(NativeErrorCode.WRONG_FAMILY);
    }
  }

  private NativeErrorCode verify(
      TransferStatement s,
      List<BlindedCoin> outputs,
      Period period,
      Evidence evidence,
      Limits limits) {
    return verifier.verifyTransfer(
        new TransferStatement(s.family(), s.serials(), outputs, period, s.withdrawn(), s.context()),
        evidence,
        limits,
        tree.root());
  }

  /** Attacks: a sum that is not there, and one listed payee among others. */
  @Test
  @Spec({"T-14", "T-28"})
  void theProverRefusesPaymentsThatTheRulesForbid() {
    int version = keys.circuitVersion(Family.PAY_8);
    Payment most = new Payment(shop.apk, new Amount(100));
    List<Payment> eight = Collections.nCopies(8, most);
    assertThat(refusal(() -> shop.pay(account, coins.getFirst(), eight, tree, version)))
        .isEqualTo(NativeErrorCode.INSUFFICIENT_FUNDS);
    Apk listed = new Apk(Wallet.field());
    try (SanctionTree other =
        SanctionTree.build(TestKeys.NETWORK, SanctionKey.of(listed).bytes())) {
      Payment one = new Payment(shop.apk, new Amount(1));
      Payment forbidden = new Payment(listed, new Amount(1));
      assertThat(
              refusal(() ->
                  shop.pay(
                      account, coins.getFirst(), List.of(one, one, forbidden), other, version)))
          .isEqualTo(NativeErrorCode.LISTED);
    }
  }

  private static NativeErrorCode refusal(ThrowingCallable call) {
    return catchThrowableOfType(NativeException.class, call).code();
  }

  /** Attack: more is paid than the coins are worth. */
  @Test
  void theProverRefusesMoreThanThereIs() {
    NativeException refusal =
        catchThrowableOfType(
            NativeException.class,
            () ->
                shop.claim(account, coins, shop.apk, 616, tree, claim.evidence().circuitVersion()));
    assertThat(refusal.code()).isEqualTo(NativeErrorCode.INSUFFICIENT_FUNDS);
  }

  private TransferBatchItem item(Evidence evidence) {
    return new TransferBatchItem(claim.statement(), evidence, Wallet.LIMITS, tree.root());
  }

  private NativeErrorCode verify(Wallet.Sent sent) {
    return verifier.verifyTransfer(sent.statement(), sent.evidence(), Wallet.LIMITS, tree.root());
  }
}
