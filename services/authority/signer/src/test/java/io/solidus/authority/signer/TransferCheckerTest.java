package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.authority.signer.TransferChecker.CheckRequest;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.authority.spend.rules.RulesInForce;
import io.solidus.authority.spend.rules.VerifiedCheckpoint;
import io.solidus.authority.spend.rules.VerifiedPolicy;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.Altered;
import io.solidus.dev.testkit.world.Points;
import io.solidus.dev.testkit.world.RandomTransfers;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.NativeErrorCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a sender without a coin makes a signer do. The tests count verifications of proofs and
 * votes; no test measures time.
 */
class TransferCheckerTest {

  private static final TestCommittee KEYS = TestCommittee.regulated();
  private static final Instant NOW = Instant.parse("2026-06-20T12:00:00Z");
  private static final NoteSigner ISSUER = NoteSigner.fromSeed("issuer", new byte[32]);

  private final RandomTransfers transfers = new RandomTransfers(TestCommittee.NETWORK);
  private final CountingVerifier verifier = new CountingVerifier();
  private final Set<TxCore> signedHere = new HashSet<>();
  private final Set<TxCore> holders = new HashSet<>();
  private final FinishRule finish =
      new FinishRule(KEYS.committee(), (core, serials) -> signedHere.contains(core));
  private final VerificationPool pool =
      new VerificationPool(
          verifier, new VerificationPool.Limits(2, 256, 1024), (size, wrong, nanos) -> {});
  private final TransferCache cache = new TransferCache(new AcceptedEvidence(100), 100);
  private final TransferChecker checker =
      new TransferChecker(
          new SignerNetwork(TestCommittee.NETWORK, NetworkKind.REGULATED),
          TransferCheckerTest::rules,
          new AdmissionRule(
              NetworkKind.REGULATED,
              new AdmissionWindows(
                  Duration.ofMinutes(10), Duration.ofHours(24), Duration.ofMinutes(1))),
          finish,
          (lead, core) -> holders.contains(core),
          pool,
          cache,
          Clock.fixed(NOW, ZoneOffset.UTC),
          Duration.ofMinutes(2));

  @AfterEach
  void close() {
    verifier.gate.release();
    pool.close();
  }

  /** Attack: random numbers as a coin, invented votes, a superseded policy. */
  @Test
  void aJunkCertificateCostsNoVote() {
    TransferRequest junk = late(junkVotes());
    verifier.verdict(junk, NativeErrorCode.SIGNATURE_INVALID);
    assertThat(code(check(junk))).isEqualTo(RejectionCode.SIGNATURE_INVALID);
    assertThat(finish.verified()).as("verified votes").isZero();
    assertThat(verifier.suspicious()).as("verified in quarantine").containsExactly(true);
  }

  /** Attacks: a transfer for another network, and one without the checks of a regulated one. */
  @Test
  void onlyTransfersOfThisNetworkAreVerified() {
    TransferRequest foreign = new RandomTransfers(new NetworkId("solidus-other")).next();
    assertThat(code(check(Altered.versions(foreign, 2, 1, 1))))
        .isEqualTo(RejectionCode.CONTEXT_MISMATCH);
    TransferRequest unregulated =
        new Generators(1).transferRequest(TestCommittee.NETWORK, Family.TRANSFER_UNREGULATED);
    assertThat(code(check(unregulated))).isEqualTo(RejectionCode.MALFORMED_REQUEST);
    for (Family shape : List.of(Family.CLAIM_16, Family.PAY_8)) {
      assertThat(code(check(transfers.shape(shape))))
          .as("%s in a network without its shape", shape)
          .isEqualTo(RejectionCode.MALFORMED_REQUEST);
    }
    assertThat(verifier.suspicious()).isEmpty();
  }

  /** A shard asks for the signature by the core alone. */
  @Test
  void whatWasCheckedIsRememberedAndNothingElse() {
    TransferRequest good = inTime();
    TransferRequest wrong = inTime();
    verifier.verdict(wrong, NativeErrorCode.PROOF_INVALID);
    SigningRequest signing = check(good).get();
    assertThat(signing.core()).isEqualTo(good.statement().core(TestCommittee.NETWORK));
    assertThat(signing.serials()).isEqualTo(good.statement().serials());
    assertThat(cache.signing(signing.core())).contains(signing);
    check(wrong);
    assertThat(cache.signing(wrong.statement().core(TestCommittee.NETWORK))).isEmpty();
  }

  /** Attack: the owner of a coin makes one proof and invents votes. */
  @Test
  void aJunkCertificateIsRefusedAgainWithoutWork() {
    TransferRequest junk = late(junkVotes());
    for (int i = 0; i < 5; i++) {
      assertThat(code(check(junk))).isEqualTo(RejectionCode.STALE_POLICY);
    }
    assertThat(verifier.suspicious()).as("verified proofs").hasSize(1);
    assertThat(finish.verified()).isEqualTo(3);
  }

