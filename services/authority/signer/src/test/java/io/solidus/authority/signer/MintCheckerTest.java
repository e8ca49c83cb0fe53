package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.authority.spend.rules.VerifiedPolicy;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Amount;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TxCore;
import io.solidus.prover.MintPlan;
import io.solidus.prover.MintWitness;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MintCheckerTest {

  private static final TestCommittee KEYS = TestCommittee.of(NetworkKind.UNREGULATED);
  private static final Instant NOW = Instant.parse("2026-06-20T12:00:00Z");
  private static final long FORMER_CAP = 1_000;
  private static final long CAP = 10;

  private final Set<TxCore> signedHere = new HashSet<>();
  private final NativePool pool = new NativePool(1, 8, Duration.ofSeconds(20));
  private final Verifier verifier = Verifier.open(KEYS.keys(), KEYS.committee());
  private final MintChecker checker =
      new MintChecker(
          new SignerNetwork(KEYS.network(), NetworkKind.UNREGULATED),
          // the names of one person, for the test, end in a number
          name -> Optional.of(key(name.replaceAll("[0-9]", "")).publicKey()),
          MintCheckerTest::rules,
          new AdmissionRule(
              NetworkKind.UNREGULATED,
              new AdmissionWindows(Duration.ZERO, Duration.ZERO, Duration.ZERO)),
          verifier,
          new EvidenceVerdicts(new AcceptedEvidence(8), 8, pool),
          (core, serials) -> signedHere.contains(core),
          Clock.fixed(NOW, ZoneOffset.UTC));

  @AfterEach
  void close() {
    pool.close();
    verifier.close();
  }

  /** Attack: whoever has an approved mint sends it with junk for a proof, again and again. */
  @Test
  void aJunkProofIsVerifiedOnce() {
    MintRequest junk = mint(5, "alice", "bob");
    RejectionCode code = code(junk);
    assertThat(code.retryable()).isFalse();
    pool.close();
    assertThat(code(junk)).as("without the pool").isEqualTo(code);
  }

  @Test
  void aGoodMintIsVerifiedOnce() {
    MintRequest good = proven(5, "alice", "bob");
    TxCore core = good.statement().core(KEYS.network());
    assertThat(checker.require(good)).isEqualTo(core);
    pool.close();
    assertThat(checker.require(good)).as("without the pool").isEqualTo(core);
  }

  @Test
  void junkApprovalsReachNoProof() {
    pool.close();
    assertThat(code(mint(5, "alice"))).isEqualTo(RejectionCode.APPROVAL_INVALID);
  }

  /** Attacks: one person under two names, and an approval of another mint. */
  @Test
  void twoDifferentPeopleApproveExactlyThisMint() {
    pool.close();
    assertThat(code(mint(5, "alice", "alice2"))).isEqualTo(RejectionCode.APPROVAL_INVALID);
    MintRequest good = mint(5, "alice", "bob");
    MintRequest other = mint(5, "alice", "bob");
    MintRequest moved =
        new MintRequest(
            good.statement(),
            good.circuitVersion(),
            good.proof(),
            List.of(good.approvals().getFirst(), other.approvals().getLast()));
    assertThat(code(moved)).isEqualTo(RejectionCode.APPROVAL_INVALID);
  }

  /** A mint that was counted against an earlier cap would otherwise stay half signed for ever. */
  @Test
  void aLoweredCapDoesNotStopWhatWasCountedBefore() {
    assertThat(code(mint(FORMER_CAP + 1, "alice"))).isEqualTo(RejectionCode.MINT_CAP_EXCEEDED);
    assertThat(code(mint(FORMER_CAP, "alice")))
        .as("its approvals are looked at")
        .isEqualTo(RejectionCode.APPROVAL_INVALID);
  }

  /** A mint of a former epoch was counted under the rules of then. */
  @Test
  void aMintThatThisSignerSignedPassesTheCap() {
    MintRequest signed = mint(FORMER_CAP + 1, "alice");
    signedHere.add(signed.statement().core(KEYS.network()));
    assertThat(code(signed))
        .as("its approvals are looked at")
        .isEqualTo(RejectionCode.APPROVAL_INVALID);
  }

  private RejectionCode code(MintRequest request) {
    return catchThrowableOfType(ProtocolException.class, () -> checker.require(request)).code();
  }

  private static MintRequest mint(long value, String... approvers) {
    MintStatement statement =
        new MintStatement(
            MintId.of(TestRandom.bytes(32)),
            Amount.of(value),
            new BlindedCoin(TestRandom.field(), Points.offCurve()));
    return approved(statement, new byte[Family.MINT.proofBytes()], approvers);
  }

  /** A mint with its proof. */
  private static MintRequest proven(long value, String... approvers) {
    Suite suite = KEYS.suite();
    MintId id = MintId.of(TestRandom.bytes(32));
    Amount amount = Amount.of(value);
    MintPlan plan =
        new MintPlan(
            suite.apk(TestRandom.field(), suite.publicKey(TestRandom.keyScalar())),
            amount,
            InputDigest.mint(KEYS.network(), id, amount),
            TestRandom.field(),
            TestRandom.field(),
            TestRandom.scalar());
    MintStatement statement = new MintStatement(id, amount, suite.prepareMint(plan).blinded());
    byte[] proof = KEYS.prover().proveMint(new MintWitness(statement.core(KEYS.network()), plan));
    return approved(statement, proof, approvers);
  }

  private static MintRequest approved(MintStatement statement, byte[] proof, String... approvers) {
    List<MintApproval> approvals =
        List.of(approvers).stream()
            .map(name ->
                new MintApproval(
                    name,
                    key(name.replaceAll("[0-9]", ""))
                        .sign(MintApproval.message(KEYS.network(), statement))))
            .toList();
    return new MintRequest(statement, KEYS.keys().circuitVersion(Family.MINT), proof, approvals);
  }

  private static Ed25519PrivateKey key(String approver) {
    return Ed25519PrivateKey.fromSeed(
        Digest32.sha256(approver.getBytes(StandardCharsets.UTF_8)).bytes());
  }

  private static RulesInForce rules() {
    TreeMap<Long, VerifiedPolicy> policies = new TreeMap<>();
    policies.put(1L, policy(1, FORMER_CAP, NOW.minus(Duration.ofHours(5))));
    policies.put(2L, policy(2, CAP, NOW.minus(Duration.ofHours(2))));
    return new RulesInForce(policies, new TreeMap<>(), new TreeMap<>());
  }

  private static VerifiedPolicy policy(long version, long cap, Instant at) {
    Amount many = Amount.of(1_000);
    return new VerifiedPolicy(
        new Policy(
            version,
            new Period(RandomTransfers.PERIOD),
            many,
            many,
            many,
            many,
            5,
            Amount.of(cap),
            at.toEpochMilli()),
        SignedNote.sign("a note\n", NoteSigner.fromSeed("issuer", new byte[32])),
        at,
        false);
  }
}
