package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.wire.json.Base64Url;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Without a quorum the gateway answers when the request's deadline has passed. */
@Tag("process")
class RequestDeadlineTest {
  @RegisterExtension
  private static final GatewayFixture gateway =
      new GatewayFixture(
          Map.of("solidus.gateway.call-timeout", "1s", "solidus.gateway.request-timeout", "2s"));

  private final Generators random = new Generators(System.nanoTime());

  @Test
  void aTransferWithoutAQuorumEndsAtTheDeadline() {
    gateway.silence(1);
    gateway.authority(2).down();
    assertNoQuorum(
        gateway.rest.post("/v1/transfers", TestRequests.json(TestRequests.transfer(random))));
    gateway.reset();
    gateway.awaitReachable(2);
  }

  @Test
  void aLookUpWithoutAQuorumEndsAtTheDeadline() {
    gateway.silence(1);
    gateway.silence(2);
    assertNoQuorum(
        gateway.rest.post(
            "/v1/coins/state",
            Map.of("serials", List.of(Base64Url.encode(random.serial().bytes())))));
  }

  private static void assertNoQuorum(RestProbe.Answer answer) {
    assertThat(answer.code()).as(answer.body()).isEqualTo("no-quorum");
    assertThat(answer.status()).isEqualTo(503);
  }
}