  @Test
  void junkEvidenceIsRefusedAgainWithoutWorkInAnyOrder() {
    TransferRequest one = late(junkVotes());
    TransferRequest other = Altered.proof(one, TestRandom.bytes(Family.TRANSFER.proofBytes()));
    verifier.verdict(one, NativeErrorCode.PROOF_INVALID);
    verifier.verdict(other, NativeErrorCode.PROOF_INVALID);
    for (int i = 0; i < 4; i++) {
      assertThat(code(check(one))).isEqualTo(RejectionCode.PROOF_INVALID);
      assertThat(code(check(other))).isEqualTo(RejectionCode.PROOF_INVALID);
    }
    assertThat(verifier.suspicious()).as("verified proofs").hasSize(2);
  }

  /** Attack: somebody sees a core and sends it with junk, so that the original is refused. */
  @Test
  void refusalsDoNotPoisonTheOriginal() {
    TransferRequest honest = late();
    PartialSignature[] votes = {vote(1, honest.statement()), vote(2, honest.statement())};
    TransferRequest original = Altered.certificate(honest, votes);
    TransferRequest junkVotes = Altered.certificate(honest, junkVotes());
    TransferRequest junkProof =
        Altered.proof(original, TestRandom.bytes(Family.TRANSFER.proofBytes()));
    verifier.verdict(junkProof, NativeErrorCode.PROOF_INVALID);
    assertThat(code(check(junkProof))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(code(check(junkVotes))).isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(check(original)).isInstanceOf(Outcome.Done.class);
    assertThat(code(check(junkVotes))).isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(check(original)).as("again").isInstanceOf(Outcome.Done.class);
  }

  /** Attack: the proof of a finished core with votes that somebody invents. */
  @Test
  void evidenceThatIsRightFinishesNoCore() {
    TransferRequest late = late();
    PartialSignature[] votes = {vote(1, late.statement()), vote(2, late.statement())};
    assertThat(check(Altered.certificate(late, votes))).isInstanceOf(Outcome.Done.class);
    for (int i = 0; i < 2; i++) {
      assertThat(code(check(Altered.certificate(late, junkVotes()))))
          .isEqualTo(RejectionCode.STALE_POLICY);
    }
    assertThat(check(Altered.certificate(late, votes))).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aCertificateThatNobodyNeedsCostsNothing() {
    TransferRequest inTime = Altered.certificate(inTime(), junkVotes());
    assertThat(check(inTime)).isInstanceOf(Outcome.Done.class);
    assertThat(finish.verified()).isZero();
    assertThat(verifier.suspicious()).containsExactly(false);
  }

  @Test
  void withoutEnoughVotesNothingIsVerified() {
    TransferRequest late = late();
    assertThat(code(check(Altered.certificate(late, vote(1, late.statement())))))
        .isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(verifier.suspicious()).isEmpty();
    assertThat(finish.verified()).isZero();
  }

  /** A core of a former epoch is signed anew, with the votes that its sender has or with none. */
  @Test
  void aCoreThatThisSignerSignedPassesTheWindows() {
    TransferRequest late = late();
    signedHere.add(late.statement().core(TestCommittee.NETWORK));
    assertThat(check(late)).isInstanceOf(Outcome.Done.class);
    assertThat(code(check(late()))).as("another core").isEqualTo(RejectionCode.STALE_POLICY);
    assertThat(verifier.suspicious()).as("verified with the usual ones").containsExactly(false);

    PartialSignature[] oneOfTwo = {vote(1, late.statement()), junkVotes()[1]};
    assertThat(check(Altered.certificate(late, oneOfTwo))).isInstanceOf(Outcome.Done.class);
  }

  /** A core that was reserved before a change of rules and not signed, with junk votes or none. */
  @Test
  void aCoreThatHoldsItsLeadPassesTheWindows() {
    TransferRequest late = late();
    holders.add(late.statement().core(TestCommittee.NETWORK));
    assertThat(check(late)).isInstanceOf(Outcome.Done.class);
    assertThat(check(Altered.certificate(late, junkVotes()))).isInstanceOf(Outcome.Done.class);
    assertThat(code(check(late()))).as("another core").isEqualTo(RejectionCode.STALE_POLICY);
  }

  /** Attack: one item of a batch that takes for ever. */
  @Test
  void aSuspiciousTransferHoldsNoBatch() {
    TransferRequest junk = late(junkVotes());
    verifier.verdict(junk, NativeErrorCode.PROOF_INVALID);
    verifier.holdsSuspicious = true;
    List<Outcome<SigningRequest>> outcomes =
        checker.check(List.of(request(junk), request(inTime()), request(inTime())));
    assertThat(code(outcomes.get(0))).isEqualTo(RejectionCode.OVERLOADED);
    assertThat(outcomes.subList(1, 3)).allMatch(Outcome.Done.class::isInstance);

    verifier.gate.release();
    Await.until("the verdict", () -> code(check(junk)) == RejectionCode.PROOF_INVALID);
    int verified = verifier.suspicious().size();
    assertThat(code(check(junk))).isEqualTo(RejectionCode.PROOF_INVALID);
    assertThat(verifier.suspicious()).as("a remembered verdict").hasSize(verified);
  }

  /** Attack: one core many times in a batch, each with other evidence. */
  @Test
  void copiesOfACoreAreVerifiedApart() {
    TransferRequest original = inTime();
    List<CheckRequest> batch = new ArrayList<>();
    batch.add(request(inTime()));
    batch.add(request(original));
    for (int i = 0; i < 20; i++) {
      TransferRequest copy =
          Altered.proof(original, TestRandom.bytes(Family.TRANSFER.proofBytes()));
      verifier.verdict(copy, NativeErrorCode.PROOF_INVALID);
      batch.add(request(copy));
    }
    List<Outcome<SigningRequest>> outcomes = checker.check(batch);
    assertThat(outcomes.subList(0, 2)).allMatch(Outcome.Done.class::isInstance);
    assertThat(outcomes.subList(2, 22))
        .allMatch(outcome -> code(outcome) == RejectionCode.PROOF_INVALID);
    assertThat(Collections.frequency(verifier.suspicious(), false)).isEqualTo(1);
  }

  @Test
  void equalEvidenceOfOneCallIsVerifiedOnce() {
    TransferRequest one = inTime();
    assertThat(checker.check(Collections.nCopies(256, request(one))))
        .hasSize(256)
        .allMatch(Outcome.Done.class::isInstance);
    assertThat(verifier.suspicious()).containsExactly(false);
  }

  private Outcome<SigningRequest> check(TransferRequest request) {
    return checker.check(List.of(request(request))).getFirst();
  }

  private static CheckRequest request(TransferRequest request) {
    return new CheckRequest(request, false);
  }

  private TransferRequest inTime() {
    return Altered.versions(transfers.next(), 2, 1, 1);
  }

  private TransferRequest late(PartialSignature... certificate) {
    return Altered.certificate(Altered.versions(transfers.next(), 1, 1, 1), certificate);
  }

  /** Votes of all authorities for another core. */
  private PartialSignature[] junkVotes() {
    TransferRequest other = transfers.next();
    return IntStream.rangeClosed(1, TestCommittee.N)
        .mapToObj(i -> vote(i, other.statement()))
        .toArray(PartialSignature[]::new);
  }

  private static PartialSignature vote(int authority, TransferStatement statement) {
    return PartialSignature.voted(
        authority,
        KEYS.committee().epoch(),
        statement.core(TestCommittee.NETWORK),
        Collections.nCopies(statement.outputs().size(), Points.offCurve()),
        Ed25519PrivateKey.fromSeed(KEYS.noteKeySeed(authority)));
  }

  private static RejectionCode code(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
            && failed.reason() instanceof ProtocolException rejection
        ? rejection.code()
        : RejectionCode.INTERNAL;
  }

  /** Policy 1 was superseded by policy 2 two hours ago. */
  private static RulesInForce rules() {
    TreeMap<Long, VerifiedPolicy> policies = new TreeMap<>();
    policies.put(1L, policy(1, NOW.minus(Duration.ofHours(5))));
    policies.put(2L, policy(2, NOW.minus(Duration.ofHours(2))));
    TreeMap<Long, VerifiedCheckpoint> checkpoints = new TreeMap<>();
    checkpoints.put(
        1L,
        new VerifiedCheckpoint(
            new SanctionCheckpoint(1, FieldElement.ofLong(1), 0, Digest32.sha256(), 0),
            note(),
            NOW.minus(Duration.ofHours(5)),
            false,
            true));
    return new RulesInForce(policies, checkpoints, new TreeMap<>(Map.of(1L, NOW)));
  }

  private static VerifiedPolicy policy(long version, Instant at) {
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
            many,
            at.toEpochMilli()),
        note(),
        at,
        false);
  }

