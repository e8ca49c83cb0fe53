package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.Spec;
import io.solidus.prover.Wallet.Signed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Claims of 16 with real keys, proofs and threshold signatures, through the bridge. */
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
            Family.TRANSFER, Family.REGISTER, Family.MINT, Family.RECOVER, Family.CLAIM_16);
    assertThat(keys.circuits())
        .extractingByKey(Family.CLAIM_16)
        .extracting(KeySet.Circuit::constraints)
        .isEqualTo(26_911);
    assertThat(keys.transfers().shapes()).isEqualTo(Set.of(Family.CLAIM_16));
    assertThat(keys.canProve(Family.CLAIM_16)).isTrue();
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
