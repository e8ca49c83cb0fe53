package io.solidus.loadtest.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.solidus.loadtest.forge.RequestPool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Where k6 is installed ({@code ./solidus load check} does that), the scripts are run and not only
 * looked at.
 */
@Tag("process")
class K6ScenariosTest {
  private static final Path SCRIPTS = Path.of("..", "k6");
  private static final Path K6 =
      Path.of(
              Optional.ofNullable(System.getenv("SOLIDUS_HOME"))
                  .orElse(System.getProperty("user.home") + "/.cache/solidus"))
          .resolve("tools/bin/k6");

  @TempDir private Path temporary;

  @BeforeAll
  static void installed() {
    assumeTrue(
        Files.isExecutable(K6),
        () -> "there is no k6 at " + K6 + "; ./solidus load check brings it in");
  }

  @ParameterizedTest
  @ValueSource(strings = {"smoke", "load", "stress", "soak", "spike"})
  void everyScenarioIsParsed(String name) throws Exception {
    Path output = temporary.resolve("inspect.json");
    List<String> command =
        List.of(K6.toString(), "inspect", SCRIPTS.resolve(name + ".js").toString());
    try (ChildProcess k6 = ChildProcess.start("k6", command, Map.of(), output)) {
      assertThat(k6.await(Duration.ofMinutes(2), () -> {})).as(Files.readString(output)).isZero();
    }
    JsonNode options = Report.read(output);
    LoadPlan plan = LoadPlan.of(name, 0, 0);
    assertThat(options.path("scenarios").propertyNames()).hasSize(3 * plan.phases().size());
    assertThat(options.path("thresholds").propertyNames())
        .contains(
            "http_req_duration{route:submit,phase:" + plan.limits().phases().getFirst() + "}",
            "refusals{code:internal}");
  }

  /** Every fifth payment gets a Retry-After and is sent again. */
  @Test
  void walletsSendValidRequests() throws Exception {
    // twenty wallets look around, and there are thirteen VUs for them: some look twice
    LoadPlan plan = LoadPlan.of("smoke", 5, 8);
    try (StubGateway gateway = new StubGateway(TestPools.NETWORK, number -> number % 5 == 0);
        RequestPool pool = RequestPool.open(TestPools.forge(temporary.resolve("pool"), "k6", 200));
        TransferFeeder feeder = TransferFeeder.start(pool, 0)) {
      LoadGenerator.Order order =
          new LoadGenerator.Order(
              plan, gateway.url(), feeder.url().toString(), "7", temporary, "", "");
      LoadGenerator.k6(K6, SCRIPTS, order, 4);
      JsonNode summary = Report.read(order.summary());
      JsonNode phase = summary.path("phases").path(0);
      int payments = phase.path("begun").asInt();
      assertThat(gateway.wrong()).isEmpty();
      assertThat(payments).isBetween(35, 41);
      assertThat(phase.path("signed").asInt()).isEqualTo(payments);
      assertThat(gateway.signed()).hasSize(payments);
      assertThat(summary.path("refusals").path("overloaded").asInt())
          .isEqualTo(payments / 5)
          .isEqualTo(summary.path("retries").asInt());
      assertThat(summary.path("refusals").propertyNames()).containsExactly("overloaded");
      assertThat(summary.path("routes").path("submit").path("count").asInt())
          .isEqualTo(gateway.calls("submit"));
      for (String route : List.of("state", "certificate", "mailbox-post")) {
        assertThat(gateway.calls(route)).as(route).isEqualTo(payments);
      }
      assertThat(gateway.calls("list")).isPositive();
      assertThat(gateway.calls("list-unchanged")).isPositive();
      assertThat(gateway.calls("mailbox-read")).isGreaterThan(10);
    }
  }
}
