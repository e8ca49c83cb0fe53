package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.Rules;
import io.solidus.dev.testkit.world.TestSanctions;
import io.solidus.dev.testkit.world.TestWallet;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.v1.GetStatusRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Policies, checkpoints and heartbeats change while transfers are in flight. Versions only grow,
 * hence the order.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PolicyWindowFlowTest {

  private static final Duration GRACE = Duration.ofMinutes(10);

  private static RegulatedWorld world;

  /** All proved under policy 1 and checkpoint 1. */
  private static TransferRequest inTime;

  private static TestWallet.Draft lateDraft;
  private static TransferRequest late;
  private static TransferRequest halfSigned;

  @BeforeAll
  static void start() {
    world = RegulatedWorld.create().start();
    Rules rules = world.rules();
    inTime = world.draft(world.walletOn(0), 1).prove(rules);
    lateDraft = world.draft(world.walletOn(1), 0);
    late = lateDraft.prove(rules);
    halfSigned = world.draft(world.walletOn(0), 1).prove(rules);
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @Test
  @Order(1)
  void anUnknownNewerPolicyOrCheckpointIsToBeTriedAgain() {
    Replies.rejected(RejectionCode.UNKNOWN_POLICY, world.submit(Altered.versions(inTime, 2, 1, 1)));
    Replies.rejected(
        RejectionCode.UNKNOWN_CHECKPOINT, world.submit(Altered.versions(inTime, 1, 2, 1)));
  }

  @Test
  @Order(2)
  void aProofMadeJustBeforeASwitchIsStillGood() {
    world.publishPolicy(2, RegulatedWorld.PERIOD, 900);
    Replies.signed(world.submit(inTime));
  }

  @Test
  @Order(3)
  void aProofUnderAnOlderPolicyIsStaleAfterTheGrace() {
    world.clock.forward(GRACE.plusSeconds(5));
    world.awaitReady();
    Replies.rejected(RejectionCode.STALE_POLICY, world.submit(late));
    Replies.rejected(RejectionCode.STALE_POLICY, world.submit(halfSigned));
  }

  @Test
  @Order(4)
  void theSameCoreProvedUnderTheNewPolicyIsSigned() {
    TransferRequest renewed = lateDraft.prove(world.rules());
    assertThat(renewed.statement()).isEqualTo(late.statement());
    Replies.signed(world.submit(renewed));
  }

  @Test
  @Order(5)
  @Spec("V-06")
  void lyingAboutThePolicyVersionDoesNotHelp() {
    // the proof was made with other limits than policy 2 has
    Replies.rejected(
        RejectionCode.PROOF_INVALID, world.submit(Altered.versions(halfSigned, 2, 1, 1)));
  }

  @Test
  @Order(6)
  @Spec("V-11")
  void aCertificateThatProvesNothingFinishesNothing() {
    TestCommittee others = world.keys;
    PartialSignature second = others.partial(2, halfSigned.statement());
    PartialSignature third = others.partial(3, halfSigned.statement());

    refusesToFinish(second);
    refusesToFinish(second, relabelled(second, 3));
    refusesToFinish(second, third(third, 1, 0));
    PartialSignature ofAnotherCore = others.partial(3, late.statement());
    refusesToFinish(second, ofAnotherCore);
    refusesToFinish(second, new PartialSignature(3, third.shareEpoch() + 1, third.points()));
  }

  @Test
  @Order(7)
  @Spec("V-11")
  void partialsOnTheComplianceCoinAloneDoNotCarryAnotherRecipientPastTheWindow() {
    TestCommittee others = world.keys;
    PartialSignature third = others.partial(3, halfSigned.statement());
    PartialSignature onlyCompliance =
        new PartialSignature(
            3,
            third.shareEpoch(),
            List.of(
                others.partial(3, late.statement()).points().getFirst(), third.points().get(1)));
    refusesToFinish(others.partial(2, halfSigned.statement()), onlyCompliance);
  }

  @Test
  @Order(8)
  @Spec("V-11")
  void finishesWhatAnHonestValidatorAcceptedInTime() {
    TestCommittee others = world.keys;
    Replies.signed(
        world.submit(
            Altered.certificate(
                halfSigned,
                others.partial(2, halfSigned.statement()),
                others.partial(4, halfSigned.statement()))));
    // from now on without a certificate, for ever
    Replies.signed(world.submit(halfSigned));
  }

  @Test
  @Order(9)
  void theOldListIsGoodForTheGraceAndNoLonger() {
    TransferRequest within = world.draft(world.walletOn(0), 1).prove(world.rules());
    TransferRequest after = world.draft(world.walletOn(0), 1).prove(world.rules());
    world.publishCheckpoint(2, SanctionKey.of(world.walletOn(0).apk()));
    Replies.signed(world.submit(within));
    world.clock.forward(GRACE.plusSeconds(5));
    world.awaitReady();
    Replies.rejected(RejectionCode.STALE_CHECKPOINT, world.submit(after));
  }

  @Test
  @Order(10)
  void theNewPeriodAndThePreviousOneForADay() {
    TestWallet wallet = world.walletOn(0);
    TestWallet.Draft june = world.draft(wallet, 1);
    TestWallet.Draft forgotten = world.draft(world.walletOn(1), 1);
    world.publishPolicy(3, RegulatedWorld.PERIOD + 1, 800);
    Replies.signed(world.submit(june.prove(world.rules())));
    TransferRequest tooLate = forgotten.prove(world.rules());
    world.clock.forward(Duration.ofHours(24));
    world.awaitReady();
    Replies.rejected(RejectionCode.STALE_PERIOD, world.submit(tooLate));
  }

  @Test
  @Order(11)
  void aRolledBackPolicyIsNeverInForce() {
    world.sanctions.publish(TestSanctions.policy(1, RegulatedWorld.PERIOD, 5_000, world.clock));
    pause();
    assertThat(
            world
                .authority
                .validator(0)
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getPolicyVersion())
        .isEqualTo(3);
    Replies.rejected(RejectionCode.STALE_POLICY, world.submit(Altered.versions(late(), 1, 2, 1)));
  }

  @Test
  @Order(12)
  @Spec("V-13")
  void takesNoNewCoreWhileTheSanctionAuthorityIsSilentAndAnswersOldOnes() {
    TransferRequest fresh = late();
    world.sanctions.beSilent(true);
    world.clock.forward(Duration.ofSeconds(61));
    Replies.rejected(RejectionCode.HEARTBEAT_STALE, world.submit(fresh));
    assertThat(
            world
                .authority
                .validator(0)
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getAccepting())
        .isFalse();
    Replies.signed(world.submit(inTime));
    TestCommittee others = world.keys;
    Replies.signed(
        world.submit(
            Altered.certificate(
                fresh,
                others.partial(2, fresh.statement()),
                others.partial(3, fresh.statement()))));
    world.sanctions.beSilent(false);
    Await.until(
        "accepting again",
        () ->
            world
                .authority
                .validator(0)
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getAccepting());
  }

  private static void refusesToFinish(PartialSignature... partials) {
    Replies.rejected(
        RejectionCode.STALE_POLICY, world.submit(Altered.certificate(halfSigned, partials)));
  }

  private static PartialSignature relabelled(PartialSignature partial, int authority) {
    return new PartialSignature(authority, partial.shareEpoch(), partial.points());
  }

  private static PartialSignature third(PartialSignature partial, int first, int second) {
    return new PartialSignature(
        partial.authority(),
        partial.shareEpoch(),
        List.of(partial.points().get(first), partial.points().get(second)));
  }

  private static TransferRequest proved;

  /** One more good request under what is in force now. */
  private static TransferRequest late() {
    if (proved == null) {
      TestWallet wallet = world.walletOn(0);
      TestWallet recipient = world.walletOn(0);
      proved =
          wallet
              .draft(
                  recipient.apk(),
                  10,
                  new Period(RegulatedWorld.PERIOD + 1),
                  wallet.dummyRho(s -> true),
                  wallet.dummyRho(s -> true))
              .prove(world.rules());
    }
    return proved;
  }

  private static void pause() {
    try {
      Thread.sleep(500);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
