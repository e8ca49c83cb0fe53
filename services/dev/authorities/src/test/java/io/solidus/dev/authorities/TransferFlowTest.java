package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.CheckTransfersRequest;
import io.solidus.wire.v1.GetStatusReply;
import io.solidus.wire.v1.HoldersRequest;
import io.solidus.wire.v1.LookUpCoreRequest;
import io.solidus.wire.v1.LookUpSerialsReply;
import io.solidus.wire.v1.LookUpSerialsRequest;
import io.solidus.wire.v1.ReserveAllRequest;
import io.solidus.wire.v1.ReserveClaim;
import io.solidus.wire.v1.SerialState;
import io.solidus.wire.v1.ShardServiceGrpc;
import io.solidus.wire.v1.SignTransfer;
import io.solidus.wire.v1.SignTransfersReply;
import io.solidus.wire.v1.SignTransfersRequest;
import io.solidus.wire.v1.SubmitReply;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sends regulated transfers with real proofs, shares and PostgreSQL. */
@Tag("process")
class TransferFlowTest {

  private static RegulatedNetwork network;

  /**
   * A valid request that is never signed. Its altered copies are rejected before anything is
   * stored.
   */
  private static TransferRequest good;

  /** A signed request and its answer. */
  private static TransferRequest done;

  private static TestWallet doneWallet;
  private static TestWallet.Draft doneDraft;
  private static SubmitReply answer;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create().start();
    good = network.transfer(0, 1);
    doneWallet = network.walletOn(0);
    doneDraft = network.draft(doneWallet, 1);
    done = doneDraft.prove(network.rules());
    answer = Replies.signed(network.submit(done));
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  void thePartialSignatureVerifiesForEveryOutput() {
    PartialSignature partial = Codecs.toDomain(answer.getSigned());
    var suite = network.keys.suite();
    Outputs outputs = Outputs.of(network.keys.network(), done.statement());
    assertThat(partial.authority()).isEqualTo(1);
    for (int i = 0; i < 2; i++) {
      assertThat(
              suite.checkPartial(
                  network.keys.committee().member(1), outputs, i, partial.points().get(i)))
          .isTrue();
    }
  }

  @Test
  @Spec("V-02")
  void theSameRequestGetsTheSameBytes() {
    assertThat(network.submit(done).toByteArray()).isEqualTo(answer.toByteArray());
  }

  @Test
  void theSameCoreWithNewEvidenceGetsTheSameBytes() {
    TransferRequest again = doneDraft.prove(network.rules());
    assertThat(again.evidence()).isNotEqualTo(done.evidence());
    assertThat(network.submit(again).toByteArray()).isEqualTo(answer.toByteArray());
  }

  @Test
  @Spec("V-04")
  void rejectsASecondSpendOfTheSameComplianceCoin() {
    TransferRequest other = network.draft(doneWallet, 0).prove(network.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(other));
  }

