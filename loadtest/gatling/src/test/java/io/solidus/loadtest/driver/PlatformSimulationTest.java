package io.solidus.loadtest.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A short run of the whole simulation, admin APIs included. */
@Tag("process")
class PlatformSimulationTest {
  private static final int ASSERTIONS_FAILED = 2;

  @TempDir private Path temporary;

  @Test
  void walletsAndOperatorsSendValidRequests() throws Exception {
    try (StubGateway gateway = new StubGateway(TestPools.NETWORK, number -> number % 5 == 0)) {
      Path pool = TestPools.forge(temporary.resolve("pool"), "gatling", 40);
      LoadPlan plan = LoadPlan.of("smoke", 5, 4);
      LoadGenerator.Order order =
          new LoadGenerator.Order(
              plan, gateway.url(), pool.toString(), "7", temporary, StubGateway.TOKEN, "");
      LoadGenerator.Outcome outcome = LoadGenerator.gatling(order);
      // how long an answer took on a busy machine is not this test's matter
      assertThat(outcome.status()).isIn(0, ASSERTIONS_FAILED);
      check(gateway, Report.read(order.summary()));
    }
  }

  private static void check(StubGateway gateway, JsonNode summary) {
    JsonNode phase = summary.path("phases").path(0);
    int payments = phase.path("begun").asInt();
    assertThat(gateway.wrong()).isEmpty();
    assertThat(payments).isBetween(15, 21);
    assertThat(phase.path("signed").asInt()).isEqualTo(payments);
    assertThat(gateway.signed()).hasSize(payments);
    assertThat(summary.path("refusals").propertyNames()).containsExactly("overloaded");
    assertThat(summary.path("refusals").path("overloaded").asInt())
        .isEqualTo(payments / 5)
        .isEqualTo(summary.path("retries").asInt());
    assertThat(summary.path("routes").path("submit").path("count").asInt())
        .isEqualTo(gateway.calls("submit"));
    for (String route : List.of("state", "certificate", "mailbox-post")) {
      assertThat(gateway.calls(route)).as(route).isEqualTo(payments);
    }
    assertThat(gateway.calls("list-unchanged")).isPositive();
    assertThat(gateway.calls("mailbox-read")).isGreaterThan(10);
    assertThat(gateway.calls("admin-no-token")).isPositive();
    assertThat(gateway.calls("admin-funding-view"))
        .isPositive()
        .isEqualTo(gateway.calls("/admin/v1/supply"));
  }
}
