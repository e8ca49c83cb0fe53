package io.solidus.authority.complianceissuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.authority.complianceissuer.Registrations.Wallet;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.prover.Suite;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.IssueRequest;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IssueTest {
  private static final Suite SUITE = new Suite(TestCommittee.NETWORK);
  private IssuerHarness issuer;
  private Registrations registrations;

  @BeforeAll
  void start() throws IOException {
    issuer = new IssuerHarness(Map.of("solidus.compliance-issuer.max-in-flight", 256));
    registrations = issuer.registrations;
  }

  @AfterAll
  void stop() {
    issuer.close();
  }

  @AfterEach
  void letTheSignerSign() {
    issuer.signer.behave(FakeSigner.Behaviour.SIGN);
  }

  @Test
  void signsAnAttestedRegistration() {
    RegisterRequest request = registrations.request(registrations.wallet());
    SubmitReply reply = issuer.issue(request, registrations.note(registrations.person(), request));
    PartialSignature partial = Codecs.toDomain(reply.getSigned());
    RegisterStatement statement = request.statement();
    assertThat(
            SUITE.checkPartial(
                issuer.committee.member(IssuerHarness.AUTHORITY),
                Outputs.of(TestCommittee.NETWORK, statement),
                0,
                partial.points().getFirst()))
        .isTrue();
  }

  @Test
  void repeatsTheSameBytesWithASingleCallToTheSigner() {
    RegisterRequest request = registrations.request(registrations.wallet());
    Digest32 person = registrations.person();
    String note = registrations.note(person, request);
    SubmitReply first = issuer.issue(request, note);
    int calls = issuer.signer.calls();
    assertThat(issuer.issue(request, note)).isEqualTo(first);
    issuer.restart();
    issuer.signer.behave(FakeSigner.Behaviour.UNAVAILABLE);
    assertThat(issuer.issue(request, note).toByteArray()).isEqualTo(first.toByteArray());
    assertThat(issuer.signer.calls()).isEqualTo(calls);
  }

  @Test
  @Spec("V-15")
  void aPersonRegistersOnce() {
    Digest32 person = registrations.person();
    RegisterRequest first = registrations.request(registrations.wallet());
    issuer.issue(first, registrations.note(person, first));
    RegisterRequest second = registrations.request(registrations.wallet());
    assertRejected(
        issuer.issue(second, registrations.note(person, second)), RejectionCode.ALREADY_REGISTERED);
  }

  @Test
  @Spec("V-15")
  void anAddressRegistersOnceEvenWithAnotherCoinOrPerson() {
    Wallet wallet = registrations.wallet();
    Digest32 person = registrations.person();
    RegisterRequest first = registrations.request(wallet);
    issuer.issue(first, registrations.note(person, first));
    RegisterRequest other = registrations.request(wallet);
    assertRejected(
        issuer.issue(other, registrations.note(person, other)), RejectionCode.ALREADY_REGISTERED);
    assertRejected(
        issuer.issue(other, registrations.note(registrations.person(), other)),
        RejectionCode.ALREADY_REGISTERED);
    issuer.issue(first, registrations.note(person, first));
  }

  @Test
  void aCoreBelongsToOnePerson() {
    RegisterRequest request = registrations.request(registrations.wallet());
    issuer.signer.behave(FakeSigner.Behaviour.UNAVAILABLE);
    issuer.issue(request, registrations.note(registrations.person(), request));
    issuer.signer.behave(FakeSigner.Behaviour.SIGN);
    assertRejected(
        issuer.issue(request, registrations.note(registrations.person(), request)),
        RejectionCode.ALREADY_REGISTERED);
  }

  @Test
  void aReservationSurvivesAnUnavailableSigner() {
    Digest32 person = registrations.person();
    RegisterRequest request = registrations.request(registrations.wallet());
    String note = registrations.note(person, request);
    issuer.signer.behave(FakeSigner.Behaviour.UNAVAILABLE);
    SubmitReply unavailable = issuer.issue(request, note);
    assertRejected(unavailable, RejectionCode.UNAVAILABLE);
    assertThat(unavailable.getRejected().getRetryable()).isTrue();
    issuer.restart();
    issuer.signer.behave(FakeSigner.Behaviour.SIGN);
    RegisterRequest other = registrations.request(registrations.wallet());
    assertRejected(
        issuer.issue(other, registrations.note(person, other)), RejectionCode.ALREADY_REGISTERED);
    assertThat(issuer.issue(request, note).hasSigned()).isTrue();
  }

  @Test
  void returnsTheSignersRejectionAndStoresNoAnswer() {
    RegisterRequest request = registrations.request(registrations.wallet());
    String note = registrations.note(registrations.person(), request);
    long before = issuer.count("answer");
    issuer.signer.behave(FakeSigner.Behaviour.REJECT);
    assertRejected(issuer.issue(request, note), RejectionCode.PROOF_INVALID);
    assertThat(issuer.count("answer")).isEqualTo(before);
    issuer.signer.behave(FakeSigner.Behaviour.SIGN);
    assertThat(issuer.issue(request, note).hasSigned()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = FakeSigner.Behaviour.class,
      names = {
        "ANOTHER_AUTHORITYS_POINT",
        "ANOTHER_INDEX",
        "ANOTHER_AUTHORITYS_VOTE",
        "TWO_POINTS",
        "NO_OUTCOME"
      })
  void neverStoresAnAnswerThatDoesNotVerify(FakeSigner.Behaviour behaviour) {
    RegisterRequest request = registrations.request(registrations.wallet());
    String note = registrations.note(registrations.person(), request);
    long before = issuer.count("answer");
    issuer.signer.behave(behaviour);
    assertThat(issuer.issue(request, note).hasRejected()).isTrue();
    assertThat(issuer.count("answer")).isEqualTo(before);
    issuer.signer.behave(FakeSigner.Behaviour.SIGN);
    assertThat(issuer.issue(request, note).hasSigned()).isTrue();
  }

  @Test
  @Spec("V-15")
  void rejectsAttestationsForAnotherRegistration() {
    Wallet wallet = registrations.wallet();
    RegisterRequest request = registrations.request(wallet);
    RegisterRequest sameAddress = registrations.request(wallet);
    Digest32 person = registrations.person();
    Attestation good = registrations.attestation(person, request);
    NoteSigner impostor =
        NoteSigner.fromSeed(registrations.authority().publicKey().name(), Registrations.seed(9));
    NoteSigner otherName = NoteSigner.fromSeed("solidus-sanctions", Registrations.seed(7));
    String text = good.toNoteText(TestCommittee.NETWORK);
    for (String note :
        List.of(
            "",
            "not a note",
            text,
            SignedNote.sign(text, impostor).encode(),
            SignedNote.sign(text, otherName).encode(),
            SignedNote.sign("anything else\n", registrations.authority()).encode(),
            registrations.note(person, request).replace(person.hex(), registrations.person().hex()),
            registrations.note(person, sameAddress),
            registrations.note(
                new Attestation(
                    person,
                    good.registerCore(),
                    registrations.request(registrations.wallet()).statement().apk(),
                    1)))) {
      assertRejected(issuer.issue(request, note), RejectionCode.ATTESTATION_INVALID);
    }
    String foreign =
        SignedNote.sign(good.toNoteText(new NetworkId("other-net")), registrations.authority())
            .encode();
    assertRejected(issuer.issue(request, foreign), RejectionCode.WRONG_NETWORK);
    assertThat(
            issuer
                .database
                .jdbc()
                .sql("SELECT count(*) FROM issuer.registration WHERE person_tag = ?")
                .param(person.bytes())
                .query(Long.class)
                .single())
        .isZero();
  }

  @Test
  void rejectsMalformedRequests() {
    assertRejected(issuer.send(IssueRequest.getDefaultInstance()), RejectionCode.MALFORMED_REQUEST);
  }

  @Test
  void simultaneousCopiesGetTheSameAnswer() throws Exception {
    RegisterRequest request = registrations.request(registrations.wallet());
    String note = registrations.note(registrations.person(), request);
    List<Future<SubmitReply>> replies = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        replies.add(threads.submit(() -> issuer.issue(request, note)));
      }
    }
    Set<SubmitReply> distinct = new HashSet<>();
    for (Future<SubmitReply> reply : replies) {
      assertThat(reply.get().hasSigned()).isTrue();
      distinct.add(reply.get());
    }
    assertThat(distinct).hasSize(1);
  }

  @Test
  void simultaneousRegistrationsOfOnePersonHaveOneWinner() throws Exception {
    Digest32 person = registrations.person();
    long before = issuer.count("registration");
    List<Future<SubmitReply>> replies = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        RegisterRequest request = registrations.request(registrations.wallet());
        String note = registrations.note(person, request);
        replies.add(threads.submit(() -> issuer.issue(request, note)));
      }
    }
    int signed = 0;
    for (Future<SubmitReply> reply : replies) {
      signed += reply.get().hasSigned() ? 1 : 0;
    }
    assertThat(signed).isEqualTo(1);
    assertThat(issuer.count("registration")).isEqualTo(before + 1);
  }

  @Test
  void theDatabaseRefusesToChangeReservationsAndAnswers() {
    RegisterRequest request = registrations.request(registrations.wallet());
    issuer.issue(request, registrations.note(registrations.person(), request));
    for (String change :
        List.of(
            "UPDATE issuer.registration SET person_tag = sha256('x')",
            "DELETE FROM issuer.answer",
            "UPDATE issuer.answer SET partial = 'x'",
            "DELETE FROM issuer.registration",
            "TRUNCATE issuer.answer",
            "TRUNCATE issuer.registration CASCADE")) {
      assertThat(catchThrowable(() -> issuer.database.jdbc().sql(change).update()))
          .as(change)
          .hasMessageContaining("for ever");
    }
  }

  private static void assertRejected(SubmitReply reply, RejectionCode code) {
    assertThat(reply.getRejected().getCode()).isEqualTo(code.code());
  }
}
