package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.StatusRuntimeException;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.world.Authority;
import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.authorities.world.TestMints;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Money comes into being only by two people's own signatures, once per mint id, within the day's
 * cap.
 */
class MintFlowTest {

  private static final long VALUE = 500;

  private static RegulatedWorld world;
  private static TestMints mints;
  private static Apk apk;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create();
    mints = new TestMints(world.keys);
    mints.approver(world.authority, "alice");
    mints.approver(world.authority, "bob");
    mints.approver(world.authority, "carol");
    mints.alias(world.authority, "alice-too", "alice");
    mints.stranger("mallory");
    world.start();
    apk = world.walletOn(0).apk();
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  /** The cap counts days, so every test begins on a day of its own. */
  @BeforeEach
  void nextDay() {
    Instant now = world.clock.instant();
    Instant noon =
        now.atOffset(ZoneOffset.UTC)
            .toLocalDate()
            .plusDays(1)
            .atTime(12, 0)
            .toInstant(ZoneOffset.UTC);
    world.clock.forward(Duration.between(now, noon));
    world.awaitReady();
  }

  @Test
  void signsAMintThatTwoApproved() {
    MintRequest request = mints.request(mints.id(0), VALUE, apk, "alice", "bob");
    SubmitReply reply = Replies.signed(submit(request));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    assertThat(
            world
                .keys
                .suite()
                .checkPartial(
                    world.keys.committee().member(1),
                    request.statement().coin(),
                    request.statement().inputDigest(world.keys.network()),
                    partial.points().getFirst()))
        .isTrue();
    assertThat(submit(request).toByteArray()).isEqualTo(reply.toByteArray());
    MintRequest otherApprovers =
        TestMints.with(request, mints.approvals(request.statement(), "bob", "carol"));
    assertThat(submit(otherApprovers).toByteArray())
        .as("approvals are no part of the core")
        .isEqualTo(reply.toByteArray());
  }

  @Test
  @Spec("V-14")
  void aMintIdIsForOneCoinOnly() {
    MintId id = mints.id(1);
    Replies.signed(submit(mints.request(id, VALUE, apk, "alice", "bob")));
    Replies.rejected(
        RejectionCode.MINT_CONFLICT, submit(mints.request(id, VALUE, apk, "alice", "bob")));
    Replies.rejected(
        RejectionCode.MINT_CONFLICT, submit(mints.request(id, VALUE + 1, apk, "alice", "bob")));
  }

  @Test
  @Spec("V-14")
  void onePersonIsNotTwo() {
    MintRequest request = mints.request(mints.id(0), VALUE, apk, "alice");
    Replies.rejected(RejectionCode.APPROVAL_INVALID, submit(request));
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, submit(approvedBy(request, "alice", "alice-too")));
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, submit(approvedBy(request, "alice", "mallory")));
    Replies.rejected(RejectionCode.APPROVAL_INVALID, submit(TestMints.with(request, List.of())));
    MintApproval alice = mints.approvals(request.statement(), "alice").getFirst();
    MintApproval underBobsName = new MintApproval("bob", alice.signature());
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID,
        submit(TestMints.with(request, List.of(alice, underBobsName))));
    var twice = Codecs.toWire(request).toBuilder();
    twice.addApprovals(twice.getApprovals(0));
    Replies.rejected(
        RejectionCode.MALFORMED_REQUEST, world.authority.validator(0).submitMint(twice.build()));
    Replies.signed(submit(approvedBy(request, "alice", "mallory", "carol")));
  }

  @Test
  @Spec("V-14")
  void anApprovalIsForOneValueAndOneCoin() {
    MintId id = mints.id(0);
    MintRequest request = mints.request(id, VALUE, apk, "alice", "bob");
    Replies.rejected(RejectionCode.APPROVAL_INVALID, submit(TestMints.worth(request, VALUE + 1)));
    MintRequest other = mints.request(id, VALUE, apk, "alice", "bob");
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, submit(TestMints.with(other, request.approvals())));
  }

  @Test
  void refusesAProofOfAnotherMintAndPointsThatAreNone() {
    MintRequest request = mints.request(mints.id(0), VALUE, apk, "alice", "bob");
    MintRequest other = mints.request(mints.id(0), VALUE, apk, "alice", "bob");
    Replies.rejected(
        RejectionCode.PROOF_INVALID,
        submit(
            new MintRequest(
                request.statement(),
                request.circuitVersion(),
                other.proof(),
                request.approvals())));
    MintStatement s = request.statement();
    MintStatement bad =
        new MintStatement(
            s.mintId(), s.value(), new BlindedCoin(s.coin().cm(), Points.ofSmallOrder()));
    Replies.rejected(
        RejectionCode.POINT_NOT_IN_SUBGROUP,
        submit(
            new MintRequest(
                bad,
                request.circuitVersion(),
                request.proof(),
                mints.approvals(bad, "alice", "bob"))));
  }

  @Test
  @Spec("V-14")
  void staysWithinTheDaysCapAcrossShards() {
    long most = TestSanctions.CAP - 100;
    MintRequest tooMuch = mints.request(mints.id(0), TestSanctions.CAP + 1, apk, "alice", "bob");
    Replies.rejected(RejectionCode.MINT_CAP_EXCEEDED, submit(tooMuch));
    Replies.signed(submit(mints.request(mints.id(0), most, apk, "alice", "bob")));
    MintRequest over = mints.request(mints.id(1), 101, apk, "alice", "bob");
    Replies.rejected(RejectionCode.MINT_CAP_EXCEEDED, submit(over));
    Replies.signed(submit(mints.request(mints.id(1), 100, apk, "alice", "bob")));
    Replies.rejected(RejectionCode.MINT_CAP_EXCEEDED, submit(over));
    nextDay();
    Replies.signed(submit(over));
  }

  @Test
  void aMintCountsOnceHoweverOftenItIsSent() {
    long half = TestSanctions.CAP / 2;
    MintRequest request = mints.request(mints.id(0), half, apk, "alice", "bob");
    world.authority.failpoints().arm(Step.SIGNED);
    assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> submit(request)))
        .isNotNull();
    world.authority.failpoints().disarm();
    Replies.signed(submit(request));
    Replies.signed(submit(request));
    Replies.signed(submit(mints.request(mints.id(1), half, apk, "alice", "bob")));
  }

  private static MintRequest approvedBy(MintRequest request, String... names) {
    return TestMints.with(request, mints.approvals(request.statement(), names));
  }

  private static SubmitReply submit(MintRequest request) {
    int shard = Authority.ownerOf(request.statement().serial(world.keys.network()));
    return world.authority.validator(shard).submitMint(Codecs.toWire(request));
  }
}
