package io.solidus.authority.spend.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AdmissionRuleTest {

  private static final NetworkId NETWORK = new NetworkId("rule-test");
  private static final NoteSigner ISSUER = NoteSigner.fromSeed("issuer", new byte[32]);
  private static final Instant T0 = Instant.parse("2026-06-30T23:00:00Z");
  private static final Duration G = Duration.ofMinutes(10);
  private static final Duration DMAX = Duration.ofMinutes(1);
  private static final Period JUNE = new Period(202606);
  private static final Period JULY = new Period(202607);

  private final AdmissionRule rule =
      new AdmissionRule(NetworkKind.REGULATED, new AdmissionWindows(G, Duration.ofHours(24), DMAX));
  private final NavigableMap<Long, KnownPolicy> policies = new TreeMap<>();
  private final NavigableMap<Long, KnownCheckpoint> checkpoints = new TreeMap<>();
  private final NavigableMap<Long, Instant> heartbeats = new TreeMap<>();

  @Test
  @Spec("V-03")
  void admitsTheCurrentPolicyAndCheckpointWithTheirValues() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    Admission admission = admit(1, 1, JUNE, false, T0.plusSeconds(1));
    assertThat(admission.limits().maxPerTransfer()).isEqualTo(Amount.of(101));
    assertThat(admission.root()).isEqualTo(FieldElement.ofLong(1));
  }

  @Test
  @Spec("V-10")
  void acceptsTheSupersededPolicyForExactlyTheGrace() {
    policy(1, JUNE, T0);
    policy(2, JUNE, T0.plusSeconds(100));
    fresh(T0.plus(G).plusSeconds(100));
    assertThat(
            admit(1, 1, JUNE, false, T0.plusSeconds(100).plus(G).minusMillis(1))
                .limits()
                .maxPerTransfer())
        .isEqualTo(Amount.of(101));
    refuses(RejectionCode.STALE_POLICY, 1, 1, JUNE, T0.plusSeconds(100).plus(G));
  }

  @Test
  void graceRunsFromTheFirstSuccessorEvenIfOthersFollow() {
    policy(1, JUNE, T0);
    policy(2, JUNE, T0.plusSeconds(100));
    policy(3, JUNE, T0.plusSeconds(500));
    fresh(T0.plusSeconds(701));
    refuses(RejectionCode.STALE_POLICY, 1, 1, JUNE, T0.plusSeconds(100).plus(G));
    assertThat(admit(2, 1, JUNE, false, T0.plusSeconds(100).plus(G)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(102));
  }

  @Test
  void aPolicyCountsOnlyFromItsEffectiveTime() {
    policy(1, JUNE, T0);
    policies.put(2L, known(policyOf(2, JUNE, T0.plusSeconds(50)), T0));
    fresh(T0);
    refuses(RejectionCode.UNKNOWN_POLICY, 2, 1, JUNE, T0.plusSeconds(49));
    assertThat(admit(2, 1, JUNE, false, T0.plusSeconds(50)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(102));
    assertThat(facts().policyInForce(T0.plusSeconds(49)).orElseThrow().version()).isEqualTo(1);
  }

  @Test
  @Spec({"V-03", "V-10"})
  void anUnknownNewerVersionIsRetryable() {
    policy(1, JUNE, T0);
    fresh(T0);
    ProtocolException refusal = refuses(RejectionCode.UNKNOWN_POLICY, 2, 1, JUNE, T0);
    assertThat(refusal.code().retryable()).isTrue();
    assertThat(refuses(RejectionCode.UNKNOWN_CHECKPOINT, 1, 2, JUNE, T0).code().retryable())
        .isTrue();
  }

  @Test
  void anOlderVersionNeverSeenIsStale() {
    policy(3, JUNE, T0);
    checkpoint(3, T0, T0);
    heartbeat(3, T0);
    refuses(RejectionCode.STALE_POLICY, 2, 3, JUNE, T0);
    refuses(RejectionCode.STALE_CHECKPOINT, 3, 2, JUNE, T0);
  }

  @Test
  void aPolicyLearntLateIsForTheFinishRuleOnly() {
    policy(5, JUNE, T0);
    policies.put(4L, new KnownPolicy(policyOf(4, JUNE, T0), note(), T0, true));
    fresh(T0);
    refuses(RejectionCode.STALE_POLICY, 4, 1, JUNE, T0.plusSeconds(1));
    assertThat(admit(4, 1, JUNE, true, T0.plusSeconds(1)).limits().maxPerTransfer())
        .isEqualTo(Amount.of(104));
    assertThat(facts().policyInForce(T0.plusSeconds(1)).orElseThrow().version()).isEqualTo(5);
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
    refuses(RejectionCode.STALE_PERIOD, 2, 1, JUNE, dayLater);
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
    refuses(RejectionCode.STALE_PERIOD, 3, 1, JUNE, dayLater);
  }

  @Test
  void refusesPeriodsThatAreNeitherCurrentNorPrevious() {
    policy(1, JUNE, T0);
    policy(2, JULY, T0.plusSeconds(1));
    fresh(T0);
    refuses(RejectionCode.STALE_PERIOD, 2, 1, new Period(202605), T0.plusSeconds(2));
    refuses(RejectionCode.STALE_PERIOD, 2, 1, new Period(202608), T0.plusSeconds(2));
    refuses(RejectionCode.STALE_PERIOD, 1, 1, JULY, T0.plusSeconds(2));
  }

  @Test
  @Spec("V-10")
  void refusesAnOldCheckpointAfterTheGrace() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    checkpoint(2, T0.plusSeconds(30), T0.plusSeconds(30));
    Instant end = T0.plusSeconds(30).plus(G);
    heartbeat(2, end);
    assertThat(admit(1, 1, JUNE, false, end.minusMillis(1)).root())
        .isEqualTo(FieldElement.ofLong(1));
    refuses(RejectionCode.STALE_CHECKPOINT, 1, 1, JUNE, end);
  }

  @Test
  void aCheckpointLearntLongAfterItsPublicationDoesNotStretchTheOldOne() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    Instant published = T0.plusSeconds(60);
    Instant learnt = published.plus(Duration.ofHours(1));
    checkpoint(2, published, learnt);
    heartbeat(2, learnt);
    // the bound that is promised: publication + Dmax + G
    refuses(RejectionCode.STALE_CHECKPOINT, 1, 1, JUNE, learnt);
  }

  @Test
  @Spec("V-13")
  void takesNoNewCoreWhenTheSanctionAuthorityIsSilent() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    assertThat(admit(1, 1, JUNE, false, T0.plus(DMAX)).root()).isEqualTo(FieldElement.ofLong(1));
    refuses(RejectionCode.HEARTBEAT_STALE, 1, 1, JUNE, T0.plus(DMAX).plusMillis(1));
    assertThat(rule.accepting(facts(), T0.plus(DMAX).plusMillis(1))).isFalse();
  }

  @Test
  @Spec("V-13")
  void aHeartbeatForACheckpointNotKnownHereDoesNotKeepTheOldOneFresh() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    heartbeat(2, T0.plus(DMAX).plusSeconds(1));
    refuses(RejectionCode.HEARTBEAT_STALE, 1, 1, JUNE, T0.plus(DMAX).plusSeconds(1));
  }

  @Test
  void aCheckpointWhoseRootWasNotRebuiltIsNotUsed() {
    policy(1, JUNE, T0);
    checkpoint(1, T0, T0);
    heartbeat(1, T0);
    checkpoints.put(2L, new KnownCheckpoint(checkpointOf(2, T0), note(), T0, false, false));
    refuses(RejectionCode.UNKNOWN_CHECKPOINT, 1, 2, JUNE, T0);
    assertThat(facts().newestCheckpoint().orElseThrow().version()).isEqualTo(1);
  }

  @Test
  @Spec("V-11")
  void finishesUnderAnyPolicyThatEverWasInForce() {
    policy(1, JUNE, T0);
    policy(2, JULY, T0.plusSeconds(1));
    checkpoint(1, T0, T0);
    checkpoint(2, T0.plusSeconds(1), T0.plusSeconds(1));
    Instant muchLater = T0.plus(Duration.ofDays(40));
    Admission admission = admit(1, 1, JUNE, true, muchLater);
    assertThat(admission.limits().maxPerTransfer()).isEqualTo(Amount.of(101));
    assertThat(admission.root()).isEqualTo(FieldElement.ofLong(1));
  }

  @Test
  void neverFinishesUnderAPolicyThatWasNeverInForce() {
    policies.put(1L, known(policyOf(1, JUNE, T0.plusSeconds(50)), T0));
    fresh(T0);
    ProtocolException refusal =
        catchThrowableOfType(
            ProtocolException.class, () -> admit(1, 1, JUNE, true, T0.plusSeconds(49)));
    assertThat(refusal.code()).isEqualTo(RejectionCode.UNKNOWN_POLICY);
  }

  @Test
  void mintsNeedAPolicyAndAFreshHeartbeat() {
    fresh(T0);
    assertThat(
            catchThrowableOfType(ProtocolException.class, () -> rule.admitMint(facts(), T0)).code())
        .isEqualTo(RejectionCode.UNKNOWN_POLICY);
    policy(1, JUNE, T0);
    assertThat(rule.admitMint(facts(), T0).mintCapPerDay()).isEqualTo(Amount.of(1_000));
    assertThat(
            catchThrowableOfType(
                    ProtocolException.class, () -> rule.admitMint(facts(), T0.plusSeconds(3_600)))
                .code())
        .isEqualTo(RejectionCode.HEARTBEAT_STALE);
  }

  @Test
  void anUnregulatedNetworkHasNoLimitsToCheck() {
    AdmissionRule free =
        new AdmissionRule(
            NetworkKind.UNREGULATED, new AdmissionWindows(G, Duration.ofHours(24), DMAX));
    assertThat(free.admit(Facts.none(), statement(JUNE), evidence(7, 7), false, T0).root())
        .isEqualTo(FieldElement.ZERO);
    assertThat(free.accepting(Facts.none(), T0)).isTrue();
  }

  private Admission admit(
      long policy, long checkpoint, Period period, boolean finishing, Instant now) {
    return rule.admit(facts(), statement(period), evidence(policy, checkpoint), finishing, now);
  }

  private ProtocolException refuses(
      RejectionCode code, long policy, long checkpoint, Period period, Instant now) {
    ProtocolException refusal =
        catchThrowableOfType(
            ProtocolException.class, () -> admit(policy, checkpoint, period, false, now));
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    return refusal;
  }

  private Facts facts() {
    return new Facts(policies, checkpoints, heartbeats);
  }

  private void policy(long version, Period period, Instant at) {
    policies.put(version, known(policyOf(version, period, at), at));
  }

  private void checkpoint(long version, Instant publishedAt, Instant acceptedAt) {
    checkpoints.put(
        version,
        new KnownCheckpoint(checkpointOf(version, publishedAt), note(), acceptedAt, false, true));
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

  private static KnownPolicy known(Policy policy, Instant acceptedAt) {
    return new KnownPolicy(policy, note(), acceptedAt, false);
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
        policy, checkpoint, 1, point(), List.of(show, show, show), new byte[772], new byte[128]);
  }

  /** Not on the curve; nothing here looks. */
  private static G1Point point() {
    byte[] bytes = new byte[96];
    bytes[47] = 1;
    bytes[95] = 1;
    return new G1Point(bytes);
  }
}
