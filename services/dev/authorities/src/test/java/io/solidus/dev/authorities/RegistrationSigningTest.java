package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.InternalToken;
import io.solidus.dev.authorities.fixture.RegulatedNetwork;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.prover.PreparedRegister;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.Suite;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SubmitReply;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Checks that the signer itself verifies the attestation and the proof of a registration. */
@Tag("process")
class RegistrationSigningTest {

  private static final NoteSigner REGISTRATION =
      NoteSigner.fromSeed(NoteTrust.REGISTRATION, TestRandom.bytes(32));

  private static RegulatedNetwork network;
  private static RegisterRequest request;
  private static RegisterRequest other;

  @BeforeAll
  static void start() {
    network = RegulatedNetwork.create();
    network.authority.registrationKey(
        Base64.getEncoder().encodeToString(REGISTRATION.publicKey().publicKey().bytes()));
    network.authority.startSigner();
    request = registration();
    other = registration();

    Await.until(
        "the signer is ready",
        () -> !sign(other, "").getRejected().getCode().equals(RejectionCode.UNAVAILABLE.code()));
    reserve(request);
  }

  /** Reserves a registration as the compliance issuer does before it calls the signer. */
  private static void reserve(RegisterRequest registration) {
    reserve(registration.statement().core(network.keys.network()));
  }

  private static void reserve(TxCore core) {
    JdbcClient jdbc = network.database.jdbc();
    jdbc.sql("CREATE SCHEMA IF NOT EXISTS issuer").update();
    jdbc.sql("CREATE TABLE IF NOT EXISTS issuer.registration (core bytea PRIMARY KEY)").update();
    jdbc.sql("INSERT INTO issuer.registration VALUES (?)").param(core.bytes()).update();
  }

  @AfterAll
  static void stop() {
    network.close();
  }

  @Test
  void signsAnAttestedRegistrationAndRepeatsTheSameBytes() {
    SubmitReply reply = Replies.signed(sign(request, attested(request)));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    assertThat(
            suite()
                .checkPartial(
                    network.keys.committee().member(1),
                    Outputs.of(network.keys.network(), request.statement()),
                    0,
                    partial.points().getFirst()))
        .isTrue();
    assertThat(sign(request, attested(request)).toByteArray()).isEqualTo(reply.toByteArray());
  }

  @Test
  @Spec("V-20")
  void answersProcessesOfItsAuthorityOnly() {
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> network.authority.signer().signRegistration(message(request, attested(request))));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  /** The compliance issuer is in foreign hands: it reserves a person or an address once more. */
  @Test
  @Spec("V-20")
  void signsOneRegistrationForAPersonAndAnAddress() {
    FieldElement nk = TestRandom.field();
    KeyScalar spendKey = TestRandom.keyScalar();
    RegisterRequest first = registration(nk, spendKey);
    RegisterRequest sameAddress = registration(nk, spendKey);
    RegisterRequest samePerson = registration();
    List.of(first, sameAddress, samePerson).forEach(RegistrationSigningTest::reserve);
    Digest32 person = Digest32.sha256(TestRandom.bytes(32));
    Digest32 another = Digest32.sha256(TestRandom.bytes(32));
    SubmitReply reply = Replies.signed(sign(first, note(attestation(first, person), REGISTRATION)));
    Replies.rejected(
        RejectionCode.ALREADY_REGISTERED,
        sign(samePerson, note(attestation(samePerson, person), REGISTRATION)));
    Replies.rejected(
        RejectionCode.ALREADY_REGISTERED,
        sign(sameAddress, note(attestation(sameAddress, another), REGISTRATION)));
    assertThat(sign(first, note(attestation(first, person), REGISTRATION))).isEqualTo(reply);
  }

  @Test
  void rejectsARegistrationThatIsNotReserved() {
    RegisterRequest unreserved = other;
    Replies.rejected(RejectionCode.UNAVAILABLE, sign(unreserved, attested(unreserved)));
  }

