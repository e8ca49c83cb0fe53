package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.WireJson;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An authority that was away learns what was finished without it. */
class RedeliveryTest {
  private static GatewayUnderTest gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway =
        new GatewayUnderTest(
            Map.of("solidus.gateway.call-timeout", "1s", "solidus.gateway.request-timeout", "2s"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @BeforeEach
  void reset() {
    gateway.reset();
  }

  @Test
  void nothingIsPendingWhenAllAnswered() {
    assertThat(submit(Requests.transfer(random))).isEqualTo(200);
    Eventually.holds(() -> assertThat(gateway.authority(4).transfers).hasSize(1));
    assertThat(pending()).isZero();
  }

  @Test
  void returningAuthorityGetsTheTransferWithACertificate() {
    gateway.authority(2).down();
    TransferRequest request = Requests.transfer(random);
    assertThat(submit(request)).isEqualTo(200);
    Eventually.holds(() -> assertThat(pending()).isEqualTo(1));
    gateway.authority(2).up();
    Eventually.holds(() -> assertThat(gateway.authority(2).transfers).isNotEmpty());
    TransferRequest delivered = gateway.authority(2).transfers.getFirst();
    assertThat(delivered.statement()).isEqualTo(request.statement());
    assertThat(delivered.certificate()).hasSizeGreaterThanOrEqualTo(2);
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  @Test
  void frozenAuthorityDelaysNobodyElsesDelivery() {
    gateway.authority(1).behaviour = Behaviour.WITHHOLDS;
    assertThat(submit(Requests.transfer(random))).isEqualTo(200);
    assertThat(submit(Requests.transfer(random))).isEqualTo(200);
    Eventually.holds(() -> assertThat(pending()).isEqualTo(2));
    gateway.authority(1).behaviour = Behaviour.HONEST;
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  @Test
  void policyThatMovedOnIsOvercomeByTheCertificate() {
    gateway.authority(3).refusal = RejectionCode.STALE_POLICY;
    gateway.authority(3).finishes = true;
    assertThat(submit(Requests.transfer(random))).isEqualTo(200);
    Eventually.holds(() ->
        assertThat(gateway.authority(3).transfers)
            .anyMatch(request -> !request.certificate().isEmpty()));
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  @Test
  void finalRefusalEndsTheDelivery() {
    gateway.authority(3).refusal = RejectionCode.SERIAL_CONFLICT;
    assertThat(submit(Requests.transfer(random))).isEqualTo(200);
    Eventually.holds(
        () -> assertThat(gateway.authority(3).transfers).hasSizeGreaterThanOrEqualTo(2));
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  @Test
  void mintsAreDeliveredToo() {
    gateway.authority(4).behaviour = Behaviour.FAILS;
    MintRequest mint = Requests.mint(random);
    assertThat(gateway.rest.post("/v1/mints", WireJson.write(MintRequestJson.of(mint))).status())
        .isEqualTo(200);
    Eventually.holds(() -> assertThat(pending()).isEqualTo(1));
    gateway.authority(4).behaviour = Behaviour.HONEST;
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  private static int submit(TransferRequest request) {
    return gateway.rest.post("/v1/transfers", Requests.json(request)).status();
  }

  private static long pending() {
    return gateway
        .database
        .jdbc()
        .sql("SELECT count(*) FROM pending_delivery")
        .query(Long.class)
        .single();
  }
}
