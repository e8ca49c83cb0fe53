package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Strangers send one transfer again and again, and certificates that they made up. */
@Tag("process")
class RepeatedTransferTest {
  private static final int MANY = 30;
  private static final int RUNNING_AT_A_TIME = 4;

  private static ExecutorService threads;
  private final Generators random = new Generators(System.nanoTime());
  private GatewayFixture gateway;

  @BeforeAll
  static void open() {
    threads = Executors.newVirtualThreadPerTaskExecutor();
  }

  @AfterAll
  static void end() {
    threads.shutdownNow();
  }

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  @Test
  void aSignedTransferIsAnsweredWithoutAskingTheAuthorities() {
    TransferRequest request = TestRequests.transfer(random);
    RestProbe.Answer first = submit(request);
    awaitReceived(request, 1);
    for (int i = 0; i < MANY; i++) {
      RestProbe.Answer again = submit(TestRequests.otherProof(request, random));
      assertThat(again.json().path("combined")).isEqualTo(first.json().path("combined"));
    }
    awaitReceived(request, 1);
  }

  @Test
  void evidenceThatWasFoundInvalidIsRefusedWithoutAskingTheAuthorities() {
    TransferRequest request = TestRequests.transfer(random);
    refuse(RejectionCode.PROOF_INVALID);
    for (int i = 0; i < MANY; i++) {
      assertThat(submit(request).code()).isEqualTo("proof-invalid");
    }
    awaitReceived(request, 1);
    refuse(null);
    assertThat(submit(TestRequests.otherProof(request, random)).status()).isEqualTo(200);
  }

  @Test
  void refusalsThatMayPassAreNotRemembered() {
    for (RejectionCode code :
        List.of(
            RejectionCode.STALE_POLICY,
            RejectionCode.UNKNOWN_CHECKPOINT,
            RejectionCode.SERIAL_CONFLICT,
            RejectionCode.UNKNOWN_VERSION)) {
      TransferRequest request = TestRequests.transfer(random);
      refuse(code);
      assertThat(submit(request).code()).isEqualTo(code.code());
      refuse(null);
      assertThat(submit(request).status()).isEqualTo(200);
    }
  }

  @Test
  void fewSubmissionsOfOneTransferRunAtATime() {
    TransferRequest request = TestRequests.transfer(random);
    gateway.authorities.forEach(authority -> authority.behaviour = AuthorityBehaviour.HELD);
    List<CompletableFuture<RestProbe.Answer>> answers = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      TransferRequest other = TestRequests.otherProof(request, random);
      answers.add(CompletableFuture.supplyAsync(() -> submit(other), threads));
    }
    Eventually.holds(() ->
        assertThat(answers.stream().filter(CompletableFuture::isDone).count())
            .isEqualTo(MANY - RUNNING_AT_A_TIME));
    awaitReceived(request, RUNNING_AT_A_TIME);
    gateway.authorities.forEach(authority -> authority.behaviour = AuthorityBehaviour.HONEST);
    assertThat(submit(TestRequests.transfer(random)).status()).isEqualTo(200);
    assertThat(submit(request).code()).isEqualTo("overloaded");
    gateway.authorities.forEach(FakeAuthority::release);
    assertThat(answers.stream().map(answer -> answer.join().status()).toList())
        .containsOnly(200, 429)
        .filteredOn(status -> status == 200)
        .hasSize(RUNNING_AT_A_TIME);
    awaitReceived(request, RUNNING_AT_A_TIME);
  }

  @Test
  void votesThatAnybodyMadeUpReachNoAuthority() {
    TransferRequest request = TestRequests.transfer(random);
    List<PartialSignature> junk = new ArrayList<>();
    for (int authority = 1; authority <= TestCommittee.N; authority++) {
      junk.add(random.partial(authority, 2));
    }
    assertThat(submit(certified(request, junk)).status()).isEqualTo(200);
    TransferRequest next = TestRequests.transfer(random);
    assertThat(submit(next).status()).isEqualTo(200);
    awaitReceived(request, 1);
    awaitReceived(next, 1);
    assertThat(gateway.authorities)
        .allSatisfy(authority -> {
          assertThat(authority.received(request)).allMatch(sent -> sent.certificate().isEmpty());
          assertThat(authority.doubtful).containsExactly(true, true);
        });
  }

  @Test
  void onlyTheValidVotesOfACertificateReachTheAuthorities() {
    TransferRequest request = TestRequests.transfer(random);
    List<PartialSignature> votes = new ArrayList<>(votes(submit(request)));
    assertThat(votes).hasSize(TestCommittee.regulated().committee().quorum());
    votes.set(0, random.partial(votes.getFirst().authority(), 2));
    try (GatewayFixture other = new GatewayFixture()) {
      RestProbe.Answer answer =
          other.rest.post("/v1/transfers", TestRequests.json(certified(request, votes)));
      assertThat(answer.status()).isEqualTo(200);
      Eventually.holds(() ->
          assertThat(other.authorities)
              .allSatisfy(authority -> {
                assertThat(authority.received(request))
                    .extracting(TransferRequest::certificate)
                    .containsExactly(votes.subList(1, 3));
                assertThat(authority.doubtful).containsExactly(false);
              }));
    }
  }

  private void refuse(@Nullable RejectionCode code) {
    gateway.authorities.forEach(authority -> authority.refusal = code);
  }

  private static TransferRequest certified(
      TransferRequest request, List<PartialSignature> certificate) {
    return new TransferRequest(
        request.statement(), request.evidence(), request.attachments(), certificate);
  }

  private static List<PartialSignature> votes(RestProbe.Answer answer) {
    List<PartialSignature> votes = new ArrayList<>();
    answer
        .json()
        .path("partials")
        .forEach(partial ->
            votes.add(WireJson.read(partial.toString(), PartialSignatureJson.class).toDomain()));
    return votes;
  }

  /** Each authority has got the transfer so many times. */
  private void awaitReceived(TransferRequest request, int times) {
    Eventually.holds(() ->
        assertThat(gateway.authorities)
            .allSatisfy(authority -> assertThat(authority.received(request)).hasSize(times)));
  }

  private RestProbe.Answer submit(TransferRequest request) {
    return gateway.rest.post("/v1/transfers", TestRequests.json(request));
  }
}