  @Test
  @Spec("V-15")
  void rejectsAnAttestationOfAnotherRegistration() {
    Replies.rejected(RejectionCode.ATTESTATION_INVALID, sign(request, attested(other)));
    Attestation otherAddress =
        new Attestation(
            Digest32.sha256(),
            request.statement().core(network.keys.network()),
            other.statement().apk(),
            1);
    Replies.rejected(
        RejectionCode.ATTESTATION_INVALID, sign(request, note(otherAddress, REGISTRATION)));
  }

  @Test
  void rejectsAnAttestationSignedByAnotherKey() {
    NoteSigner impostor = NoteSigner.fromSeed(NoteTrust.REGISTRATION, TestRandom.bytes(32));
    Replies.rejected(
        RejectionCode.ATTESTATION_INVALID, sign(request, note(attestation(request), impostor)));
    Replies.rejected(RejectionCode.ATTESTATION_INVALID, sign(request, ""));
  }

  @Test
  void rejectsAnAttestationOfAnotherNetwork() {
    String text = attestation(request).toNoteText(new NetworkId("elsewhere"));
    Replies.rejected(
        RejectionCode.WRONG_NETWORK, sign(request, SignedNote.sign(text, REGISTRATION).encode()));
  }

  @Test
  @Spec("V-15")
  void rejectsAProofOrSignatureOfAnotherRegistration() {
    RegisterRequest wrongProof =
        new RegisterRequest(
            request.statement(),
            request.circuitVersion(),
            request.rk(),
            other.proof(),
            request.rkSignature());
    Replies.rejected(RejectionCode.PROOF_INVALID, sign(wrongProof, attested(request)));
    RegisterRequest wrongSignature =
        new RegisterRequest(
            request.statement(),
            request.circuitVersion(),
            request.rk(),
            request.proof(),
            other.rkSignature());
    Replies.rejected(RejectionCode.SIGNATURE_INVALID, sign(wrongSignature, attested(request)));
  }

  private static SubmitReply sign(RegisterRequest registration, String note) {
    InternalToken token = InternalToken.derive(network.keys.noteKeySeed(1));
    return network
        .authority
        .signer()
        .withInterceptors(InternalCalls.show(token))
        .signRegistration(message(registration, note));
  }

  private static SignRegistrationRequest message(RegisterRequest registration, String note) {
    return SignRegistrationRequest.newBuilder()
        .setRequest(Codecs.toWire(registration))
        .setAttestationNote(note)
        .build();
  }

  private static String attested(RegisterRequest registration) {
    return note(attestation(registration), REGISTRATION);
  }

  private static String note(Attestation attestation, NoteSigner signer) {
    return SignedNote.sign(attestation.toNoteText(network.keys.network()), signer).encode();
  }

  private static Attestation attestation(RegisterRequest registration) {
    return attestation(registration, Digest32.sha256(registration.statement().apk().bytes()));
  }

  private static Attestation attestation(RegisterRequest registration, Digest32 person) {
    RegisterStatement s = registration.statement();
    return new Attestation(person, s.core(network.keys.network()), s.apk(), 1);
  }

  private static RegisterRequest registration() {
    return registration(TestRandom.field(), TestRandom.keyScalar());
  }

  private static RegisterRequest registration(FieldElement nk, KeyScalar spendKey) {
    KeyPoint pkAuth = suite().publicKey(spendKey);
    Apk apk = suite().apk(nk, pkAuth);
    InputDigest digest = InputDigest.register(network.keys.network(), apk);
    RegisterPlan plan =
        new RegisterPlan(
            nk, pkAuth, digest, TestRandom.field(), TestRandom.field(), TestRandom.scalar());
    PreparedRegister prepared = suite().prepareRegister(plan);
    RegisterStatement statement = new RegisterStatement(apk, prepared.coin());
    TxCore core = statement.core(network.keys.network());
    KeyScalar alpha = TestRandom.keyScalar();
    byte[] proof = network.keys.prover().proveRegister(new RegisterWitness(core, plan, alpha));
    return new RegisterRequest(
        statement,
        network.keys.keys().circuitVersion(Family.REGISTER),
        suite().randomisedKey(pkAuth, alpha),
        proof,
        suite().signCore(spendKey, alpha, core));
  }

  private static Suite suite() {
    return network.keys.suite();
  }
}
