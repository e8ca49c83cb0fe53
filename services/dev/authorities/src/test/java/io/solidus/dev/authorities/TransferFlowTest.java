package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.Attachments;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.NoteKey;
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
import io.solidus.wire.v1.GetStatusRequest;
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
import org.junit.jupiter.api.Test;

/** Real proofs, real shares, real PostgreSQL: what happens to a regulated transfer. */
class TransferFlowTest {

  private static RegulatedWorld world;

  /**
   * A good request whose compliance coin is never spent; for everything that is refused before
   * anything is stored.
   */
  private static TransferRequest good;

  /** A request that was signed, and the answer. */
  private static TransferRequest done;

  private static TestWallet doneWallet;
  private static TestWallet.Draft doneDraft;
  private static SubmitReply answer;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create().start();
    good = world.draft(world.walletOn(0), 1).prove(world.rules());
    doneWallet = world.walletOn(0);
    doneDraft = world.draft(doneWallet, 1);
    done = doneDraft.prove(world.rules());
    answer = Replies.signed(world.submit(done));
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @Test
  void thePartialSignatureVerifiesForEveryOutput() {
    PartialSignature partial = Codecs.toDomain(answer.getSigned());
    var suite = world.keys.suite();
    var digest = done.statement().inputDigest(world.keys.network());
    assertThat(partial.authority()).isEqualTo(1);
    for (int i = 0; i < 2; i++) {
      BlindedCoin coin = done.statement().outputs().get(i);
      assertThat(
              suite.checkPartial(
                  world.keys.committee().member(1), coin, digest, partial.points().get(i)))
          .isTrue();
    }
  }

  @Test
  @Spec("V-02")
  void theSameRequestGetsTheSameBytesAgain() {
    assertThat(world.submit(done).toByteArray()).isEqualTo(answer.toByteArray());
  }

  @Test
  void theSameCoreWithRenewedEvidenceGetsTheSameBytes() {
    TransferRequest again = doneDraft.prove(world.rules());
    assertThat(again.evidence()).isNotEqualTo(done.evidence());
    assertThat(world.submit(again).toByteArray()).isEqualTo(answer.toByteArray());
  }

  @Test
  @Spec("V-04")
  void refusesASecondSpendOfTheSameComplianceCoin() {
    TransferRequest other = world.draft(doneWallet, 0).prove(world.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, world.submit(other));
  }

