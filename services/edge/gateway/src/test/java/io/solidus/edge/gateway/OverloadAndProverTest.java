package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A gateway that processes one request of each class at a time and has a prover. */
@Tag("process")
class OverloadAndProverTest {
  private static final FakeProver PROVER = new FakeProver();
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static GatewayFixture gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway =
        new GatewayFixture(
            Map.of(
                "solidus.gateway.prover-address",
                PROVER.address(),
                "solidus.gateway.max-concurrent.payments",
                1,
                "solidus.gateway.max-concurrent.doubtful-payments",
                1,
                "server.forward-headers-strategy",
                "native",
                "solidus.gateway.max-concurrent.proofs",
                1,
                "solidus.gateway.max-concurrent.look-ups",
                1));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    PROVER.close();
    THREADS.shutdownNow();
  }

  @BeforeEach
  void reset() {
    gateway.reset();
    PROVER.failure = null;
  }

  @Test
  void refusesASecondRequestWhileOneIsProcessed() {
    gateway.authorities.forEach(authority -> authority.behaviour = AuthorityBehaviour.HELD);
    CompletableFuture<RestProbe.Answer> first =
        CompletableFuture.supplyAsync(() ->
            gateway.rest.post("/v1/transfers", TestRequests.json(TestRequests.transfer(random))));
    Eventually.holds(() -> assertThat(gateway.authority(1).transfers).isNotEmpty());
    RestProbe.Answer second =
        gateway.rest.post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)));
    assertThat(second.status()).isEqualTo(429);
    assertThat(second.code()).isEqualTo("overloaded");
    assertThat(second.header("Retry-After")).isEqualTo("1");
    gateway.authorities.forEach(FakeAuthority::release);
    assertThat(first.join().status()).isEqualTo(200);
  }

  @Test
  void waitingProofsLeavePaymentsAndTheMailboxTheirPlaces() {
    CountDownLatch end = new CountDownLatch(1);
    PROVER.held = end;
    CompletableFuture<RestProbe.Answer> first =
        CompletableFuture.supplyAsync(() -> prove("AA"), THREADS);
    CompletableFuture<RestProbe.Answer> second =
        CompletableFuture.supplyAsync(() -> prove("AA"), THREADS);
    try {
      CompletableFuture<Object> refused = CompletableFuture.anyOf(first, second);
      assertThat(((RestProbe.Answer) refused.join()).status()).isEqualTo(429);
      assertThat(prove("AA").header("Retry-After")).isEqualTo("1");
      assertThat(
              gateway
                  .rest
                  .post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)))
                  .status())
          .isEqualTo(200);
      assertThat(
              gateway
                  .rest
                  .post("/v1/mailbox", Map.of("blob", Base64Url.encode(random.bytes(1200))))
                  .status())
          .isEqualTo(201);
      assertThat(gateway.rest.get("/v1/mailbox").status()).isEqualTo(200);
    } finally {
      PROVER.held = null;
      end.countDown();
    }
    assertThat(List.of(first.join().status(), second.join().status()))
        .containsExactlyInAnyOrder(200, 429);
  }

  @Test
  void waitingLookUpsLeavePaymentsTheirPlaces() {
    Map<String, Object> question =
        Map.of("serials", List.of(Base64Url.encode(random.serial().bytes())));
    gateway.authorities.forEach(authority -> authority.behaviour = AuthorityBehaviour.WITHHOLDS);
    CompletableFuture<RestProbe.Answer> first =
        CompletableFuture.supplyAsync(
            () -> gateway.rest.post("/v1/coins/state", question), THREADS);
    CompletableFuture<RestProbe.Answer> second =
        CompletableFuture.supplyAsync(
            () -> gateway.rest.post("/v1/coins/state", question), THREADS);
    CompletableFuture<Object> refused = CompletableFuture.anyOf(first, second);
    assertThat(((RestProbe.Answer) refused.join()).status()).isEqualTo(429);
    Eventually.holds(() -> assertThat(gateway.authorities).allMatch(FakeAuthority::isWithholding));
    gateway.authorities.forEach(authority -> authority.behaviour = AuthorityBehaviour.HONEST);
    assertThat(
            gateway
                .rest
                .post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)))
                .status())
        .isEqualTo(200);
    gateway.authorities.forEach(FakeAuthority::failWithheld);
    assertThat(List.of(first.join().code(), second.join().code()))
        .containsExactlyInAnyOrder("overloaded", "no-quorum");
  }

  /** Validators verify doubtful transfers later than others, so they wait longer in the gateway. */
  @Test
  void waitingDoubtfulTransfersLeaveOthersTheirPlaces() {
    String stranger = "198.51.100.7";
    gateway.authorities.forEach(authority -> authority.refusal = RejectionCode.PROOF_INVALID);
    assertThat(pay(stranger).code()).isEqualTo("proof-invalid");
    gateway.reset();
    gateway.authorities.forEach(authority -> authority.behaviour = AuthorityBehaviour.HELD);
    CompletableFuture<RestProbe.Answer> waiting =
        CompletableFuture.supplyAsync(() -> pay(stranger), THREADS);
    Eventually.holds(
        () -> assertThat(gateway.authorities).allMatch(authority -> !authority.doubtful.isEmpty()));
    gateway.authorities.forEach(authority -> authority.behaviour = AuthorityBehaviour.HONEST);
    assertThat(pay(stranger).code()).isEqualTo("overloaded");
    assertThat(pay("198.51.100.8").status()).isEqualTo(200);
    gateway.authorities.forEach(FakeAuthority::release);
    assertThat(waiting.join().status()).isEqualTo(200);
  }

  @Test
  void relaysTheSealedWitnessAndTheSealedProof() {
    assertThat(gateway.rest.get("/v1/info").json().path("proverKey").asString(""))
        .isEqualTo(Base64Url.encode(FakeProver.KEY));
    String witness = Base64Url.encode(random.bytes(2000));
    RestProbe.Answer answer = prove(witness);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("sealedProof").asString("")).isEqualTo(witness);
  }

  @Test
  void mapsFailuresOfTheProverToCodes() {
    PROVER.failure = Status.RESOURCE_EXHAUSTED;
    assertThat(prove("AA").code()).isEqualTo("overloaded");
    PROVER.failure = Status.INVALID_ARGUMENT;
    assertThat(prove("AA").code()).isEqualTo("malformed-request");
    PROVER.failure = Status.INTERNAL.withDescription("a secret");
    RestProbe.Answer answer = prove("AA");
    assertThat(answer.code()).isEqualTo("unavailable");
    assertThat(answer.body()).doesNotContain("secret");
    assertThat(gateway.rest.post("/v1/proofs", "{\"family\":3}").code())
        .isEqualTo("malformed-request");
  }

  /** Attack: work of three proofs at the price of one. */
  @Test
  void proofsOfShapesDoNotReachTheProver() {
    int before = PROVER.requests.get();
    for (int family : new int[] {7, 8}) {
      assertThat(prove(family, "AA").code()).isEqualTo("malformed-request");
    }
    assertThat(PROVER.requests.get()).isEqualTo(before);
    assertThat(prove(3, "AA").status()).isEqualTo(200);
  }

  private RestProbe.Answer pay(String client) {
    return gateway.rest.post(
        "/v1/transfers",
        TestRequests.json(TestRequests.transfer(random)),
        "X-Forwarded-For",
        client);
  }

  private static RestProbe.Answer prove(String witness) {
    return prove(3, witness);
  }

  private static RestProbe.Answer prove(int family, String witness) {
    return gateway.rest.post(
        "/v1/proofs",
        Map.of(
            "family",
            family,
            "encapsulatedKey",
            Base64Url.encode(new byte[32]),
            "sealedWitness",
            witness));
  }
}
