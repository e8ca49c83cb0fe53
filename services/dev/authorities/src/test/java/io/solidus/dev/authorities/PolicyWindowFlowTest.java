package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.authorities.fixture.TestAuthority;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.LookUpSerialsRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Changes policies, checkpoints and heartbeats while transfers are under way. The tests run in
 * order, because versions only grow.
 */
@Tag("process")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PolicyWindowFlowTest {

  private static final Duration GRACE = Duration.ofMinutes(10);
  private static final Duration HEARTBEAT_MAX_AGE = Duration.ofSeconds(60);

  private static RegulatedNetwork network;

  /** All transfers here are proved under policy 1 and checkpoint 1. */
  private static TransferRequest inTime;

  private static TestWallet.Draft lateDraft;
  private static TransferRequest late;
  private static TransferRequest halfSigned;
  private static TransferRequest reserved;
  private static @Nullable TransferRequest newest;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create().start();
    inTime = network.transfer(0, 1);
    lateDraft = network.draft(network.walletOn(1), 0);
    late = lateDraft.prove(network.rules());
    halfSigned = network.transfer(0, 1);
    reserved = network.transfer(0, 1);
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  @Order(1)
  void anUnknownNewerPolicyOrCheckpointIsRetryable() {
    Replies.rejected(
        RejectionCode.UNKNOWN_POLICY, network.submit(Altered.versions(inTime, 2, 1, 1)));
    Replies.rejected(
        RejectionCode.UNKNOWN_CHECKPOINT, network.submit(Altered.versions(inTime, 1, 2, 1)));
  }

  @Test
  @Order(2)
  void aProofFromJustBeforeANewPolicyIsValid() {
    network.publishPolicy(2, RegulatedNetwork.PERIOD, 900);
    Replies.signed(network.submit(inTime));
  }

  /** The shard has reserved and the signer has not signed when both stop. */
  @Test
  @Order(2)
  void crashesBetweenReservationAndSignature() {
    network.authority.failpoints().arm(Step.OWN_SERIALS_RESERVED);
    assertThatThrownBy(() -> network.submit(reserved)).isInstanceOf(StatusRuntimeException.class);
    network.authority.failpoints().disarm();
    network.authority.stopSigner();
    network.authority.startSigner();
    for (int shard = 0; shard < TestAuthority.SHARDS; shard++) {
      network.authority.stopShard(shard);
      network.authority.startShard(shard);
    }
    network.awaitReady();
  }

  @Test
  @Order(3)
  void aProofUnderAnOlderPolicyIsStaleAfterTheGracePeriod() {
    network.clock.forward(GRACE.plusSeconds(5));
    network.awaitReady();
    Replies.rejected(RejectionCode.STALE_POLICY, network.submit(late));
    Replies.rejected(RejectionCode.STALE_POLICY, network.submit(halfSigned));
  }

  /**
   * Without the rule, authorities that crash like this refuse for ever what no other core may have.
   */
  @Test
  @Order(4)
  @Spec("V-23")
  void finishesWhatItReservedBeforeTheSwitch() {
    Replies.signed(network.submit(reserved));
  }

  @Test
  @Order(4)
  void theSameCoreProvedUnderTheNewPolicyIsSigned() {
    TransferRequest renewed = lateDraft.prove(network.rules());
    assertThat(renewed.statement()).isEqualTo(late.statement());
    Replies.signed(network.submit(renewed));
  }

  @Test
  @Order(5)
  @Spec("V-06")
  void aWrongPolicyVersionMakesTheProofInvalid() {
    // the limits of policy 2 differ from the proof's
    Replies.rejected(
        RejectionCode.PROOF_INVALID, network.submit(Altered.versions(halfSigned, 2, 1, 1)));
  }

  @Test
  @Order(6)
  @Spec("V-11")
  void anInvalidCertificateDoesNotFinishATransfer() {
    TestCommittee others = network.keys;
    PartialSignature second = others.partial(2, halfSigned.statement());
    PartialSignature third = others.partial(3, halfSigned.statement());

    assertDoesNotFinish(second);
    assertDoesNotFinish(second, relabelled(second, 3));
    assertDoesNotFinish(second, reordered(third, 1, 0));
    PartialSignature ofAnotherCore = others.partial(3, late.statement());
    assertDoesNotFinish(second, ofAnotherCore);
    assertDoesNotFinish(
        second, new PartialSignature(3, third.shareEpoch() + 1, third.points(), third.vote()));
  }

  /** With this a wallet may give the transfer up; a restart of the shard forgets none of it. */
  @Test
  @Order(7)
  @Spec("W-09")
  void aSignedLookUpShutsOutWhatIsStale() {
    SerialNumber lead = halfSigned.statement().leadSerial();
    Await.until("the floors rise", () -> signed(lead).floors().policyVersion() == 2);
    int shard = TestAuthority.ownerOf(lead);
    network.authority.stopShard(shard);
    network.authority.startShard(shard);
    network.awaitReady();
    SerialStates states = signed(lead);
    assertThat(states.states()).containsExactly(SerialStates.State.free(lead));
    assertThat(states.floors())
        .isEqualTo(new StateFloors(2, 1, new Period(RegulatedNetwork.PERIOD)));
  }

  private static SerialStates signed(SerialNumber serial) {
    Digest32 nonce = Digest32.of(TestRandom.bytes(32));
    SignedStates signed =
        Codecs.toDomain(
            network
                .authority
                .validator(TestAuthority.ownerOf(serial))
                .lookUpSerials(
                    LookUpSerialsRequest.newBuilder()
                        .addSerials(ByteString.copyFrom(serial.bytes()))
                        .setNonce(ByteString.copyFrom(nonce.bytes()))
                        .build())
                .getSigned());
    assertThat(signed.isSigned(network.keys.committee(), nonce, network.clock.instant())).isTrue();
    return signed.states();
  }

  @Test
  @Order(8)
  @Spec("V-11")
  void finishesATransferThatOtherAuthoritiesSignedInTime() {
    TestCommittee others = network.keys;
    Replies.signed(
        network.submit(
            Altered.certificate(
                halfSigned,
                others.partial(2, halfSigned.statement()),
                others.partial(4, halfSigned.statement()))));
    // afterwards also without the certificate
    Replies.signed(network.submit(halfSigned));
  }

  @Test
  @Order(9)
  void anOldCheckpointIsStaleAfterTheGracePeriod() {
    TransferRequest within = network.draft(network.walletOn(0), 1).prove(network.rules());
    TransferRequest after = network.draft(network.walletOn(0), 1).prove(network.rules());
    network.publishCheckpoint(2, SanctionKey.of(network.walletOn(0).apk()));
    Replies.signed(network.submit(within));
    network.clock.forward(GRACE.plusSeconds(5));
    network.awaitReady();
    Replies.rejected(RejectionCode.STALE_CHECKPOINT, network.submit(after));
  }

  @Test
  @Order(10)
  void thePreviousPeriodIsValidForADay() {
    TestWallet wallet = network.walletOn(0);
    TestWallet.Draft june = network.draft(wallet, 1);
    TestWallet.Draft forgotten = network.draft(network.walletOn(1), 1);
    network.publishPolicy(3, RegulatedNetwork.PERIOD + 1, 800);
    Replies.signed(network.submit(june.prove(network.rules())));
    TransferRequest tooLate = forgotten.prove(network.rules());
    network.clock.forward(Duration.ofHours(24));
    network.awaitReady();
    Replies.rejected(RejectionCode.STALE_PERIOD, network.submit(tooLate));
  }

  @Test
  @Order(11)
  void anOlderPolicyNeverComesIntoForceAgain() {
    network.sanctions.publish(
        TestSanctions.policy(1, RegulatedNetwork.PERIOD, 5_000, network.clock));
    awaitFetch();

    assertThat(network.authority.status(0).getPolicyVersion()).isEqualTo(3);
    Replies.rejected(
        RejectionCode.STALE_POLICY, network.submit(Altered.versions(newest(), 1, 2, 1)));
  }

  @Test
  @Order(12)
  @Spec("V-13")
  void rejectsNewCoresWithoutAFreshHeartbeatAndAnswersOldOnes() {
    TransferRequest fresh = newest();
    network.sanctions.beSilent(true);
    network.clock.forward(HEARTBEAT_MAX_AGE.plusSeconds(1));
    Replies.rejected(RejectionCode.HEARTBEAT_STALE, network.submit(fresh));
    assertThat(network.authority.status(0).getAccepting()).isFalse();
    Replies.signed(network.submit(inTime));
    TestCommittee others = network.keys;
    Replies.signed(
        network.submit(
            Altered.certificate(
                fresh,
                others.partial(2, fresh.statement()),
                others.partial(3, fresh.statement()))));
    network.sanctions.beSilent(false);
    Await.until("accepting again", () -> network.authority.status(0).getAccepting());
  }

  private static void assertDoesNotFinish(PartialSignature... partials) {
    Replies.rejected(
        RejectionCode.STALE_POLICY, network.submit(Altered.certificate(halfSigned, partials)));
  }

  private static PartialSignature relabelled(PartialSignature partial, int authority) {
    return new PartialSignature(authority, partial.shareEpoch(), partial.points(), partial.vote());
  }

  private static PartialSignature reordered(PartialSignature partial, int first, int second) {
    return new PartialSignature(
        partial.authority(),
        partial.shareEpoch(),
        List.of(partial.points().get(first), partial.points().get(second)),
        partial.vote());
  }

  /** A transfer under the rules in force after policy 3, proved once. */
  private static TransferRequest newest() {
    if (newest == null) {
      TestWallet wallet = network.walletOn(0);
      newest =
          wallet
              .draft(
                  network.walletOn(0).apk(),
                  10,
                  new Period(RegulatedNetwork.PERIOD + 1),
                  wallet.dummyRho(s -> true),
                  wallet.dummyRho(s -> true))
              .prove(network.rules());
    }
    return newest;
  }

  /**
   * Waits until every shard has fetched everything that is published now. Each round ends with a
   * heartbeat that was fetched after its start, so the second one follows a complete fetch.
   */
  private static void awaitFetch() {
    for (int i = 0; i < 2; i++) {
      network.clock.forward(HEARTBEAT_MAX_AGE.plusSeconds(1));
      network.awaitReady();
    }
  }
}
