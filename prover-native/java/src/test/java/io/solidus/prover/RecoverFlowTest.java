package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverEvidence;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.RecoverStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.RequestBelow;
import io.solidus.protocol.RequestBelow.RecoverBelow;
import io.solidus.protocol.RequestBelow.TransferBelow;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.prover.Wallet.Sent;
import io.solidus.prover.Wallet.Signed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An owner whose two payments with one compliance coin lock each other, with real proofs. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecoverFlowTest {
  private KeySet keys;
  private Prover prover;
  private Verifier verifier;
  private SanctionTree tree;
  private List<Share> shares;
  private Wallet alice;
  private Wallet bob;
  private Signed<ComplianceCoin> account;
  private Signed<Coin> minted;
  private Sent small;
  private Sent large;

  /** A recover with all that its owner knows. */
  private record Made(
      RecoverRequest request, RecoverPlan plan, PreparedRecover prepared, CoreOpening opening) {}

  @BeforeAll
  void lock() {
    TestKeys testKeys = TestKeys.of(NetworkKind.REGULATED);
    keys = testKeys.open();
    prover = Prover.open(keys, 1);
    verifier = Verifier.open(keys, keys.committee());
    shares = IntStream.rangeClosed(1, 4).mapToObj(testKeys::share).toList();
    Suite suite = new Suite(TestKeys.NETWORK);
    alice = new Wallet(suite, keys.committee(), shares, prover);
    bob = new Wallet(suite, keys.committee(), shares, prover);
    tree = SanctionTree.build(TestKeys.NETWORK, SanctionKey.of(new Apk(Wallet.field())).bytes());
    account = alice.collect(alice.register(keys.circuitVersion(Family.REGISTER)), 1, 2, 3);
    minted = alice.collect(alice.mint(5_000, keys.circuitVersion(Family.MINT)), 2, 3, 4);
    small = pay(200);
    large = pay(1_200);
  }

  @AfterAll
  void close() {
    prover.close();
    verifier.close();
    tree.close();
    shares.forEach(Share::close);
    keys.close();
  }

  private Sent pay(long amount) {
    return alice.transfer(
        account, minted, bob.apk, amount, 0, tree, keys.circuitVersion(Family.TRANSFER));
  }

  @Test
  @Spec({"X-20", "X-21", "X-25"})
  void theLargerPaymentIsBurntAndTheRestIsIssuedAndSpentAgain() {
    Made made = recover(below(small, large), 0, 1, opening(small, true), opening(large, false));
    assertThat(verify(made.request())).isEqualTo(NativeErrorCode.OK);
    assertThat(made.prepared().outflow()).isEqualTo(new Amount(1_200));
    assertThat(made.prepared().budget()).isEqualTo(new Amount(5_000));
    assertThat(made.prepared().returned().value()).isEqualTo(new Amount(3_800));
    assertThat(made.prepared().returned().origin()).isEqualTo(Origin.OWN);

    ResolvedRecover resolved = made.request().resolve(TestKeys.NETWORK);
    Signature next = alice.sign(resolved.signed(), 1, made.plan().b().get(1), 1, 2, 3);
    Signature returned = alice.sign(resolved.signed(), 0, made.plan().b().get(0), 2, 3, 4);
    Sent onward =
        alice.transfer(
            new Signed<>(made.prepared().next(), made.prepared().nextMessage(), next),
            new Signed<>(made.prepared().returned(), made.prepared().returnedMessage(), returned),
            bob.apk,
            3_000,
            0,
            tree,
            keys.circuitVersion(Family.TRANSFER));
    assertThat(
            verifier.verifyTransfer(
                onward.statement(), onward.evidence(), Wallet.LIMITS, tree.root()))
        .isEqualTo(NativeErrorCode.OK);
    assertThat(alice.collectNext(onward, 1, 2, 4).coin().held()).isEqualTo(new Amount(800));
  }

  @Test
  void aRecoverOverARecoverCountsTheCoinOnce() {
    Made first = recover(below(small), 0, 0, opening(small, true), opening(small, true));
    List<RequestBelow> below =
        List.of(
            below(small).getFirst(),
            new RecoverBelow(first.request().statement(), first.request().evidence()),
            below(large).getFirst());
    Made both = recover(below, 1, 2, first.opening(), opening(large, false));
    assertThat(verify(both.request())).isEqualTo(NativeErrorCode.OK);
    assertThat(both.prepared().outflow()).isEqualTo(new Amount(1_200));
    assertThat(both.prepared().returned().value()).isEqualTo(new Amount(3_800));

    assertThatThrownBy(() -> recover(below, 1, 2, first.opening(), opening(large, true)))
        .isInstanceOfSatisfying(
            ProtocolException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.MALFORMED_REQUEST));
  }

  /** Java and the library put the same rows together. */
  @Test
  void bothSidesResolveTheSame() {
    Made made = recover(below(small, large), 0, 1, opening(small, true), opening(large, false));
    ResolvedRecover here = made.request().resolve(TestKeys.NETWORK);
    ResolvedRecover there =
        Verifier.reservation(TestKeys.NETWORK, made.request(), terms(made.request()));
    assertThat(there.core()).isEqualTo(here.core());
    assertThat(there.d()).isEqualTo(here.d());
    assertThat(there.serials()).isEqualTo(here.serials());
    assertThat(there.below()).isEqualTo(here.below());
  }

  @Test
  @Spec("X-25")
  void whatIsChangedOrFalseBelowIsRefused() {
    Made made = recover(below(small, large), 0, 1, opening(small, true), opening(large, false));
    RecoverRequest r = made.request();
    Evidence e = large.evidence();
    byte[] signature = e.rkSignature();
    signature[95] ^= 1;
    Evidence unsigned =
        new Evidence(1, 1, e.circuitVersion(), e.rk(), e.shows(), e.proof(), signature);
    assertThat(
            verify(
                with(
                    r,
                    List.of(r.below().getFirst(), new TransferBelow(large.statement(), unsigned)))))
        .isEqualTo(NativeErrorCode.KEY_SIGNATURE_INVALID);
    Evidence swapped =
        new Evidence(
            1, 1, e.circuitVersion(), e.rk(), e.shows(), small.evidence().proof(), e.rkSignature());
    assertThat(
            verify(
                with(
                    r,
                    List.of(r.below().getFirst(), new TransferBelow(large.statement(), swapped)))))
        .isEqualTo(NativeErrorCode.LINK_INVALID);
    Limits wider = new Limits(new Amount(9), new Amount(9), new Amount(9), Amount.ZERO, 1);
    assertThat(
            verifier.verifyRecover(
                r,
                r.resolve(TestKeys.NETWORK).core(),
                List.of(
                    new RecoverTerms(Wallet.LIMITS, tree.root()),
                    new RecoverTerms(wider, tree.root()))))
        .isEqualTo(NativeErrorCode.PROOF_INVALID);
    assertThatThrownBy(
            () -> verifier.verifyRecover(r, small.statement().core(TestKeys.NETWORK), terms(r)))
        .as("the rows of another core")
        .isInstanceOf(NativeException.class);
  }

  /** A coin is credited by X1; the proof cannot say that X2 brings it again. */
  @Test
  void theProofIsBoundToTheCredits() {
    Made made = recover(below(small, large), 0, 1, opening(small, true), opening(large, false));
    RecoverStatement s = made.request().statement();
    RecoverStatement none =
        new RecoverStatement(
            s.first(), s.second(), s.next(), s.returned(), 0, s.outputs(), s.context());
    RecoverRequest changed =
        new RecoverRequest(
            made.request().below(), none, made.request().evidence(), made.request().attachments());
    assertThat(verify(changed)).isEqualTo(NativeErrorCode.KEY_SIGNATURE_INVALID);
  }

  private NativeErrorCode verify(RecoverRequest request) {
    return verifier.verifyRecover(
        request, request.resolve(TestKeys.NETWORK).core(), terms(request));
  }

  private List<RecoverTerms> terms(RecoverRequest request) {
    return request.below().stream()
        .filter(TransferBelow.class::isInstance)
        .map(t -> new RecoverTerms(Wallet.LIMITS, tree.root()))
        .toList();
  }

  private static RecoverRequest with(RecoverRequest r, List<RequestBelow> below) {
    return new RecoverRequest(below, r.statement(), r.evidence(), r.attachments());
  }

  private static List<RequestBelow> below(Sent... sent) {
    return Stream.of(sent)
        .<RequestBelow>map(s -> new TransferBelow(s.statement(), s.evidence()))
        .toList();
  }

  private CoreOpening opening(Sent sent, boolean credit) {
    TransferPlan plan = sent.plan();
    ComplianceCoin next = sent.prepared().next();
    return new CoreOpening(
        false,
        List.of(credit, false),
        plan.d(),
        plan.seed(),
        plan.s().get(1),
        next.period(),
        next.sent(),
        next.count(),
        next.held(),
        plan.cc().com(),
        plan.recipient().value(),
        List.of(plan.paid(), plan.inputs().get(0).value(), plan.inputs().get(1).value()),
        plan.withdrawn(),
        List.of(plan.inputs().get(0).origin(), plan.inputs().get(1).origin()),
        plan.escrow(),
        plan.historyRandomness());
  }

  private SerialNumber serial(FieldElement rho) {
    return alice.suite.serial(alice.serialKey, rho);
  }

  private Made recover(
      List<RequestBelow> below, int first, int second, CoreOpening x1, CoreOpening x2) {
    List<CoreOpening> cores = List.of(x1, x2);
    List<SerialNumber> next = new ArrayList<>();
    List<FieldElement> returned = new ArrayList<>();
    int credits = 0;
    for (int j = 0; j < 2; j++) {
      CoreOpening core = cores.get(j);
      List<FieldElement> rhos = alice.suite.rhos(core.seed(), core.d());
      next.add(serial(rhos.get(1)));
      returned.add(core.recover() ? serial(rhos.get(0)).value() : FieldElement.ZERO);
      for (int i = 0; i < 2; i++) {
        credits |= (core.credits().get(i) && (j == 0 || first != second) ? 1 : 0) << (2 * j + i);
      }
    }
    if (first == second) {
      cores = List.of(x1, withoutCredits(x2));
    }
    Attachments attachments =
        Attachments.withoutPayout(
            new byte[Attachments.MEMO_BYTES], new java.security.SecureRandom());
    Digest32 context = attachments.context(TestKeys.NETWORK);
    RecoverStatement draft =
        new RecoverStatement(
            first, second, next, returned, credits, small.statement().outputs(), context);
    ResolvedRecover resolved = ResolvedRecover.of(TestKeys.NETWORK, below, draft);
    RecoverPlan plan =
        new RecoverPlan(
            alice.nk,
            alice.pkAuth,
            resolved.d(),
            cores,
            resolved.chain(),
            resolved.covered(),
            Amount.ZERO,
            Wallet.field(),
            Wallet.field(),
            List.of(Wallet.field(), Wallet.field()),
            List.of(Wallet.scalar(), Wallet.scalar()));
    PreparedRecover prepared = alice.suite.prepareRecover(plan);
    RecoverStatement statement =
        new RecoverStatement(first, second, next, returned, credits, prepared.outputs(), context);
    ResolvedRecover made = ResolvedRecover.of(TestKeys.NETWORK, below, statement);
    assertThat(made.d()).isEqualTo(resolved.d());
    KeyScalar alpha = Wallet.keyScalar();
    byte[] proof =
        prover.proveRecover(
            RecoverWitness.fromBytes(new RecoverWitness(made.core(), plan, alpha).toBytes()));
    RecoverEvidence evidence =
        new RecoverEvidence(
            keys.circuitVersion(Family.RECOVER),
            alice.suite.randomisedKey(alice.pkAuth, alpha),
            proof,
            alice.suite.signCore(alice.a, alpha, made.core()));
    ComplianceCoin cc = prepared.next();
    CoreOpening opening =
        new CoreOpening(
            true,
            List.of(false, false),
            new InputDigest(made.d().value()),
            plan.seed(),
            plan.s().get(1),
            cc.period(),
            cc.sent(),
            cc.count(),
            cc.held(),
            com(x1),
            com(x2),
            List.of(prepared.returned().value(), prepared.outflow(), prepared.budget()),
            Amount.ZERO,
            List.of(Origin.PAYMENT, Origin.PAYMENT),
            false,
            plan.historyRandomness());
    return new Made(
        new RecoverRequest(below, statement, evidence, attachments), plan, prepared, opening);
  }

  private static CoreOpening withoutCredits(CoreOpening x) {
    return new CoreOpening(
        x.recover(),
        List.of(false, false),
        x.d(),
        x.seed(),
        x.s(),
        x.period(),
        x.sent(),
        x.count(),
        x.held(),
        x.com(),
        x.counterparty(),
        x.values(),
        x.withdrawn(),
        x.origins(),
        x.escrow(),
        x.r());
  }

  /** The history that a transfer's compliance coin has. */
  private FieldElement com(CoreOpening x) {
    return Stream.of(small, large)
        .filter(sent -> sent.plan().d().equals(x.d()))
        .findFirst()
        .map(sent -> sent.prepared().next().com())
        .orElse(FieldElement.ZERO);
  }
}
