package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.MintRequestJson;
import io.solidus.wire.json.WireJson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redelivery of finished requests to authorities that have not signed them. */
@Tag("process")
class RedeliveryTest {
  @RegisterExtension private static final GatewayFixture gateway = new GatewayFixture();

  private final Generators random = new Generators(System.nanoTime());

  @Test
  void storesNothingWhenAllAuthoritiesSigned() {
    assertThat(submit(TestRequests.transfer(random))).isEqualTo(200);
    Eventually.holds(() -> assertThat(gateway.authority(4).transfers).hasSize(1));
    assertThat(pending()).isZero();
  }

  @Test
  void anAuthorityThatWasDownGetsTheTransferWithACertificate() {
    gateway.authority(2).down();
    TransferRequest request = TestRequests.transfer(random);
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
  void anAuthorityThatWasSilentGetsAllTransfers() {
    gateway.silence(1);
    TransferRequest first = TestRequests.transfer(random);
    TransferRequest second = TestRequests.transfer(random);
    assertThat(submit(first)).isEqualTo(200);
    assertThat(submit(second)).isEqualTo(200);
    Eventually.holds(() -> {
      gateway.authority(1).failWithheld();
      assertThat(pending()).isEqualTo(2);
    });
    gateway.authority(1).behaviour = AuthorityBehaviour.HONEST;
    Eventually.holds(() -> {
      gateway.authority(1).failWithheld();
      assertThat(pending()).isZero();
    });
  }

  @Test
  void theCertificateOvercomesAStalePolicy() {
    gateway.authority(3).refusal = RejectionCode.STALE_POLICY;
    gateway.authority(3).acceptsCertificate = true;
    assertThat(submit(TestRequests.transfer(random))).isEqualTo(200);
    Eventually.holds(() ->
        assertThat(gateway.authority(3).transfers)
            .anyMatch(request -> !request.certificate().isEmpty()));
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  @Test
  void aPermanentRefusalEndsTheRedelivery() {
    gateway.authority(3).refusal = RejectionCode.SERIAL_CONFLICT;
    assertThat(submit(TestRequests.transfer(random))).isEqualTo(200);
    Eventually.holds(
        () -> assertThat(gateway.authority(3).transfers).hasSizeGreaterThanOrEqualTo(2));
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  @Test
  void mintsAreRedeliveredToo() {
    gateway.authority(4).behaviour = AuthorityBehaviour.FAILS;
    MintRequest mint = TestRequests.mint(random);
    assertThat(gateway.rest.post("/v1/mints", WireJson.write(MintRequestJson.of(mint))).status())
        .isEqualTo(200);
    Eventually.holds(() -> assertThat(pending()).isEqualTo(1));
    gateway.authority(4).behaviour = AuthorityBehaviour.HONEST;
    Eventually.holds(() -> assertThat(pending()).isZero());
  }

  private static int submit(TransferRequest request) {
    return gateway.rest.post("/v1/transfers", TestRequests.json(request)).status();
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
