package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.authorities.fixture.TestMints;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.PlanInput;
import io.solidus.prover.Suite;
import io.solidus.prover.UnregulatedPlan;
import io.solidus.prover.UnregulatedWitness;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckOutcome;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.SubmitReply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends transfers of an unregulated network, which rejects regulated ones. */
@Tag("process")
class UnregulatedFlowTest {

  private static final TestCommittee KEYS = TestCommittee.of(NetworkKind.UNREGULATED);
  private static final MovableClock CLOCK = new MovableClock();
  private static final TestSanctions ISSUER = new TestSanctions(KEYS.network(), CLOCK);
  private static final TestMints MINTS = new TestMints(KEYS);

  private static TestAuthority authority;

  private final FieldElement nk = TestRandom.field();
  private final KeyScalar spendKey = TestRandom.keyScalar();
  private final KeyPoint pkAuth = suite().publicKey(spendKey);
  private final Apk apk = suite().apk(nk, pkAuth);
  private final FieldElement serialKey = suite().serialKey(nk, pkAuth);

  @BeforeAll
  static void start(@TempDir Path folder) {
    authority = new TestAuthority(KEYS, ISSUER, TestPostgres.newDatabase(), folder, CLOCK);
    MINTS.approver(authority, "alice");
    MINTS.approver(authority, "bob");
    ISSUER.publish(TestSanctions.policy(1, 0, 0, CLOCK));
    authority.startAll();
    for (int i = 0; i < TestAuthority.SHARDS; i++) {
      int shard = i;
      Await.until(
          "shard " + i + " has the policy", () -> authority.status(shard).getPolicyVersion() == 1);
    }
    Await.until(
        "the signer is ready", () -> authority.signerReady() && authority.signerKnowsPolicy(1));
  }

  @AfterAll
  static void stop() {
    authority.close();
    ISSUER.close();
  }

