package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Wallet.Signed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A registration, a mint and payments whose outputs are spent again, with real proofs and threshold
 * signatures.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegulatedFlowTest {
  private final Apk listed = new Apk(Wallet.field());
  private KeySet keys;
  private Prover prover;
  private Verifier verifier;
  private SanctionTree tree;
  private List<Share> shares;
  private Wallet alice;
  private Wallet bob;
  private Signed<ComplianceCoin> aliceAccount;
  private Signed<Coin> minted;
  private Wallet.Registration registration;
  private Wallet.Issue issue;
  private Wallet.Sent payment;

  @BeforeAll
  void payOnce() {
    TestKeys testKeys = TestKeys.of(NetworkKind.REGULATED);
    keys = testKeys.open();
    prover = Prover.open(keys, 1);
    verifier = Verifier.open(keys, keys.committee());
    shares = IntStream.rangeClosed(1, 4).mapToObj(testKeys::share).toList();
    Suite suite = new Suite(TestKeys.NETWORK);
    alice = new Wallet(suite, keys.committee(), shares, prover);
    bob = new Wallet(suite, keys.committee(), shares, prover);
    tree = SanctionTree.build(TestKeys.NETWORK, SanctionKey.of(listed).bytes());

    registration = alice.register(keys.circuitVersion(Family.REGISTER));
    aliceAccount = alice.collect(registration, 1, 2, 3);
    issue = alice.mint(5_000, keys.circuitVersion(Family.MINT));
    minted = alice.collect(issue, 2, 3, 4);
    payment =
        alice.transfer(
            aliceAccount, minted, bob.apk, 1_200, 300, tree, keys.circuitVersion(Family.TRANSFER));
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
  void registrationVerifies() {
    assertThat(verifier.verifyRegister(registration.request())).isEqualTo(NativeErrorCode.OK);
    assertThat(
            alice.suite.verify(keys.committee(), aliceAccount.message(), aliceAccount.signature()))
        .isTrue();
    assertThat(alice.suite.complianceMessage(aliceAccount.coin()))
        .isEqualTo(aliceAccount.message());
  }

  @Test
  void mintVerifies() {
    assertThat(verifier.verifyMint(issue.request())).isEqualTo(NativeErrorCode.OK);
    assertThat(alice.suite.verify(keys.committee(), minted.message(), minted.signature())).isTrue();
    assertThat(minted.coin().origin()).isEqualTo(Origin.MINT);
    assertThat(alice.suite.coinMessage(minted.coin())).isEqualTo(minted.message());
  }

  @Test
  void transferVerifiesAndItsOutputsAreSpendable() {
    assertThat(verify(payment)).isEqualTo(NativeErrorCode.OK);
    Signed<ComplianceCoin> next = alice.collectNext(payment, 1, 3, 4);
    assertThat(next.coin().held()).isEqualTo(new Amount(5_000 - 1_200 - 300));
    assertThat(next.coin().sent()).isEqualTo(new Amount(1_200));
    assertThat(next.coin().count()).isEqualTo(1);
    assertThat(alice.suite.verify(keys.committee(), next.message(), next.signature())).isTrue();
    Signed<Coin> received = alice.collectPayment(payment, 1, 2, 4);
    assertThat(received.coin().owner()).isEqualTo(bob.apk);
    assertThat(received.coin().origin()).isEqualTo(Origin.PAYMENT);

    Signed<ComplianceCoin> bobAccount =
        bob.collect(bob.register(keys.circuitVersion(Family.REGISTER)), 1, 2, 3);
    Wallet.Sent onward =
        bob.transfer(
            bobAccount, received, alice.apk, 200, 0, tree, keys.circuitVersion(Family.TRANSFER));
    assertThat(verify(onward)).isEqualTo(NativeErrorCode.OK);
    assertThat(bob.collectNext(onward, 2, 3, 4).coin().held()).isEqualTo(new Amount(1_000));
  }

  @Test
  void aPaymentToOneselfMakesAnOwnCoin() {
    Wallet.Sent toSelf =
        alice.transfer(
            alice.collectNext(payment, 1, 2, 3),
            mintedAgain(),
            alice.apk,
            10,
            0,
            tree,
            keys.circuitVersion(Family.TRANSFER));
    assertThat(verify(toSelf)).isEqualTo(NativeErrorCode.OK);
    Coin coin = alice.collectPayment(toSelf, 1, 2, 3).coin();
    assertThat(coin.origin()).isEqualTo(Origin.OWN);
    assertThat(alice.suite.coinMessage(coin)).isEqualTo(toSelf.prepared().recipientMessage());
  }

  private Signed<Coin> mintedAgain() {
    return alice.collect(alice.mint(7, keys.circuitVersion(Family.MINT)), 1, 2, 3);
  }

  /** A proof is for one core: the link's challenge hashes it. */
  @Test
  void aProofFitsNoOtherCore() {
    MintRequest m = issue.request();
    MintWitness witness =
        new MintWitness(new TxCore(Digest32.sha256(new byte[] {1})), issue.plan());
    assertThat(
            verifier.verifyMint(
                new MintRequest(
                    m.statement(), m.circuitVersion(), prover.proveMint(witness), List.of())))
        .isEqualTo(NativeErrorCode.LINK_INVALID);
  }

  /** Every response of the link is checked, and the commitments are bound by the challenge. */
  @Test
  void aChangedLinkDoesNotVerify() {
    TransferStatement s = payment.statement();
    Evidence e = payment.evidence();
    int first = e.proof().length - 32 * (Family.TRANSFER.links() + 1);
    for (int at = first; at < e.proof().length; at += 32) {
      byte[] proof = e.proof();
      proof[at + 31] ^= 1;
      Evidence changed =
          new Evidence(1, 1, e.circuitVersion(), e.rk(), e.shows(), proof, e.rkSignature());
      assertThat(verifier.verifyTransfer(s, changed, Wallet.LIMITS, tree.root()))
          .isEqualTo(NativeErrorCode.LINK_INVALID);
    }
  }

  @Test
  void everyFieldOfAPaymentIsBoundByTheProof() {
    TransferStatement s = payment.statement();
    Evidence e = payment.evidence();
    TransferStatement more =
        new TransferStatement(
            s.family(),
            s.serials(),
            s.outputs(),
            s.period(),
            s.withdrawn().plus(new Amount(1)),
            s.context());
    assertThat(verifier.verifyTransfer(more, e, Wallet.LIMITS, tree.root()))
        .isEqualTo(NativeErrorCode.KEY_SIGNATURE_INVALID);
    Limits wider =
        new Limits(
            new Amount(100_001),
            Wallet.LIMITS.maxPerPeriod(),
            Wallet.LIMITS.maxHeld(),
            Wallet.LIMITS.maxEscrow(),
            50);
    assertThat(verifier.verifyTransfer(s, e, wider, tree.root()))
        .isEqualTo(NativeErrorCode.PROOF_INVALID);
    assertThat(verifier.verifyTransfer(s, e, Wallet.LIMITS, Wallet.field()))
        .isEqualTo(NativeErrorCode.PROOF_INVALID);
    Evidence swapped =
        new Evidence(
            1,
            1,
            e.circuitVersion(),
            e.rk(),
            List.of(e.shows().get(1), e.shows().get(0), e.shows().get(2)),
            e.proof(),
            e.rkSignature());
    assertThat(verifier.verifyTransfer(s, swapped, Wallet.LIMITS, tree.root()))
        .isEqualTo(NativeErrorCode.LINK_INVALID);
    Evidence other =
        new Evidence(1, 1, e.circuitVersion() + 1, e.rk(), e.shows(), e.proof(), e.rkSignature());
    assertThat(verifier.verifyTransfer(s, other, Wallet.LIMITS, tree.root()))
        .isEqualTo(NativeErrorCode.UNKNOWN_CIRCUIT);
    byte[] proof = e.proof();
    proof[40] ^= 1;
    Evidence broken =
        new Evidence(1, 1, e.circuitVersion(), e.rk(), e.shows(), proof, e.rkSignature());
    assertThat(verifier.verifyTransfer(s, broken, Wallet.LIMITS, tree.root()))
        .isEqualTo(NativeErrorCode.PROOF_ENCODING);
  }

  @Test
  void aBatchGivesEachTransferItsOwnResult() {
    Evidence e = payment.evidence();
    Evidence otherVersion = new Evidence(1, 1, 99, e.rk(), e.shows(), e.proof(), e.rkSignature());
    ShownSignature first = e.shows().getFirst();
    Evidence offCurve =
        new Evidence(
            1,
            1,
            e.circuitVersion(),
            e.rk(),
            List.of(
                new ShownSignature(
                    G1Point.fromHex("00".repeat(47) + "01" + "00".repeat(47) + "01"),
                    first.m(),
                    first.s()),
                e.shows().get(1),
                e.shows().get(2)),
            e.proof(),
            e.rkSignature());
    Evidence wrongShow =
        new Evidence(
            1,
            1,
            e.circuitVersion(),
            e.rk(),
            List.of(
                new ShownSignature(first.h(), first.m(), first.h()),
                e.shows().get(1),
                e.shows().get(2)),
            e.proof(),
            e.rkSignature());
    List<TransferBatchItem> batch =
        List.of(
            check(e, tree.root()),
            check(otherVersion, tree.root()),
            check(offCurve, tree.root()),
            check(e, Wallet.field()),
            check(wrongShow, tree.root()),
            check(e, tree.root()));
    assertThat(verifier.verifyTransfers(batch))
        .containsExactly(
            NativeErrorCode.OK,
            NativeErrorCode.UNKNOWN_CIRCUIT,
            NativeErrorCode.POINT_NOT_ON_CURVE,
            NativeErrorCode.PROOF_INVALID,
            NativeErrorCode.SHOWN_SIGNATURE_INVALID,
            NativeErrorCode.OK);
    assertThat(verifier.verifyTransfers(List.of())).isEmpty();
    assertThat(
            verifier.verifyTransfers(
                Collections.nCopies(Verifier.MAX_BATCH, check(e, tree.root()))))
        .hasSize(Verifier.MAX_BATCH)
        .containsOnly(NativeErrorCode.OK);
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            verifier.verifyTransfers(
                Collections.nCopies(Verifier.MAX_BATCH + 1, check(e, tree.root()))));
  }

  /**
   * Batches with an invalid item and signing requests with an invalid point, on platform and
   * virtual threads, during garbage collection.
   */
  @Test
  void batchesAndSignaturesOnManyThreadsDuringGarbageCollection() throws Exception {
    Evidence e = payment.evidence();
    List<TransferBatchItem> batch = new ArrayList<>(Collections.nCopies(6, check(e, tree.root())));
    batch.set(4, check(e, Wallet.field()));
    List<NativeErrorCode> verdicts = new ArrayList<>(Collections.nCopies(6, NativeErrorCode.OK));
    verdicts.set(4, NativeErrorCode.PROOF_INVALID);
    Outputs request = Outputs.of(TestKeys.NETWORK, payment.statement());
    BlindedCoin coin = request.coins().getFirst();
    Outputs wrong =
        new Outputs(
            request.d(),
            request.period(),
            List.of(new BlindedCoin(coin.cm(), G1Point.fromHex("00".repeat(95) + "02"))));
    List<Outputs> requests = new ArrayList<>(Collections.nCopies(20, request));
    requests.set(11, wrong);
    List<SignedOutputs> expected = shares.get(0).signAll(TestKeys.NETWORK, requests);
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService platform = Executors.newFixedThreadPool(4);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int t = 0; t < 8; t++) {
        running.add(
            (t % 2 == 0 ? platform : virtual)
                .submit(() -> {
                  for (int i = 0; i < 6; i++) {
                    assertThat(verifier.verifyTransfers(batch)).isEqualTo(verdicts);
                    assertThat(shares.get(0).signAll(TestKeys.NETWORK, requests))
                        .isEqualTo(expected);
                    System.gc();
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get(180, TimeUnit.SECONDS);
      }
    }
  }

  private TransferBatchItem check(Evidence evidence, FieldElement root) {
    return new TransferBatchItem(payment.statement(), evidence, Wallet.LIMITS, root);
  }

  @Test
  void aMintIsBoundToItsValueAndARegistrationToItsKeys() {
    MintRequest m = issue.request();
    MintStatement more =
        new MintStatement(m.statement().mintId(), new Amount(5_001), m.statement().coin());
    assertThat(verifier.verifyMint(new MintRequest(more, m.circuitVersion(), m.proof(), List.of())))
        .isEqualTo(NativeErrorCode.LINK_INVALID);
    RegisterRequest r = registration.request();
    RegisterStatement other = new RegisterStatement(bob.apk, r.statement().coin());
    assertThat(
            verifier.verifyRegister(
                new RegisterRequest(other, r.circuitVersion(), r.rk(), r.proof(), r.rkSignature())))
        .isEqualTo(NativeErrorCode.KEY_SIGNATURE_INVALID);
  }

  @Test
  void theProverRefusesFalseStatements() {
    TransferPlan p = payment.plan();
    assertRefused(NativeErrorCode.INSUFFICIENT_FUNDS, withPaid(p, 6_000));
    assertRefused(NativeErrorCode.OVER_LIMIT_TRANSFER, withPaid(withHeld(p, 900_000), 100_001));
    assertThat(catchThrowableOfType(NativeException.class, () -> tree.path(listed)).code())
        .isEqualTo(NativeErrorCode.LISTED);
  }

  private void assertRefused(NativeErrorCode code, TransferPlan plan) {
    NativeException e =
        catchThrowableOfType(
            NativeException.class,
            () -> {
              PreparedTransfer prepared = alice.suite.prepareTransfer(plan);
              Signed<ComplianceCoin> cc =
                  new Signed<>(
                      plan.cc(),
                      alice.suite.complianceMessage(plan.cc()),
                      aliceAccount.signature());
              alice.prove(payment.statement(), plan, prepared, cc, minted, tree, 1);
            });
    assertThat(e.code()).isEqualTo(code);
  }

  private static TransferPlan withPaid(TransferPlan p, long paid) {
    return new TransferPlan(
        p.nk(),
        p.pkAuth(),
        p.cc(),
        p.inputs(),
        p.escrow(),
        p.recipient(),
        new Amount(paid),
        p.withdrawn(),
        p.period(),
        p.d(),
        p.seed(),
        p.s(),
        p.b(),
        p.historyRandomness());
  }

  private static TransferPlan withHeld(TransferPlan p, long held) {
    ComplianceCoin cc = p.cc();
    ComplianceCoin richer =
        new ComplianceCoin(
            cc.owner(), cc.rho(), cc.period(), cc.sent(), cc.count(), new Amount(held), cc.com());
    return new TransferPlan(
        p.nk(),
        p.pkAuth(),
        richer,
        p.inputs(),
        p.escrow(),
        p.recipient(),
        p.paid(),
        p.withdrawn(),
        p.period(),
        p.d(),
        p.seed(),
        p.s(),
        p.b(),
        p.historyRandomness());
  }

  private NativeErrorCode verify(Wallet.Sent sent) {
    return verifier.verifyTransfer(sent.statement(), sent.evidence(), Wallet.LIMITS, tree.root());
  }

  @Test
  void keySetDescribesItsKeys() {
    assertThat(keys.keyClass()).isEqualTo(KeyClass.DEVELOPMENT);
    assertThat(keys.circuits())
        .containsOnlyKeys(Family.TRANSFER, Family.REGISTER, Family.MINT, Family.RECOVER);
    assertThat(keys.provenance()).contains("can forge");
    assertThat(keys.committee().n()).isEqualTo(4);
    alice.suite.checkCommittee(keys.committee());
    assertThat(shares)
        .allSatisfy(s -> assertThat(s.matches(keys.committee().member(s.index()))).isTrue());
    assertThat(shares.get(0).matches(keys.committee().member(2))).isFalse();
    assertThat(keys.manifestDigest()).isNotEqualTo(Digest32.sha256());
  }
}
