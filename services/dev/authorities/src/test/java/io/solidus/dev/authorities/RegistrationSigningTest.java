package io.solidus.dev.authorities;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.authorities.world.RegulatedWorld;
import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.world.Replies;
import io.solidus.dev.testkit.world.TestRandom;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.PreparedRegister;
import io.solidus.prover.RegisterPlan;
import io.solidus.prover.RegisterWitness;
import io.solidus.prover.Suite;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SignRegistrationRequest;
import io.solidus.wire.v1.SubmitReply;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The signer itself checks who vouches for a registration, and for which. */
class RegistrationSigningTest {

  private static final NoteSigner REGISTRATION =
      NoteSigner.fromSeed(NoteTrust.REGISTRATION, TestRandom.bytes(32));

  private static RegulatedWorld world;
  private static RegisterRequest request;
  private static RegisterRequest other;

  @BeforeAll
  static void start() throws SQLException {
    world = RegulatedWorld.create();
    world.authority.registrationKey(
        Base64.getEncoder().encodeToString(REGISTRATION.publicKey().publicKey().bytes()));
    world.authority.startSigner();
    Await.until(
        "the signer is ready",
        () -> !sign(other(), "").getRejected().getCode().equals(RejectionCode.UNAVAILABLE.code()));
    request = registration();
    reserve(request);
  }

  /** As the compliance issuer does before it asks for a signature. */
  private static void reserve(RegisterRequest registration) throws SQLException {
    try (Connection connection = DriverManager.getConnection(world.authority.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS issuer");
      statement.execute("CREATE TABLE IF NOT EXISTS issuer.registration (core bytea PRIMARY KEY)");
      String core = registration.statement().core(world.keys.network()).hex();
      statement.execute("INSERT INTO issuer.registration VALUES (decode('" + core + "', 'hex'))");
    }
  }

  @AfterAll
  static void stop() {
    world.close();
  }

  @Test
  void signsAnAttestedRegistrationAndGivesTheSameBytesAgain() {
    SubmitReply reply = Replies.signed(sign(request, attested(request)));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    assertThat(
            suite()
                .checkPartial(
                    world.keys.committee().member(1),
                    request.statement().coin(),
                    request.statement().inputDigest(world.keys.network()),
                    partial.points().getFirst()))
        .isTrue();
    assertThat(sign(request, attested(request)).toByteArray()).isEqualTo(reply.toByteArray());
  }

  @Test
  void signsNothingThatTheIssuerHasNotReserved() {
    RegisterRequest unreserved = other();
    Replies.rejected(RejectionCode.UNAVAILABLE, sign(unreserved, attested(unreserved)));
  }

  @Test
  @Spec("V-15")
  void refusesAnAttestationOfAnotherRegistration() {
    Replies.rejected(RejectionCode.ATTESTATION_INVALID, sign(request, attested(other())));
    Attestation otherAddress =
        new Attestation(
            Digest32.sha256(),
            request.statement().core(world.keys.network()),
            other().statement().apk(),
            1);
    Replies.rejected(
        RejectionCode.ATTESTATION_INVALID, sign(request, note(otherAddress, REGISTRATION)));
  }

  @Test
  void refusesAnAttestationThatSomebodyElseSigned() {
    NoteSigner impostor = NoteSigner.fromSeed(NoteTrust.REGISTRATION, TestRandom.bytes(32));
    Replies.rejected(
        RejectionCode.ATTESTATION_INVALID, sign(request, note(attestation(request), impostor)));
    Replies.rejected(RejectionCode.ATTESTATION_INVALID, sign(request, ""));
  }

  @Test
  void refusesAnAttestationOfAnotherNetwork() {
    String text = attestation(request).toNoteText(new NetworkId("elsewhere"));
    Replies.rejected(
        RejectionCode.WRONG_NETWORK, sign(request, SignedNote.sign(text, REGISTRATION).encode()));
  }

  @Test
  @Spec("V-15")
  void refusesAProofThatIsNotTheRegistrations() {
    RegisterRequest swapped =
        new RegisterRequest(
            request.statement(),
            request.circuitVersion(),
            request.rk(),
            other().proof(),
            request.rkSignature());
    Replies.rejected(RejectionCode.PROOF_INVALID, sign(swapped, attested(request)));
    RegisterRequest unsigned =
        new RegisterRequest(
            request.statement(),
            request.circuitVersion(),
            request.rk(),
            request.proof(),
            other().rkSignature());
    Replies.rejected(RejectionCode.SIGNATURE_INVALID, sign(unsigned, attested(request)));
  }

  private static SubmitReply sign(RegisterRequest registration, String note) {
    return world
        .authority
        .signer()
        .signRegistration(
            SignRegistrationRequest.newBuilder()
                .setRequest(Codecs.toWire(registration))
                .setAttestationNote(note)
                .build());
  }

  private static String attested(RegisterRequest registration) {
    return note(attestation(registration), REGISTRATION);
  }

  private static String note(Attestation attestation, NoteSigner signer) {
    return SignedNote.sign(attestation.toNoteText(world.keys.network()), signer).encode();
  }

  private static Attestation attestation(RegisterRequest registration) {
    RegisterStatement s = registration.statement();
    return new Attestation(
        Digest32.sha256(s.apk().bytes()), s.core(world.keys.network()), s.apk(), 1);
  }

  private static RegisterRequest other() {
    if (other == null) {
      other = registration();
    }
    return other;
  }

  private static RegisterRequest registration() {
    FieldElement nk = TestRandom.field();
    Scalar spendKey = TestRandom.scalar();
    G1Point pkAuth = suite().publicKey(spendKey);
    Apk apk = suite().apk(nk, pkAuth);
    InputDigest d = InputDigest.register(world.keys.network(), apk);
    while (true) {
      RegisterPlan plan =
          new RegisterPlan(
              nk, pkAuth, d, TestRandom.field(), TestRandom.field(), TestRandom.scalar());
      try {
        PreparedRegister prepared = suite().prepareRegister(plan);
        Scalar alpha = TestRandom.scalar();
        byte[] proof = world.keys.prover().proveRegister(new RegisterWitness(plan, alpha));
        RegisterStatement statement = new RegisterStatement(apk, prepared.coin());
        return new RegisterRequest(
            statement,
            world.keys.keys().circuitVersion(Family.REGISTER),
            suite().randomisedKey(pkAuth, alpha),
            proof,
            suite().signCore(spendKey, alpha, statement.core(world.keys.network())));
      } catch (NativeException e) {
        if (e.code() != NativeErrorCode.RETRY_SEED) {
          throw e;
        }
      }
    }
  }

  private static Suite suite() {
    return world.keys.suite();
  }
}
