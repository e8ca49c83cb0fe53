package io.solidus.authority.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.AttestationCheck;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NoteKeys;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.TxCore;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.Suite;
import io.solidus.prover.Verifier;
import java.time.Clock;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The signer verifies the evidence of a registration once, whatever the verdict. */
class RegistrationCheckerTest {

  private static final TestCommittee KEYS = TestCommittee.of(NetworkKind.REGULATED);
  private static final NoteSigner REGISTRATION =
      NoteSigner.fromSeed(NoteTrust.REGISTRATION, TestRandom.bytes(32));

  @Test
  void remembersVerdicts() {
    RegisterRequest good = registration();
    RegisterRequest wrong =
        new RegisterRequest(
            good.statement(),
            good.circuitVersion(),
            good.rk(),
            registration().proof(),
            good.rkSignature());
    NativePool pool = new NativePool(1, 8, Duration.ofSeconds(20));
    try (Verifier verifier = Verifier.open(KEYS.keys(), KEYS.committee())) {
      RegistrationChecker checker = checker(verifier, pool, NetworkKind.REGULATED);
      assertThat(code(checker, wrong)).isEqualTo(RejectionCode.PROOF_INVALID);
      assertThat(checker.require(good, attested(good)).registerCore())
          .as("other evidence for the same core")
          .isEqualTo(good.statement().core(KEYS.network()));
      pool.close();
      assertThat(code(checker, wrong)).isEqualTo(RejectionCode.PROOF_INVALID);
    }
  }

  @Test
  void remembersThatEvidenceIsGood() {
    RegisterRequest good = registration();
    NativePool pool = new NativePool(1, 8, Duration.ofSeconds(20));
    try (Verifier verifier = Verifier.open(KEYS.keys(), KEYS.committee())) {
      RegistrationChecker checker = checker(verifier, pool, NetworkKind.REGULATED);
      Attestation attestation = checker.require(good, attested(good));
      pool.close();
      assertThat(checker.require(good, attested(good))).isEqualTo(attestation);
    }
  }

  /** Attacks: an attestation by another key, and one of another coin. */
  @Test
  void theRegistrationAuthorityAttestedExactlyThisCoin() {
    RegisterRequest good = registration();
    RegisterRequest other = registration();
    NoteSigner stranger = NoteSigner.fromSeed(NoteTrust.REGISTRATION, TestRandom.bytes(32));
    NativePool pool = new NativePool(1, 8, Duration.ofSeconds(20));
    try (Verifier verifier = Verifier.open(KEYS.keys(), KEYS.committee())) {
      RegistrationChecker checker = checker(verifier, pool, NetworkKind.REGULATED);
      assertThat(code(() -> checker.require(good, attested(good, stranger))))
          .isEqualTo(RejectionCode.ATTESTATION_INVALID);
      assertThat(code(() -> checker.require(good, attested(other))))
          .isEqualTo(RejectionCode.ATTESTATION_INVALID);
      RegistrationChecker unregulated = checker(verifier, pool, NetworkKind.UNREGULATED);
      assertThat(code(() -> unregulated.require(good, attested(good))))
          .isEqualTo(RejectionCode.MALFORMED_REQUEST);
    } finally {
      pool.close();
    }
  }

  private static RegistrationChecker checker(Verifier verifier, NativePool pool, NetworkKind kind) {
    return new RegistrationChecker(
        new SignerNetwork(KEYS.network(), kind),
        new AttestationCheck(KEYS.network(), trusted(), Clock.systemUTC()),
        verifier,
        new EvidenceVerdicts(new AcceptedEvidence(8), 8, pool));
  }

  private static RejectionCode code(ThrowingCallable call) {
    return catchThrowableOfType(ProtocolException.class, call).code();
  }

  private static RejectionCode code(RegistrationChecker checker, RegisterRequest request) {
    return catchThrowableOfType(
            ProtocolException.class, () -> checker.require(request, attested(request)))
        .code();
  }

  private static NoteKeys trusted() {
    return NoteKeys.of(REGISTRATION.publicKey());
  }

  private static String attested(RegisterRequest request) {
    return attested(request, REGISTRATION);
  }

  private static String attested(RegisterRequest request, NoteSigner by) {
    RegisterStatement s = request.statement();
    Attestation attestation =
        new Attestation(Digest32.sha256(s.apk().bytes()), s.core(KEYS.network()), s.apk(), 1);
    return SignedNote.sign(attestation.toNoteText(KEYS.network()), by).encode();
  }

  private static RegisterRequest registration() {
    Suite suite = KEYS.suite();
    FieldElement nk = TestRandom.field();
    KeyScalar spendKey = TestRandom.keyScalar();
    KeyPoint pkAuth = suite.publicKey(spendKey);
    Apk apk = suite.apk(nk, pkAuth);
    RegisterPlan plan =
        new RegisterPlan(
            nk,
            pkAuth,
            InputDigest.register(KEYS.network(), apk),
            TestRandom.field(),
            TestRandom.field(),
            TestRandom.scalar());
    RegisterStatement statement = new RegisterStatement(apk, suite.prepareRegister(plan).coin());
    TxCore core = statement.core(KEYS.network());
    KeyScalar alpha = TestRandom.keyScalar();
    return new RegisterRequest(
        statement,
        KEYS.keys().circuitVersion(Family.REGISTER),
        suite.randomisedKey(pkAuth, alpha),
        KEYS.prover().proveRegister(new RegisterWitness(core, plan, alpha)),
        suite.signCore(spendKey, alpha, core));
  }
}
