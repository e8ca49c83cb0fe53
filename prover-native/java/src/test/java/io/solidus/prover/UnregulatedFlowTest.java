package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Wallet.Signed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The paper's second variant with real proofs: a mint, then a payment with change. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnregulatedFlowTest {
  private KeySet keys;
  private Prover prover;
  private Verifier verifier;
  private List<Share> shares;
  private Wallet alice;
  private Signed<Coin> minted;

  @BeforeAll
  void open() {
    TestKeys testKeys = TestKeys.of(NetworkKind.UNREGULATED);
    keys = testKeys.open();
    prover = Prover.open(keys, 1);
    verifier = Verifier.open(keys, keys.committee());
    shares = IntStream.rangeClosed(1, 4).mapToObj(testKeys::share).toList();
    alice =
        new Wallet(
            new Suite(TestKeys.NETWORK, NetworkKind.UNREGULATED), keys.committee(), shares, prover);
    Wallet.Issue issue = alice.mint(1_000, keys.circuitVersion(Family.MINT));
    assertThat(verifier.verifyMint(issue.request())).isEqualTo(NativeErrorCode.OK);
    minted = alice.collect(issue, 1, 2, 3);
  }

  @AfterAll
  void close() {
    prover.close();
    verifier.close();
    shares.forEach(Share::close);
    keys.close();
  }

  private record Sent(
      TransferStatement statement,
      Evidence evidence,
      UnregulatedPlan plan,
      PreparedUnregulated prepared) {}

  private UnregulatedPlan plan(
      List<PlanInput> inputs,
      List<SerialNumber> serials,
      Apk to,
      long paid,
      long change,
      long out,
      Digest32 context) {
    InputDigest d =
        InputDigest.transfer(
            TestKeys.NETWORK, Family.TRANSFER_UNREGULATED, serials, new Amount(out), context);
    return new UnregulatedPlan(
        alice.nk,
        alice.pkAuth,
        inputs,
        to,
        new Amount(paid),
        new Amount(change),
        new Amount(out),
        Wallet.PERIOD,
        d,
        Wallet.field(),
        List.of(Wallet.field(), Wallet.field()),
        List.of(Wallet.scalar(), Wallet.scalar()));
  }

  private Sent pay(Apk to, long paid, long change, long out) {
    Suite suite = alice.suite;
    List<PlanInput> inputs =
        List.of(
            PlanInput.coin(minted.coin().value(), minted.coin().origin(), minted.coin().rho()),
            PlanInput.dummy(Wallet.field()));
    List<SerialNumber> serials =
        inputs.stream().map(in -> suite.serial(alice.serialKey, in.rho())).toList();
    Digest32 context = Digest32.sha256(Wallet.field().bytes());
    UnregulatedPlan plan = plan(inputs, serials, to, paid, change, out, context);
    PreparedUnregulated prepared = suite.prepareUnregulated(plan);
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER_UNREGULATED,
            serials,
            prepared.outputs(),
            Wallet.PERIOD,
            new Amount(out),
            context);
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      openings.add(Wallet.scalar());
      shows.add(
          suite.show(
              keys.committee(),
              minted.signature(),
              minted.message(),
              Wallet.scalar(),
              openings.get(i)));
    }
    KeyScalar alpha = Wallet.keyScalar();
    TxCore core = statement.core(TestKeys.NETWORK);
    UnregulatedWitness witness =
        new UnregulatedWitness(
            core, plan, alpha, shows, openings, List.of(minted.message(), minted.message()));
    byte[] proof = prover.proveUnregulated(UnregulatedWitness.fromBytes(witness.toBytes()));
    Evidence evidence =
        new Evidence(
            0,
            0,
            keys.circuitVersion(Family.TRANSFER_UNREGULATED),
            suite.randomisedKey(alice.pkAuth, alpha),
            shows,
            proof,
            suite.signCore(alice.a, alpha, core));
    return new Sent(statement, evidence, plan, prepared);
  }

  @Test
  void paysWithChangeAndWithdrawal() {
    Sent sent = pay(new Apk(Wallet.field()), 600, 350, 50);
    assertThat(verifier.verifyUnregulated(sent.statement(), sent.evidence()))
        .isEqualTo(NativeErrorCode.OK);
    assertThat(
            verifier.verifyTransfers(
                List.of(TransferBatchItem.unregulated(sent.statement(), sent.evidence()))))
        .containsExactly(NativeErrorCode.OK);
    Signature change =
        alice.sign(
            Outputs.of(TestKeys.NETWORK, sent.statement()), 1, sent.plan().b().get(1), 2, 3, 4);
    assertThat(minted.coin().origin()).isEqualTo(Origin.PAYMENT);
    assertThat(sent.prepared().changeCoin().origin()).isEqualTo(Origin.PAYMENT);
    assertThat(sent.prepared().changeCoin().value()).isEqualTo(new Amount(350));
    assertThat(alice.suite.verify(keys.committee(), sent.prepared().changeMessage(), change))
        .isTrue();
    assertThat(
            verifier.verifyTransfer(
                sent.statement(), sent.evidence(), Wallet.LIMITS, FieldElement.ZERO))
        .isEqualTo(NativeErrorCode.WRONG_FAMILY);
    Evidence e = sent.evidence();
    Evidence other =
        new Evidence(
            0,
            0,
            e.circuitVersion(),
            e.rk(),
            List.of(e.shows().get(1), e.shows().get(0)),
            e.proof(),
            e.rkSignature());
    assertThat(verifier.verifyUnregulated(sent.statement(), other))
        .isEqualTo(NativeErrorCode.LINK_INVALID);
  }

  @Test
  void unbalancedTransfersAreRefused() {
    NativeException e =
        catchThrowableOfType(
            NativeException.class, () -> pay(new Apk(Wallet.field()), 600, 401, 0));
    assertThat(e.code()).isEqualTo(NativeErrorCode.INSUFFICIENT_FUNDS);
  }
}
