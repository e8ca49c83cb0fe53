package io.solidus.authority.spend.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.protocol.TransferFamilies;
import io.solidus.protocol.TransferStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AdmissionRuleTest {

  private static final NetworkId NETWORK = new NetworkId("rule-test");
  private static final NoteSigner ISSUER = NoteSigner.fromSeed("issuer", new byte[32]);
  private static final Instant T0 = Instant.parse("2026-06-30T23:00:00Z");
  private static final Duration GRACE = Duration.ofMinutes(10);
  private static final Duration MAX_SILENCE = Duration.ofMinutes(1);
  private static final Period JUNE = new Period(202606);
  private static final Period JULY = new Period(202607);

  private final AdmissionRule rule =
      new AdmissionRule(
          NetworkKind.REGULATED, new AdmissionWindows(GRACE, Duration.ofHours(24), MAX_SILENCE));
  private final NavigableMap<Long, VerifiedPolicy> policies = new TreeMap<>();
  private final NavigableMap<Long, VerifiedCheckpoint> checkpoints = new TreeMap<>();
  private final NavigableMap<Long, Instant> heartbeats = new TreeMap<>();

  @Test
  @Spec("V-03")
  void admitsTheCurrentPolicyAndCheckpointWithTheirValues() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    ProofTerms terms = admit(1, 1, JUNE, false, T0.plusSeconds(1));
    assertThat(terms.limits().maxPerTransfer()).isEqualTo(Amount.of(101));
    assertThat(terms.root()).isEqualTo(FieldElement.ofLong(1));
  }

  @Test
  @Spec("V-10")
  void acceptsTheSupersededPolicyForExactlyTheGrace() {
    policy(1, JUNE, T0);
    policy(2, JUNE, T0.plusSeconds(100));
    fresh(T0.plus(GRACE).plusSeconds(100));
    assertThat(
            admit(1, 1, JUNE, false, T0.plusSeconds(100).plus(GRACE).minusMillis(1))
                .limits()
                .maxPerTransfer())
        .isEqualTo(Amount.of(101));
    rejects(RejectionCode.STALE_POLICY, 1, 1, JUNE, T0.plusSeconds(100).plus(GRACE));
  }

  @Test
  void theGraceStartsWithTheFirstSuccessor() {
    policy(1, JUNE, T0);
    policy(2, JUNE, T0.plusSeconds(100));
    policy(3, JUNE, T0.plusSeconds(500));
    fresh(T0.plusSeconds(701));
    rejects(RejectionCode.STALE_POLICY, 1, 1, JUNE, T0.plusSeconds(100).plus(GRACE));
    assertThat(admit(2, 1, JUNE, false, T0.plusSeconds(100).plus(GRACE)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(102));
  }

  @Test
  void aPolicyCountsOnlyFromItsEffectiveTime() {
    policy(1, JUNE, T0);
    policies.put(2L, verified(policyOf(2, JUNE, T0.plusSeconds(50)), T0));
    fresh(T0);
    rejects(RejectionCode.UNKNOWN_POLICY, 2, 1, JUNE, T0.plusSeconds(49));
    assertThat(admit(2, 1, JUNE, false, T0.plusSeconds(50)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(102));
    assertThat(rules().policyInForce(T0.plusSeconds(49)).orElseThrow().version()).isEqualTo(1);
  }

  @Test
  @Spec({"V-03", "V-10"})
  void anUnknownNewerVersionIsRetryable() {
    policy(1, JUNE, T0);
    fresh(T0);
    ProtocolException rejection = rejects(RejectionCode.UNKNOWN_POLICY, 2, 1, JUNE, T0);
    assertThat(rejection.code().retryable()).isTrue();
    assertThat(rejects(RejectionCode.UNKNOWN_CHECKPOINT, 1, 2, JUNE, T0).code().retryable())
        .isTrue();
  }

  @Test
  void anOlderVersionThatWasNeverReceivedIsStale() {
    policy(3, JUNE, T0);
    checkpoint(3, T0, T0);
    heartbeat(3, T0);
    rejects(RejectionCode.STALE_POLICY, 2, 3, JUNE, T0);
    rejects(RejectionCode.STALE_CHECKPOINT, 3, 2, JUNE, T0);
  }

  @Test
  void aPolicyReceivedLateIsForTheFinishRuleOnly() {
    policy(5, JUNE, T0);
    policies.put(4L, new VerifiedPolicy(policyOf(4, JUNE, T0), note(), T0, true));
    fresh(T0);
    rejects(RejectionCode.STALE_POLICY, 4, 1, JUNE, T0.plusSeconds(1));
    assertThat(admit(4, 1, JUNE, true, T0.plusSeconds(1)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(104));
    assertThat(rules().policyInForce(T0.plusSeconds(1)).orElseThrow().version()).isEqualTo(5);
  }

  @Test
  @Spec("V-10")
  void acceptsThePreviousPeriodForADay() {
    policy(1, JUNE, T0.minusSeconds(86_400));
    policy(2, JULY, T0);
    fresh(T0);
    assertThat(admit(2, 1, JUNE, false, T0.plusSeconds(1)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(102));
    Instant dayLater = T0.plus(Duration.ofHours(24));
    fresh(dayLater);
    rejects(RejectionCode.STALE_PERIOD, 2, 1, JUNE, dayLater);
    assertThat(admit(2, 1, JULY, false, dayLater).limits().maxPerTransfer())
        .isEqualTo(Amount.of(102));
  }

  @Test
  void aPeriodGraceIsNotRenewedByALaterPolicyOfTheSamePeriod() {
    policy(1, JUNE, T0.minusSeconds(86_400));
    policy(2, JULY, T0);
    policy(3, JULY, T0.plus(Duration.ofHours(23)));
    Instant dayLater = T0.plus(Duration.ofHours(24));
    fresh(dayLater);
    rejects(RejectionCode.STALE_PERIOD, 3, 1, JUNE, dayLater);
  }

  @Test
  void thePreviousPeriodIsThatBeforeThisOneWhateverPolicyItHas() {
    policy(1, JUNE, T0.minusSeconds(86_400));
    policy(2, JULY, T0);
    policy(3, JULY, T0.plusSeconds(10));
    fresh(T0);
    assertThat(admit(3, 1, JUNE, false, T0.plusSeconds(11)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(103));
  }

  @Test
  void rejectsPeriodsThatAreNeitherCurrentNorPrevious() {
    policy(1, JUNE, T0);
    policy(2, JULY, T0.plusSeconds(1));
    fresh(T0);
    rejects(RejectionCode.STALE_PERIOD, 2, 1, new Period(202605), T0.plusSeconds(2));
    rejects(RejectionCode.STALE_PERIOD, 2, 1, new Period(202608), T0.plusSeconds(2));
    rejects(RejectionCode.STALE_PERIOD, 1, 1, JULY, T0.plusSeconds(2));
  }

  @Test
  @Spec("V-10")
  void rejectsAnOldCheckpointAfterTheGrace() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    checkpoint(2, T0.plusSeconds(30), T0.plusSeconds(30));
    Instant end = T0.plusSeconds(30).plus(GRACE);
    heartbeat(2, end);
    assertThat(admit(1, 1, JUNE, false, end.minusMillis(1)).root())
        .isEqualTo(FieldElement.ofLong(1));
    rejects(RejectionCode.STALE_CHECKPOINT, 1, 1, JUNE, end);
  }

  /** The grace of its successor still runs. */
  @Test
  void aCheckpointReceivedLateIsForTheFinishRuleOnly() {
    policy(1, JUNE, T0);
    checkpoint(2, T0, T0);
    checkpoints.put(
        1L, new VerifiedCheckpoint(checkpointOf(1, T0), note(), T0.plusSeconds(1), true, true));
    heartbeat(2, T0);
    rejects(RejectionCode.STALE_CHECKPOINT, 1, 1, JUNE, T0.plusSeconds(2));
    assertThat(admit(1, 1, JUNE, true, T0.plusSeconds(2)).root()).isEqualTo(FieldElement.ofLong(1));
  }

  @Test
  void withoutACheckpointNothingIsFresh() {
    assertThat(rules().fresh(T0, MAX_SILENCE)).isFalse();
    assertThat(RulesInForce.none().fresh(T0, MAX_SILENCE)).isFalse();
  }

  @Test
  void aPolicyReceivedLateIsNeverInForce() {
    policies.put(4L, new VerifiedPolicy(policyOf(4, JUNE, T0), note(), T0, true));
    assertThat(rules().policyInForce(T0.plusSeconds(1))).isEmpty();
  }

  /** A mint that was counted against a former cap is signed; a cap to come allows nothing. */
  @Test
  void theHighestMintCapIsOfPoliciesThatWereInForce() {
    assertThat(rule.highestMintCap(rules(), T0)).isEqualTo(Amount.ZERO);
    policies.put(1L, verified(capped(1, 10, T0), T0));
    policies.put(2L, verified(capped(2, 5, T0.plusSeconds(1)), T0));
    policies.put(3L, verified(capped(3, 20, T0.plusSeconds(100)), T0));
    assertThat(rule.highestMintCap(rules(), T0.plusSeconds(2))).isEqualTo(Amount.of(10));
    assertThat(rule.highestMintCap(rules(), T0.plusSeconds(100))).isEqualTo(Amount.of(20));
  }

  @Test
  void aNetworkTakesTransfersOfItsKindOnly() {
    TransferFamilies regulated = TransferFamilies.of(NetworkKind.REGULATED);
    TransferFamilies unregulated = TransferFamilies.of(NetworkKind.UNREGULATED);
    regulated.require(Family.TRANSFER);
    unregulated.require(Family.TRANSFER_UNREGULATED);
    for (Family other :
        List.of(Family.TRANSFER_UNREGULATED, Family.CLAIM_16, Family.PAY_8, Family.MINT)) {
      assertThatThrownBy(() -> regulated.require(other)).isInstanceOf(ProtocolException.class);
    }
    for (Family other : List.of(Family.TRANSFER, Family.CLAIM_16, Family.PAY_8, Family.RECOVER)) {
      assertThatThrownBy(() -> unregulated.require(other)).isInstanceOf(ProtocolException.class);
    }
    new TransferFamilies(NetworkKind.REGULATED, Set.of(Family.CLAIM_16)).require(Family.CLAIM_16);
    assertThatThrownBy(() -> new TransferFamilies(NetworkKind.UNREGULATED, Set.of(Family.CLAIM_16)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void windowsAreNotNegative() {
    Duration wrong = Duration.ofMillis(-1);
    assertThatThrownBy(() -> new AdmissionWindows(wrong, GRACE, GRACE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new AdmissionWindows(GRACE, wrong, GRACE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new AdmissionWindows(GRACE, GRACE, wrong))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Policy capped(long version, long cap, Instant effectiveAt) {
    Amount any = Amount.of(100);
    return new Policy(
        version, JUNE, any, any, any, any, 5, Amount.of(cap), effectiveAt.toEpochMilli());
  }

  @Test
  void aCheckpointReceivedLongAfterItsPublicationDoesNotExtendTheOldOne() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    Instant published = T0.plusSeconds(60);
    Instant received = published.plus(Duration.ofHours(1));
    checkpoint(2, published, received);
    heartbeat(2, received);
    // the promised bound: publication + longest silence + graceRACE
    rejects(RejectionCode.STALE_CHECKPOINT, 1, 1, JUNE, received);
  }

  @Test
  @Spec("V-13")
  void acceptsNoNewCoreWithoutARecentHeartbeat() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    assertThat(admit(1, 1, JUNE, false, T0.plus(MAX_SILENCE)).root())
        .isEqualTo(FieldElement.ofLong(1));
    rejects(RejectionCode.HEARTBEAT_STALE, 1, 1, JUNE, T0.plus(MAX_SILENCE).plusMillis(1));
    assertThat(rule.accepting(rules(), T0.plus(MAX_SILENCE).plusMillis(1))).isFalse();
  }

  @Test
  @Spec("V-13")
  void aHeartbeatForACheckpointNotKnownHereDoesNotKeepTheOldOneFresh() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    heartbeat(2, T0.plus(MAX_SILENCE).plusSeconds(1));
    rejects(RejectionCode.HEARTBEAT_STALE, 1, 1, JUNE, T0.plus(MAX_SILENCE).plusSeconds(1));
  }

  @Test
  void aCheckpointWhoseRootWasNotRebuiltIsNotUsed() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    checkpoints.put(2L, new VerifiedCheckpoint(checkpointOf(2, T0), note(), T0, false, false));
    rejects(RejectionCode.UNKNOWN_CHECKPOINT, 1, 2, JUNE, T0);
    assertThat(rules().newestCheckpoint().orElseThrow().version()).isEqualTo(1);
  }

  @Test
  @Spec("V-11")
  void finishesUnderAnyPolicyThatWasEverInForce() {
    policy(1, JUNE, T0);
    policy(2, JULY, T0.plusSeconds(1));
    checkpoint(1, T0, T0);
    checkpoint(2, T0.plusSeconds(1), T0.plusSeconds(1));
    Instant muchLater = T0.plus(Duration.ofDays(40));
    ProofTerms terms = admit(1, 1, JUNE, true, muchLater);
    assertThat(terms.limits().maxPerTransfer()).isEqualTo(Amount.of(101));
    assertThat(terms.root()).isEqualTo(FieldElement.ofLong(1));
  }

  @Test
  void neverFinishesUnderAPolicyThatWasNeverInForce() {
    policies.put(1L, verified(policyOf(1, JUNE, T0.plusSeconds(50)), T0));
    fresh(T0);
    ProtocolException rejection =
        catchThrowableOfType(
            ProtocolException.class, () -> admit(1, 1, JUNE, true, T0.plusSeconds(49)));
    assertThat(rejection.code()).isEqualTo(RejectionCode.UNKNOWN_POLICY);
  }

  @Test
  void mintsNeedAPolicyAndAFreshHeartbeat() {
    fresh(T0);
    assertThat(
            catchThrowableOfType(ProtocolException.class, () -> rule.admitMint(rules(), T0)).code())
        .isEqualTo(RejectionCode.UNKNOWN_POLICY);
    policy(1, JUNE, T0);
    assertThat(rule.admitMint(rules(), T0).mintCapPerDay()).isEqualTo(Amount.of(1_000));
    assertThat(
            catchThrowableOfType(
                    ProtocolException.class, () -> rule.admitMint(rules(), T0.plusSeconds(3_600)))
                .code())
        .isEqualTo(RejectionCode.HEARTBEAT_STALE);
  }

  @Test
  void anUnregulatedNetworkHasNoLimitsToCheck() {
    AdmissionRule free =
        new AdmissionRule(
            NetworkKind.UNREGULATED,
            new AdmissionWindows(GRACE, Duration.ofHours(24), MAX_SILENCE));
    assertThat(free.admit(RulesInForce.none(), statement(JUNE), evidence(7, 7), false, T0).root())
        .isEqualTo(FieldElement.ZERO);
    assertThat(free.accepting(RulesInForce.none(), T0)).isTrue();
  }

  @Test
  @Spec("W-09")
  void floorsRiseWhenAGraceTimeEnds() {
    assertThat(rule.floors(rules(), T0)).isEqualTo(StateFloors.NONE);
    policy(1, JUNE, T0.minusSeconds(86_400));
    checkpoint(4, T0, T0);
    assertThat(rule.floors(rules(), T0)).isEqualTo(new StateFloors(1, 4, JUNE));
    policy(2, JULY, T0);
    checkpoint(5, T0, T0);
    Instant end = T0.plus(GRACE);
    assertThat(rule.floors(rules(), end.minusMillis(1))).isEqualTo(new StateFloors(1, 4, JUNE));
    assertThat(rule.floors(rules(), end)).isEqualTo(new StateFloors(2, 5, JUNE));
    Instant day = T0.plus(Duration.ofHours(24));
    assertThat(rule.floors(rules(), day.minusMillis(1)).period()).isEqualTo(JUNE);
    assertThat(rule.floors(rules(), day)).isEqualTo(new StateFloors(2, 5, JULY));
  }

  /** It may come before the one that is in force, which nobody could use then. */
  @Test
  @Spec("W-09")
  void anAnnouncedPolicyIsNoFloor() {
    policies.put(3L, verified(policyOf(3, JULY, T0.plusSeconds(500)), T0));
    assertThat(rule.floors(rules(), T0)).isEqualTo(StateFloors.NONE);
    policy(2, JUNE, T0);
    assertThat(rule.floors(rules(), T0)).isEqualTo(new StateFloors(2, 0, JUNE));
  }

  @Test
  @Spec("W-09")
  void anUnregulatedNetworkHasNoFloors() {
    AdmissionRule free =
        new AdmissionRule(
            NetworkKind.UNREGULATED,
            new AdmissionWindows(GRACE, Duration.ofHours(24), MAX_SILENCE));
    policy(2, JULY, T0);
    assertThat(free.floors(rules(), T0)).isEqualTo(StateFloors.NONE);
  }

  /** What is admitted at any time is not below the floors of any time before. */
  @Test
  @Spec("W-09")
  void nothingBelowAFloorIsAdmittedLater() {
    Random random = new Random(9);
    int admitted = 0;
    for (int world = 0; world < 300; world++) {
      policies.clear();
      checkpoints.clear();
      Instant now = T0;
      StateFloors highest = StateFloors.NONE;
      int month = 202601;
      for (int step = 1; step <= 12; step++) {
        now = now.plusSeconds(random.nextInt(3 * 60 * 60));
        month += random.nextInt(3) == 0 ? 1 : 0;
        switch (random.nextInt(3)) {
          case 0 -> policy(step, new Period(month), now.plusSeconds(random.nextInt(900)));
          case 1 -> checkpoint(step, now.minusSeconds(random.nextInt(600)), now);
          default -> {
            // only time passes
          }
        }
        StateFloors floors = rule.floors(rules(), now);
        assertThat(floors.max(highest)).as("floors follow time").isEqualTo(floors);
        highest = floors;
        heartbeats.clear();
        for (long checkpoint : checkpoints.keySet()) {
          heartbeat(checkpoint, now);
        }
        for (long policy : policies.keySet()) {
          for (long checkpoint : checkpoints.keySet()) {
            for (int period = 202601; period <= month; period++) {
              if (isAdmitted(policy, checkpoint, new Period(period), now)) {
                admitted++;
                assertThat(floors.admit(policy, checkpoint, new Period(period)))
                    .as("%d %d %d at %s of %s", policy, checkpoint, period, now, floors)
                    .isTrue();
              }
            }
          }
        }
      }
    }
    assertThat(admitted).isGreaterThan(1_000);
  }

  private boolean isAdmitted(long policy, long checkpoint, Period period, Instant now) {
    try {
      admit(policy, checkpoint, period, false, now);
      return true;
    } catch (ProtocolException e) {
      return false;
    }
  }

  private ProofTerms admit(
      long policy, long checkpoint, Period period, boolean finishing, Instant now) {
    return rule.admit(rules(), statement(period), evidence(policy, checkpoint), finishing, now);
  }

  private ProtocolException rejects(
      RejectionCode code, long policy, long checkpoint, Period period, Instant now) {
    ProtocolException rejection =
        catchThrowableOfType(
            ProtocolException.class, () -> admit(policy, checkpoint, period, false, now));
    assertThat(rejection).isNotNull();
    assertThat(rejection.code()).isEqualTo(code);
    return rejection;
  }

  private RulesInForce rules() {
    return new RulesInForce(policies, checkpoints, heartbeats);
  }

  private void policy(long version, Period period, Instant at) {
    policies.put(version, verified(policyOf(version, period, at), at));
  }

  private void checkpoint(long version, Instant publishedAt, Instant acceptedAt) {
    checkpoints.put(
        version,
        new VerifiedCheckpoint(
            checkpointOf(version, publishedAt), note(), acceptedAt, false, true));
  }

  private void heartbeat(long version, Instant at) {
    heartbeats.put(version, at);
  }

  private void fresh(Instant at) {
    if (checkpoints.isEmpty()) {
      checkpoint(1, T0, T0);
    }
    heartbeat(1, at);
  }

  private static VerifiedPolicy verified(Policy policy, Instant acceptedAt) {
    return new VerifiedPolicy(policy, note(), acceptedAt, false);
  }

  private static SignedNote note() {
    return SignedNote.sign("a note\n", ISSUER);
  }

  private static Policy policyOf(long version, Period period, Instant effectiveAt) {
    return new Policy(
        version,
        period,
        Amount.of(100 + version),
        Amount.of(200),
        Amount.of(300),
        Amount.of(400),
        5,
        Amount.of(1_000),
        effectiveAt.toEpochMilli());
  }

  private static SanctionCheckpoint checkpointOf(long version, Instant publishedAt) {
    return new SanctionCheckpoint(
        version, FieldElement.ofLong(version), 0, Digest32.sha256(), publishedAt.toEpochMilli());
  }

  private static TransferStatement statement(Period period) {
    List<SerialNumber> serials =
        List.of(1L, 2L, 3L).stream().map(v -> new SerialNumber(FieldElement.ofLong(v))).toList();
    BlindedCoin coin = new BlindedCoin(FieldElement.ofLong(9), point());
    return new TransferStatement(
        Family.TRANSFER,
        serials,
        List.of(coin, coin),
        period,
        Amount.ZERO,
        Digest32.sha256(NETWORK.tag()));
  }

  private static Evidence evidence(long policy, long checkpoint) {
    ShownSignature show = new ShownSignature(point(), point(), point());
    return new Evidence(
        policy,
        checkpoint,
        1,
        key(),
        List.of(show, show, show),
        new byte[Family.TRANSFER.proofBytes()],
        new byte[ProofBytes.RK_SIGNATURE]);
  }

  /** Not on the curve; the rule does not read points. */
  private static G1Point point() {
    byte[] bytes = new byte[96];
    bytes[47] = 1;
    bytes[95] = 1;
    return new G1Point(bytes);
  }

  private static KeyPoint key() {
    byte[] bytes = new byte[64];
    bytes[31] = 1;
    bytes[63] = 1;
    return new KeyPoint(bytes);
  }
}