  private static SignedNote note() {
    return SignedNote.sign("a note\n", ISSUER);
  }

  /** A verifier that counts, and accepts what is not told otherwise. */
  private static final class CountingVerifier implements TransferVerifier {

    private final Map<String, NativeErrorCode> verdicts = new ConcurrentHashMap<>();
    private final List<Boolean> suspicious = Collections.synchronizedList(new ArrayList<>());

    /** What suspicious transfers wait for when they are held. */
    private final Semaphore gate = new Semaphore(0);

    private volatile boolean holdsSuspicious;

    void verdict(TransferRequest request, NativeErrorCode code) {
      verdicts.put(key(request.statement().toString(), request.evidence().proof()), code);
    }

    List<Boolean> suspicious() {
      return List.copyOf(suspicious);
    }

    @Override
    public NativeErrorCode alone(PendingVerification transfer) {
      suspicious.add(transfer.suspicious());
      if (transfer.suspicious() && holdsSuspicious) {
        gate.acquireUninterruptibly();
      }
      return verdicts.getOrDefault(
          key(transfer.statement().toString(), transfer.evidence().proof()), NativeErrorCode.OK);
    }

    @Override
    public List<NativeErrorCode> together(List<PendingVerification> transfers) {
      return transfers.stream().map(this::alone).toList();
    }

    private static String key(String statement, byte[] proof) {
      return statement + Digest32.sha256(proof);
    }
  }
}