  @Test
  void signsATransferAndRejectsASecondSpend() {
    FieldElement rho = TestRandom.field();
    TransferRequest first = transfer(rho);
    SubmitReply reply = Replies.signed(submit(first));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    Outputs outputs = Outputs.of(KEYS.network(), first.statement());
    for (int i = 0; i < 2; i++) {
      assertThat(
              suite().checkPartial(KEYS.committee().member(1), outputs, i, partial.points().get(i)))
          .isTrue();
    }
    assertThat(submit(first).toByteArray()).isEqualTo(reply.toByteArray());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, submit(transfer(rho)));
  }

  @Test
  void rejectsTransfersOfARegulatedNetwork() {
    TransferRequest regulated = new RandomTransfers(KEYS.network()).next();
    Replies.rejected(RejectionCode.MALFORMED_REQUEST, submit(regulated));
  }

  @Test
  void rejectsAPointOutsideTheSubgroup() {
    TransferRequest good = transfer(TestRandom.field());
    Evidence e = good.evidence();
    Evidence bad =
        new Evidence(
            0,
            0,
            e.circuitVersion(),
            Points.keyOfSmallOrder(),
            e.shows(),
            e.proof(),
            e.rkSignature());
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        submit(new TransferRequest(good.statement(), bad, good.attachments(), List.of())));
  }

  @Test
  void checksEachTransferOfABatch() {
    TransferRequest first = transfer(TestRandom.field());
    TransferRequest second = transfer(TestRandom.field());
    Evidence e = first.evidence();
    Evidence swapped =
        new Evidence(
            0,
            0,
            e.circuitVersion(),
            e.rk(),
            e.shows(),
            second.evidence().proof(),
            e.rkSignature());
    CheckTransfersRequest batch =
        CheckTransfersRequest.newBuilder()
            .addRequests(Codecs.toWire(first))
            .addRequests(Codecs.toWire(new RandomTransfers(KEYS.network()).next()))
            .addRequests(
                Codecs.toWire(
                    new TransferRequest(
                        first.statement(), swapped, first.attachments(), List.of())))
            .addRequests(Codecs.toWire(second))
            .build();
    InternalToken token = InternalToken.derive(KEYS.noteKeySeed(1));
    List<CheckOutcome> outcomes =
        authority
            .signer()
            .withInterceptors(InternalCalls.show(token))
            .checkTransfers(batch)
            .getChecks()
            .getOutcomesList();
    assertThat(outcomes.stream().map(CheckOutcome::hasCore))
        .containsExactly(true, false, false, true);
    assertThat(outcomes.get(1).getRejected().getCode())
        .isEqualTo(RejectionCode.MALFORMED_REQUEST.code());
    assertThat(outcomes.get(2).getRejected().getCode())
        .isEqualTo(RejectionCode.PROOF_INVALID.code());
  }

  @Test
  void signsAMintWithTwoApprovals() {
    var request = MINTS.request(MINTS.id(1), 100, apk, "alice", "bob");
    Replies.signed(authority.validator(1).submitMint(Codecs.toWire(request)));
    var single = MINTS.request(MINTS.id(1), 100, apk, "alice");
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, authority.validator(1).submitMint(Codecs.toWire(single)));
  }

  /** A transfer of a coin of value 100 and a dummy. */
  private TransferRequest transfer(FieldElement rho) {
    FieldElement message = message(rho);
    Signature signature = KEYS.sign(message);
    FieldElement dummy = TestRandom.field();
    Attachments attachments = TestRandom.attachments();
    Digest32 context = attachments.context(KEYS.network());
    List<SerialNumber> serials =
        List.of(suite().serial(serialKey, rho), suite().serial(serialKey, dummy));
    InputDigest digest =
        InputDigest.transfer(
            KEYS.network(), Family.TRANSFER_UNREGULATED, serials, Amount.ZERO, context);
    List<ShownSignature> shows = new ArrayList<>();
    List<Scalar> openings = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      openings.add(TestRandom.scalar());
      shows.add(
          suite().show(KEYS.committee(), signature, message, TestRandom.scalar(), openings.get(i)));
    }
    KeyScalar alpha = TestRandom.keyScalar();
    UnregulatedPlan plan =
        new UnregulatedPlan(
            nk,
            pkAuth,
            List.of(PlanInput.coin(Amount.of(100), Origin.PAYMENT, rho), PlanInput.dummy(dummy)),
            apk,
            Amount.of(40),
            Amount.of(60),
            Amount.ZERO,
            Period.NONE,
            digest,
            TestRandom.field(),
            List.of(TestRandom.field(), TestRandom.field()),
            List.of(TestRandom.scalar(), TestRandom.scalar()));
    TransferStatement statement =
        new TransferStatement(
            Family.TRANSFER_UNREGULATED,
            serials,
            suite().prepareUnregulated(plan).outputs(),
            Period.NONE,
            Amount.ZERO,
            context);
    TxCore core = statement.core(KEYS.network());
    byte[] proof =
        KEYS.prover()
            .proveUnregulated(
                new UnregulatedWitness(
                    core, plan, alpha, shows, openings, List.of(message, message)));
    Evidence evidence =
        new Evidence(
            0,
            0,
            KEYS.keys().circuitVersion(Family.TRANSFER_UNREGULATED),
            suite().randomisedKey(pkAuth, alpha),
            shows,
            proof,
            suite().signCore(spendKey, alpha, core));
    return new TransferRequest(statement, evidence, attachments, List.of());
  }

  private FieldElement message(FieldElement rho) {
    return suite().coinMessage(new Coin(Origin.PAYMENT, Amount.of(100), apk, rho));
  }

  private static SubmitReply submit(TransferRequest request) {
    int shard = TestAuthority.ownerOf(request.statement().leadSerial());
    return authority.validator(shard).submitTransfer(Codecs.toWire(request));
  }

  private static Suite suite() {
    return KEYS.suite();
  }
}