  @Test
  void aConflictOnAnInputDoesNotUseUpTheComplianceCoin() {
    TestWallet second = doneWallet.withAnotherComplianceCoin(Authority.ownedBy(0));
    // the first input of `done` lives on the other shard
    TransferRequest conflicting = world.draft(second, doneDraft.firstDummy()).prove(world.rules());
    Replies.rejected(RejectionCode.SERIAL_CONFLICT, world.submit(conflicting));
    assertThat(state(second.leadSerial()).getStatus()).isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  @Test
  void tellsWhatItKnowsToWhoeverKnowsTheSerialNumber() {
    SerialState lead = state(done.statement().leadSerial());
    assertThat(lead.getStatus()).isEqualTo(SerialState.Status.STATUS_SIGNED);
    assertThat(lead.getSigned()).isEqualTo(answer.getSigned());
    assertThat(Codecs.toDomain(lead.getRequest()))
        .as("the whole request, memo included")
        .isEqualTo(done);
    SerialState input = state(done.statement().serials().get(1));
    assertThat(input.getStatus()).isEqualTo(SerialState.Status.STATUS_RESERVED);
    assertThat(input.getCore().toByteArray())
        .isEqualTo(done.statement().core(world.keys.network()).bytes());
    assertThat(input.hasRequest()).isFalse();
    assertThat(state(good.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  @Test
  void refusesToSpeakForSerialNumbersOfAnotherShard() {
    LookUpSerialsRequest request =
        LookUpSerialsRequest.newBuilder().addSerials(bytes(done.statement().leadSerial())).build();
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> world.authority.validator(1).lookUpSerials(request));
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    Replies.rejected(
        RejectionCode.SHARD_MOVED,
        world.authority.validator(1).submitTransfer(Codecs.toWire(good)));
  }

  @Test
  void findsTheAnswerByItsCore() {
    assertThat(lookUp(done)).isEqualTo(answer);
    Replies.rejected(RejectionCode.NOT_FOUND, lookUp(good));
  }

  @Test
  @Spec("V-06")
  void refusesAProofOfSomethingElse() {
    byte[] swapped = done.evidence().proof();
    Replies.rejected(RejectionCode.PROOF_INVALID, world.submit(Altered.proof(good, swapped)));
    byte[] damaged = good.evidence().proof();
    damaged[5] ^= 1;
    assertThat(world.submit(Altered.proof(good, damaged)).getRejected().getCode())
        .isEqualTo("proof-invalid");
  }

  @Test
  void refusesAnUnknownCircuitVersion() {
    TransferRequest other = Altered.versions(good, 1, 1, 77);
    Replies.rejected(RejectionCode.UNKNOWN_VERSION, world.submit(other));
  }

  @Test
  @Spec("V-05")
  void refusesAKeySignatureOverAnotherCore() {
    Replies.rejected(
        RejectionCode.SIGNATURE_INVALID,
        world.submit(Altered.keySignature(good, done.evidence().rkSignature())));
  }

  @Test
  @Spec("V-05")
  void refusesAShownSignatureThatDoesNotVerify() {
    ShownSignature show = good.evidence().shows().getFirst();
    ShownSignature other =
        new ShownSignature(show.h(), show.m(), done.evidence().shows().getFirst().s());
    Replies.rejected(
        RejectionCode.SHOWN_SIGNATURE_INVALID, world.submit(Altered.show(good, 0, other)));
  }

  @Test
  @Spec("V-05")
  void refusesEveryPointThatIsNotAGroupElement() {
    ShownSignature show = good.evidence().shows().get(1);
    BlindedCoin coin = good.statement().outputs().getFirst();
    Replies.rejected(
        RejectionCode.POINT_NOT_ON_CURVE,
        world.submit(Altered.randomisedKey(good, Points.offCurve())));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        world.submit(Altered.randomisedKey(good, Points.ofSmallOrder())));
    Replies.rejected(
        RejectionCode.POINT_NOT_ON_CURVE,
        world.submit(Altered.output(good, 0, new BlindedCoin(coin.cm(), Points.offCurve()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        world.submit(Altered.output(good, 1, new BlindedCoin(coin.cm(), Points.ofSmallOrder()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        world.submit(
            Altered.show(good, 1, new ShownSignature(Points.ofSmallOrder(), show.m(), show.s()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_ON_CURVE,
        world.submit(
            Altered.show(good, 1, new ShownSignature(show.h(), Points.offCurve(), show.s()))));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        world.submit(
            Altered.show(good, 1, new ShownSignature(show.h(), show.m(), Points.ofSmallOrder()))));
  }

  @Test
  @Spec("V-01")
  void refusesWhatIsNotARequestBeforeLookingAtIt() {
    var wire = Codecs.toWire(good);
    var longSerial = wire.getStatement().getSerials(0).concat(ByteString.copyFrom(new byte[1]));
    refusesWire(
        RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setSerials(0, longSerial));
    refusesWire(
        RejectionCode.MALFORMED_REQUEST,
        w -> w.getStatementBuilder().setSerials(0, ByteString.EMPTY));
    refusesWire(RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().clearSerials());
    refusesWire(RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().removeOutputs(0));
    refusesWire(RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setFamily(4));
    refusesWire(RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setFamily(99));
    refusesWire(
        RejectionCode.MALFORMED_REQUEST, w -> w.getStatementBuilder().setWithdrawnMinor(-1));
    refusesWire(
        RejectionCode.SERIALS_NOT_DISTINCT,
        w -> w.getStatementBuilder().setSerials(1, wire.getStatement().getSerials(2)));
    refusesWire(
        RejectionCode.MALFORMED_REQUEST,
        w -> w.getEvidenceBuilder().setProof(ByteString.copyFrom(new byte[771])));
    refusesWire(RejectionCode.MALFORMED_REQUEST, w -> w.getEvidenceBuilder().removeShows(0));
    refusesWire(
        RejectionCode.MALFORMED_REQUEST,
        w ->
            w.getEvidenceBuilder()
                .setRk(ByteString.copyFrom(Points.notCanonical(good.evidence().rk()))));
    refusesWire(
        RejectionCode.MALFORMED_REQUEST, io.solidus.wire.v1.TransferRequest.Builder::clearEvidence);
    assertThat(
            world
                .authority
                .validator(0)
                .submitTransfer(
                    wire.toBuilder()
                        .setEvidence(
                            wire.getEvidence().toBuilder()
                                .setRk(ByteString.copyFrom(Points.identity())))
                        .build())
                .getRejected()
                .getCode())
        .isIn("identity-point", "malformed-request");
  }

  @Test
  @Spec("V-01")
  void refusesAttachmentsThatAreNotTheStatements() {
    TransferRequest other =
        new TransferRequest(
            good.statement(),
            good.evidence(),
            Attachments.withoutPayout(TestRandom.bytes(Attachments.MEMO_BYTES)),
            List.of());
    Replies.rejected(RejectionCode.CONTEXT_MISMATCH, world.submit(other));
  }

  @Test
  void nothingRefusedLeavesATrace() {
    Replies.rejected(
        RejectionCode.PROOF_INVALID, world.submit(Altered.proof(good, done.evidence().proof())));
    for (SerialNumber serial : good.statement().serials()) {
      assertThat(state(serial).getStatus()).isEqualTo(SerialState.Status.STATUS_UNSPENT);
    }
  }

  @Test
  void onlyProcessesOfTheAuthorityReserveAndAskForSignatures() {
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
    var outsider = ShardServiceGrpc.newBlockingStub(world.authority.shardChannel(0));
    assertDenied(() -> outsider.reserveAll(reserve));
    assertDenied(() -> outsider.holders(look));
    assertDenied(() -> world.authority.signer().checkTransfers(check(good)));
    assertDenied(() -> world.authority.signer().signTransfers(sign(good)));
    assertThat(state(good.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  @Test
  void theSignerChecksForItselfWhateverAShardSays() {
    InternalToken token = InternalToken.derive(world.keys.noteKeySeed(1));
    var shard = world.authority.signer().withInterceptors(InternalCalls.show(token));
    TransferRequest bad = Altered.proof(good, done.evidence().proof());
    assertRefused(RejectionCode.PROOF_INVALID, shard.signTransfers(sign(bad)));
    TransferRequest unknown = Altered.versions(good, 50, 1, good.evidence().circuitVersion());
    assertRefused(RejectionCode.UNKNOWN_POLICY, shard.signTransfers(sign(unknown)));
    InternalToken guessed = InternalToken.derive(new byte[32]);
    assertDenied(() ->
        world
            .authority
            .signer()
            .withInterceptors(InternalCalls.show(guessed))
            .signTransfers(sign(good)));
  }

  @Test
  void theSignerSignsNothingThatIsNotReserved() {
    InternalToken token = InternalToken.derive(world.keys.noteKeySeed(1));
    var shard = world.authority.signer().withInterceptors(InternalCalls.show(token));
    assertThat(shard.checkTransfers(check(good)).getChecks().getOutcomes(0).hasCore()).isTrue();
    assertRefused(RejectionCode.UNAVAILABLE, shard.signTransfers(sign(good)));
    assertThat(state(good.statement().leadSerial()).getStatus())
        .isEqualTo(SerialState.Status.STATUS_UNSPENT);
  }

  @Test
  void countersignsWhatItGoesBy() {
    GetStatusReply status =
        world.authority.validator(1).getStatus(GetStatusRequest.getDefaultInstance());
    assertThat(status.getAuthority()).isEqualTo(1);
    assertThat(status.getShard()).isEqualTo(1);
    NoteKey authority = world.keys.committee().member(1).countersigner();
    for (String note :
        List.of(status.getPolicyNote(), status.getCheckpointNote(), status.getShardMapNote())) {
      assertThat(SignedNote.parse(note).verifiedBy(List.of(authority)))
          .containsExactly(authority.name());
    }
    assertThat(SignedNote.parse(status.getPolicyNote()).signatures())
        .as("the issuer's line and ours")
        .hasSize(2);
    ShardMap map =
        ShardMap.parse(world.keys.network(), SignedNote.parse(status.getShardMapNote()).text());
    assertThat(map).isEqualTo(ShardMap.equal(1, 1, 2));
  }

  @Test
  void countsWhatItSigned() {
    long before =
        world
            .authority
            .validator(0)
            .getStatus(GetStatusRequest.getDefaultInstance())
            .getSignedCount();
    Replies.signed(world.submit(done));
    assertThat(
            world
                .authority
                .validator(0)
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getSignedCount())
        .as("an old answer is not counted again")
        .isEqualTo(before)
        .isPositive();
  }

  private static void refusesWire(
      RejectionCode code, Consumer<io.solidus.wire.v1.TransferRequest.Builder> change) {
    var request = Codecs.toWire(good).toBuilder();
    change.accept(request);
    Replies.rejected(code, world.authority.validator(0).submitTransfer(request.build()));
  }

  private static CheckTransfersRequest check(TransferRequest request) {
    return CheckTransfersRequest.newBuilder().addRequests(Codecs.toWire(request)).build();
  }

  private static SignTransfersRequest sign(TransferRequest request) {
    ByteString core = ByteString.copyFrom(request.statement().core(world.keys.network()).bytes());
    return SignTransfersRequest.newBuilder()
        .addTransfers(SignTransfer.newBuilder().setCore(core).setRequest(Codecs.toWire(request)))
        .build();
  }

  private static void assertRefused(RejectionCode code, SignTransfersReply reply) {
    assertThat(reply.getSignatures().getOutcomes(0).getRejected().getCode()).isEqualTo(code.code());
  }

  private static void assertDenied(Runnable call) {
    StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  private static SubmitReply lookUp(TransferRequest request) {
    return world
        .authority
        .validator(0)
        .lookUpCore(
            LookUpCoreRequest.newBuilder()
                .setCore(
                    ByteString.copyFrom(request.statement().core(world.keys.network()).bytes()))
                .setLeadSerial(bytes(request.statement().leadSerial()))
                .build());
  }

  private static SerialState state(SerialNumber serial) {
    LookUpSerialsReply reply =
        world
            .authority
            .validator(Authority.ownerOf(serial))
            .lookUpSerials(LookUpSerialsRequest.newBuilder().addSerials(bytes(serial)).build());
    return reply.getStates(0);
  }

  private static ByteString bytes(SerialNumber serial) {
    return ByteString.copyFrom(serial.bytes());
  }
}
