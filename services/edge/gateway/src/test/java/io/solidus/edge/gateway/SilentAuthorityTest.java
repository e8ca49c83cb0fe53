package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One authority takes every question and never answers, and the gateway would wait for it longer
 * than the client of these tests does: so whatever is answered here did not wait for it.
 */
class SilentAuthorityTest {
  private static final int SILENT = 4;
  private static final String LONGER_THAN_THE_CLIENT_WAITS = "120s";
  private static GatewayUnderTest gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway =
        new GatewayUnderTest(
            Map.of(
                "solidus.gateway.call-timeout", LONGER_THAN_THE_CLIENT_WAITS,
                "solidus.gateway.request-timeout", LONGER_THAN_THE_CLIENT_WAITS));
    gateway.authority(SILENT).behaviour = Behaviour.WITHHOLDS;
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @Test
  void transferCaughtByAPolicyChangeIsFinishedWithoutIt() {
    gateway.authority(3).refusal = RejectionCode.STALE_POLICY;
    gateway.authority(3).finishes = true;
    TransferRequest request = Requests.transfer(random);
    RestProbe.Answer answer = gateway.rest.post("/v1/transfers", Requests.json(request));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(gateway.authority(3).transfers)
        .filteredOn(sent -> sent.statement().equals(request.statement()))
        .extracting(sent -> sent.certificate().size())
        .containsExactly(0, 2);
  }

  @Test
  void lookUpIsAnsweredWithoutIt() {
    SerialNumber serial = random.serial();
    RestProbe.Answer answer =
        gateway.rest.post(
            "/v1/coins/state", Map.of("serials", List.of(Base64Url.encode(serial.bytes()))));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("states").path(0).path("status").asString(""))
        .isEqualTo("unspent");
  }

  @Test
  void storedTransferIsFoundWithoutIt() {
    gateway.authority(3).refusal = null;
    TransferRequest request = Requests.transfer(random);
    assertThat(gateway.rest.post("/v1/transfers", Requests.json(request)).status()).isEqualTo(200);
    String core = request.statement().core(TestCommittee.NETWORK).hex();
    String lead = Base64Url.encode(request.statement().leadSerial().bytes());
    assertThat(gateway.rest.get("/v1/transfers/" + core + "?lead=" + lead).status()).isEqualTo(200);
  }
}