  @Test
  void aConflictOnAnInputLeavesTheComplianceCoinUnspent() {
    TestWallet second = doneWallet.withAnotherComplianceCoin(TestAuthority.ownedBy(0));
    // the first input of `done` is on the other shard
    TransferRequest conflicting =
        network.draft(second, doneDraft.firstDummy()).prove(network.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, network.submit(conflicting));
    assertThat(state(second.leadSerial()).getStatus()).isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  @Test
  void looksUpSerialNumbersInEveryState() {
    SerialState lead = state(done.statement().leadSerial());
    assertThat(lead.getStatus()).isEqualTo(SerialState.Status.STATUS_SIGNED);
    assertThat(lead.getSigned()).isEqualTo(answer.getSigned());
    assertThat(Codecs.toDomain(lead.getRequest()))
        .as("the whole request with its memo")
        .isEqualTo(done);
    SerialState input = state(done.statement().serials().get(1));
    assertThat(input.getStatus()).isEqualTo(SerialState.Status.STATUS_RESERVED);
    assertThat(input.getCore().toByteArray())
        .isEqualTo(done.statement().core(network.keys.network()).bytes());
    assertThat(input.hasRequest()).isFalse();
    assertThat(state(good.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  @Test
  void rejectsSerialNumbersOfAnotherShard() {
    LookUpSerialsRequest request =
        LookUpSerialsRequest.newBuilder().addSerials(bytes(done.statement().leadSerial())).build();
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> network.authority.validator(1).lookUpSerials(request));
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    Replies.rejected(
        RejectionCode.SHARD_MOVED,
        network.authority.validator(1).submitTransfer(Codecs.toWire(good)));
  }

  @Test
  void looksUpAnAnswerByItsCore() {
    assertThat(lookUp(done)).isEqualTo(answer);
    Replies.rejected(RejectionCode.NOT_FOUND, lookUp(good));
  }

  @Test
  @Spec("V-06")
  void rejectsAProofOfAnotherTransfer() {
    byte[] swapped = done.evidence().proof();
    Replies.rejected(RejectionCode.PROOF_INVALID, network.submit(Altered.proof(good, swapped)));
    byte[] damaged = good.evidence().proof();
    damaged[5] ^= 1;
    assertThat(network.submit(Altered.proof(good, damaged)).getRejected().getCode())
        .isEqualTo("proof-invalid");
  }

  @Test
  void rejectsAnUnknownCircuitVersion() {
    TransferRequest other = Altered.versions(good, 1, 1, 77);
    Replies.rejected(RejectionCode.UNKNOWN_VERSION, network.submit(other));
  }

  @Test
  @Spec("V-05")
  void rejectsAKeySignatureOfAnotherCore() {
    Replies.rejected(
        RejectionCode.SIGNATURE_INVALID,
        network.submit(Altered.keySignature(good, done.evidence().rkSignature())));
  }

  @Test
  @Spec("V-05")
  void rejectsAShownSignatureThatDoesNotVerify() {
    ShownSignature show = good.evidence().shows().getFirst();
    ShownSignature other =
        new ShownSignature(show.h(), show.m(), done.evidence().shows().getFirst().s());
    Replies.rejected(
        RejectionCode.SHOWN_SIGNATURE_INVALID, network.submit(Altered.show(good, 0, other)));
  }

  @Test
  @Spec("V-05")
  void rejectsPointsOutsideTheGroup() {
    ShownSignature show = good.evidence().shows().get(1);
    BlindedCoin coin = good.statement().outputs().getFirst();
    Replies.rejected(
        RejectionCode.POINT_NOT_ON_CURVE,
        network.submit(Altered.randomisedKey(good, Points.keyOffCurve())));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        network.submit(Altered.randomisedKey(good, Points.keyOfSmallOrder())));
    Replies.rejected(
        RejectionCode.POINT_NOT_ON_CURVE,
        network.submit(Altered.output(good, 0, new BlindedCoin(coin.cm(), Points.offCurve()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        network.submit(Altered.output(good, 1, new BlindedCoin(coin.cm(), Points.ofSmallOrder()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        network.submit(
            Altered.show(good, 1, new ShownSignature(Points.ofSmallOrder(), show.m(), show.s()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_ON_CURVE,
        network.submit(
            Altered.show(good, 1, new ShownSignature(show.h(), Points.offCurve(), show.s()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        network.submit(
            Altered.show(good, 1, new ShownSignature(show.h(), show.m(), Points.ofSmallOrder()))));
  }

  @Test
  @Spec("V-01")
  void rejectsMalformedRequests() {
    var wire = Codecs.toWire(good);
    var longSerial = wire.getStatement().getSerials(0).concat(ByteString.copyFrom(new byte[1]));
    assertRejectsWire(
        RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setSerials(0, longSerial));
    assertRejectsWire(
        RejectionCode.MALFORMED_REQUEST,
        w -> w.getStatementBuilder().setSerials(0, ByteString.EMPTY));
    assertRejectsWire(RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().clearSerials());
    assertRejectsWire(
        RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().removeOutputs(0));
    assertRejectsWire(RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setFamily(4));
    assertRejectsWire(RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setFamily(99));
    assertRejectsWire(
        RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setWithdrawnMinor(-1));
    assertRejectsWire(
        RejectionCode.SERIALS_NOT_DISTINCT,
        w -> w.getStatementBuilder().setSerials(1, wire.getStatement().getSerials(2)));
    assertRejectsWire(
        RejectionCode.MALFORMED_REQUEST,
        w ->
            w.getEvidenceBuilder()
                .setProof(ByteString.copyFrom(new byte[Family.TRANSFER.proofBytes() - 1])));
    assertRejectsWire(RejectionCode.MALFORMED_REQUEST, w -> w.getEvidenceBuilder().removeShows(0));
    assertRejectsWire(
        RejectionCode.MALFORMED_REQUEST,
        w ->
            w.getEvidenceBuilder()
                .setRk(ByteString.copyFrom(Points.notCanonical(good.evidence().rk()))));
    assertRejectsWire(
        RejectionCode.MALFORMED_REQUEST, io.solidus.wire.v1.TransferRequest.Builder::clearEvidence);
    assertThat(
            network
                .authority
                .validator(0)
                .submitTransfer(
                    wire.toBuilder()
                        .setEvidence(
                            wire.getEvidence().toBuilder()
                                .setRk(ByteString.copyFrom(Points.keyIdentity())))
                        .build())
                .getRejected()
                .getCode())
        .isIn("identity-point", "malformed-request");
  }

  @Test
  @Spec("V-40")
  void rejectsOtherShapesWithoutTheirKeys() {
    for (Family shape : List.of(Family.CLAIM_16, Family.PAY_8)) {
      TransferRequest request = new RandomTransfers(network.keys.network()).shape(shape);
      Replies.rejected(RejectionCode.MALFORMED_REQUEST, network.submit(request));
    }
  }

  @Test
  @Spec("V-01")
  void rejectsAttachmentsOfAnotherStatement() {
    TransferRequest other =
        new TransferRequest(good.statement(), good.evidence(), TestRandom.attachments(), List.of());
    Replies.rejected(RejectionCode.CONTEXT_MISMATCH, network.submit(other));
  }

  @Test
  void aRejectedRequestLeavesNoTrace() {
    Replies.rejected(
        RejectionCode.PROOF_INVALID, network.submit(Altered.proof(good, done.evidence().proof())));
    for (SerialNumber serial : good.statement().serials()) {
      assertThat(state(serial).getStatus()).isEqualTo(SerialState.Status.STATUS_UNSPENT);
    }
  }

  @Test
  void internalCallsNeedTheAuthoritysToken() {
    var lead = bytes(good.statement().leadSerial());
    ReserveAllRequest reserve =
        ReserveAllRequest.newBuilder()
            .setShardMapVersion(1)
            .addClaims(
                ReserveClaim.newBuilder()
                    .setCore(ByteString.copyFrom(new byte[32]))
                    .addSerials(lead))
            .build();
    HoldersRequest look =
        HoldersRequest.newBuilder().setShardMapVersion(1).addSerials(lead).build();
    var outsider = ShardServiceGrpc.newBlockingStub(network.authority.shardChannel(0));
    assertDenied(() -> outsider.reserveAll(reserve));
    assertDenied(() -> outsider.holders(look));
    assertDenied(() -> network.authority.signer().checkTransfers(check(good)));
    assertDenied(() -> network.authority.signer().signTransfers(sign(good)));
    assertThat(state(good.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  @Test
  void theSignerChecksEveryRequestItself() {
    InternalToken token = InternalToken.derive(network.keys.noteKeySeed(1));
    var shard = network.authority.signer().withInterceptors(InternalCalls.show(token));
    TransferRequest bad = Altered.proof(good, done.evidence().proof());
    assertRejected(RejectionCode.PROOF_INVALID, shard.signTransfers(sign(bad)));
    TransferRequest unknown = Altered.versions(good, 50, 1, good.evidence().circuitVersion());
    assertRejected(RejectionCode.UNKNOWN_POLICY, shard.signTransfers(sign(unknown)));
    InternalToken guessed = InternalToken.derive(new byte[32]);
    assertDenied(() ->
        network
            .authority
            .signer()
            .withInterceptors(InternalCalls.show(guessed))
            .signTransfers(sign(good)));
  }

  @Test
  void theSignerRejectsAnUnreservedTransfer() {
    // not the shared one: the signer remembers the cores that it has checked
    TransferRequest unreserved = network.transfer(0, 1);
    InternalToken token = InternalToken.derive(network.keys.noteKeySeed(1));
    var shard = network.authority.signer().withInterceptors(InternalCalls.show(token));
    var checks = shard.checkTransfers(check(unreserved)).getChecks();
    assertThat(checks.getOutcomes(0).hasCore()).isTrue();
    assertRejected(RejectionCode.UNAVAILABLE, shard.signTransfers(sign(unreserved)));
    assertThat(state(unreserved.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
    // the refused core is not in the sign-log, which would stop the signer for its missing rows
    Replies.signed(network.submit(unreserved));
  }

  @Test
  void countersignsTheRulesInForce() {
    GetStatusReply status = network.authority.status(1);
    assertThat(status.getAuthority()).isEqualTo(1);
    assertThat(status.getShard()).isEqualTo(1);
    NoteKey authority = network.keys.committee().member(1).countersigner();
    for (String note :
        List.of(status.getPolicyNote(), status.getCheckpointNote(), status.getShardMapNote())) {
      assertThat(SignedNote.parse(note).verifiedBy(List.of(authority)))
          .containsExactly(authority.name());
    }
    assertThat(SignedNote.parse(status.getPolicyNote()).signatures())
        .as("signatures of the issuer and of the authority")
        .hasSize(2);
    ShardMap map =
        ShardMap.parse(network.keys.network(), SignedNote.parse(status.getShardMapNote()).text());
    assertThat(map).isEqualTo(ShardMap.equal(1, 1, 2));
  }

  /**
   * Attack: whoever asks for the status all the time sees when each core is signed. It tells what
   * the events tell, once a second.
   */
  @Test
  void theStatusTellsNoMoreThanTheEvents() {
    Await.until("counted", () -> network.authority.status(0).getSignedCount() > 0);
    RepeatedJob counts = network.authority.shard(0).getBean("signedCounts", RepeatedJob.class);
    counts.stop();
    long before = network.authority.status(0).getSignedCount();
    Replies.signed(network.submit(network.transfer(0, 1)));
    assertThat(network.authority.status(0).getSignedCount()).isEqualTo(before);
    counts.start();
    Await.until("counted", () -> network.authority.status(0).getSignedCount() > before);
  }

  private static void assertRejectsWire(
      RejectionCode code, Consumer<io.solidus.wire.v1.TransferRequest.Builder> change) {
    var request = Codecs.toWire(good).toBuilder();
    change.accept(request);
    Replies.rejected(code, network.authority.validator(0).submitTransfer(request.build()));
  }

  private static CheckTransfersRequest check(TransferRequest request) {
    return CheckTransfersRequest.newBuilder().addRequests(Codecs.toWire(request)).build();
  }

  private static SignTransfersRequest sign(TransferRequest request) {
    ByteString core = ByteString.copyFrom(request.statement().core(network.keys.network()).bytes());
    return SignTransfersRequest.newBuilder()
        .addTransfers(SignTransfer.newBuilder().setCore(core).setRequest(Codecs.toWire(request)))
        .build();
  }

  private static void assertRejected(RejectionCode code, SignTransfersReply reply) {
    assertThat(reply.getSignatures().getOutcomes(0).getRejected().getCode()).isEqualTo(code.code());
  }

  private static void assertDenied(Runnable call) {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  private static SubmitReply lookUp(TransferRequest request) {
    return network
        .authority
        .validator(0)
        .lookUpCore(
            LookUpCoreRequest.newBuilder()
                .setCore(
                    ByteString.copyFrom(request.statement().core(network.keys.network()).bytes()))
                .setLeadSerial(bytes(request.statement().leadSerial()))
                .build());
  }

  private static SerialState state(SerialNumber serial) {
    LookUpSerialsReply reply =
        network
            .authority
            .validator(TestAuthority.ownerOf(serial))
            .lookUpSerials(LookUpSerialsRequest.newBuilder().addSerials(bytes(serial)).build());
    return reply.getStates(0);
  }

  private static ByteString bytes(SerialNumber serial) {
    return ByteString.copyFrom(serial.bytes());
  }
}
