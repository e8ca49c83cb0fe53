package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.StatusRuntimeException;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.authorities.fixture.TestMints;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.Outputs;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks mints: two different approvers sign each one, a mint id is used once, and the daily cap
 * limits the sum.
 */
@Tag("process")
class MintFlowTest {

  private static final long VALUE = 500;

  private static RegulatedNetwork network;
  private static TestMints mints;
  private static Apk apk;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    mints = new TestMints(network.keys);
    mints.approver(network.authority, "alice");
    mints.approver(network.authority, "bob");
    mints.approver(network.authority, "carol");
    mints.alias(network.authority, "alice-too", "alice");
    mints.stranger("mallory");
    network.start();
    apk = network.walletOn(0).apk();
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  /** Starts every test on another day, because the cap counts days. */
  @BeforeEach
  void nextDay() {
    Instant now = network.clock.instant();
    Instant noon =
        now.atOffset(ZoneOffset.UTC)
            .toLocalDate()
            .plusDays(1)
            .atTime(12, 0)
            .toInstant(ZoneOffset.UTC);
    network.clock.forward(Duration.between(now, noon));
    network.awaitReady();
  }

  @Test
  void signsAMintWithTwoApprovals() {
    MintRequest request = mints.request(mints.id(0), VALUE, apk, "alice", "bob");
    SubmitReply reply = Replies.signed(submit(request));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    assertThat(
            network
                .keys
                .suite()
                .checkPartial(
                    network.keys.committee().member(1),
                    Outputs.of(network.keys.network(), request.statement()),
                    0,
                    partial.points().getFirst()))
        .isTrue();
    assertThat(submit(request).toByteArray()).isEqualTo(reply.toByteArray());
    MintRequest otherApprovers =
        TestMints.withApprovals(request, mints.approvals(request.statement(), "bob", "carol"));
    assertThat(submit(otherApprovers).toByteArray())
        .as("approvals are not part of the core")
        .isEqualTo(reply.toByteArray());
  }

  @Test
  @Spec("V-14")
  void aMintIdIsForOneCoin() {
    MintId id = mints.id(1);
    Replies.signed(submit(mints.request(id, VALUE, apk, "alice", "bob")));
    Replies.rejected(
        RejectionCode.MINT_CONFLICT, submit(mints.request(id, VALUE, apk, "alice", "bob")));
    Replies.rejected(
        RejectionCode.MINT_CONFLICT, submit(mints.request(id, VALUE + 1, apk, "alice", "bob")));
  }

  @Test
  @Spec("V-14")
  void twoApprovalsOfOnePersonAreNotEnough() {
    MintRequest request = mints.request(mints.id(0), VALUE, apk, "alice");
    Replies.rejected(RejectionCode.APPROVAL_INVALID, submit(request));
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, submit(approvedBy(request, "alice", "alice-too")));
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, submit(approvedBy(request, "alice", "mallory")));
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, submit(TestMints.withApprovals(request, List.of())));
    MintApproval alice = mints.approvals(request.statement(), "alice").getFirst();
    MintApproval underBobsName = new MintApproval("bob", alice.signature());
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID,
        submit(TestMints.withApprovals(request, List.of(alice, underBobsName))));
    var twice = Codecs.toWire(request).toBuilder();
    twice.addApprovals(twice.getApprovals(0));
    Replies.rejected(
        RejectionCode.MALFORMED_REQUEST, network.authority.validator(0).submitMint(twice.build()));
    Replies.signed(submit(approvedBy(request, "alice", "mallory", "carol")));
  }

  @Test
  @Spec("V-14")
  void anApprovalIsForOneValueAndOneCoin() {
    MintId id = mints.id(0);
    MintRequest request = mints.request(id, VALUE, apk, "alice", "bob");
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID, submit(TestMints.withValue(request, VALUE + 1)));
    MintRequest other = mints.request(id, VALUE, apk, "alice", "bob");
    Replies.rejected(
        RejectionCode.APPROVAL_INVALID,
        submit(TestMints.withApprovals(other, request.approvals())));
  }

  @Test
  void rejectsAProofOfAnotherMintAndInvalidPoints() {
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
  void theDailyCapHoldsAcrossShards() {
    long almostAll = TestSanctions.CAP - 100;
    MintRequest tooMuch = mints.request(mints.id(0), TestSanctions.CAP + 1, apk, "alice", "bob");
    Replies.rejected(RejectionCode.MINT_CAP_EXCEEDED, submit(tooMuch));
    Replies.signed(submit(mints.request(mints.id(0), almostAll, apk, "alice", "bob")));
    MintRequest over = mints.request(mints.id(1), 101, apk, "alice", "bob");
    Replies.rejected(RejectionCode.MINT_CAP_USED_UP, submit(over));
    Replies.signed(submit(mints.request(mints.id(1), 100, apk, "alice", "bob")));
    Replies.rejected(RejectionCode.MINT_CAP_USED_UP, submit(over));
    nextDay();
    Replies.signed(submit(over));
  }

  @Test
  void aRepeatedMintCountsOnce() {
    long half = TestSanctions.CAP / 2;
    MintRequest request = mints.request(mints.id(0), half, apk, "alice", "bob");
    network.authority.failpoints().arm(Step.SIGNED);
    assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> submit(request)))
        .isNotNull();
    network.authority.failpoints().disarm();
    Replies.signed(submit(request));
    Replies.signed(submit(request));
    Replies.signed(submit(mints.request(mints.id(1), half, apk, "alice", "bob")));
  }

  private static MintRequest approvedBy(MintRequest request, String... names) {
    return TestMints.withApprovals(request, mints.approvals(request.statement(), names));
  }

  private static SubmitReply submit(MintRequest request) {
    int shard = TestAuthority.ownerOf(request.statement().serial(network.keys.network()));
    return network.authority.validator(shard).submitMint(Codecs.toWire(request));
  }
}
