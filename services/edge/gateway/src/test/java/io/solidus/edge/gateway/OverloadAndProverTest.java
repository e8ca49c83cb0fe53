package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.wire.json.Base64Url;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A gateway that processes one request at a time and has a prover. */
@Tag("process")
class OverloadAndProverTest {
  private static final FakeProver PROVER = new FakeProver();
  private static GatewayFixture gateway;
  private final Generators random = new Generators(41);

  @BeforeAll
  static void start() {
    gateway =
        new GatewayFixture(
            Map.of(
                "solidus.gateway.prover-address",
                PROVER.address(),
                "solidus.gateway.max-concurrent",
                1));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    PROVER.close();
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

  private static RestProbe.Answer prove(String witness) {
    return gateway.rest.post(
        "/v1/proofs",
        Map.of(
            "family",
            3,
            "encapsulatedKey",
            Base64Url.encode(new byte[32]),
            "sealedWitness",
            witness));
  }
}
