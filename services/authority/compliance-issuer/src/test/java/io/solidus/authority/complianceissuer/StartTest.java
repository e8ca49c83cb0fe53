package io.solidus.authority.complianceissuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class StartTest {

  @Test
  void refusesADatabaseThatCanLoseCommits(@TempDir Path folder) {
    try (PostgresServer unsafe =
        PostgresServer.start(folder.resolve("data"), Map.of("fsync", "off"))) {
      TestDatabase database =
          new TestDatabase(unsafe.url("postgres"), PostgresServer.USER, PostgresServer.USER);
      assertThat(catchThrowable(() -> new IssuerHarness(database, Map.of())))
          .rootCause()
          .hasMessageContaining("fsync");
    }
  }

  @Test
  void signsNothingAfterASettingBecameUnsafe(@TempDir Path folder) throws IOException {
    try (PostgresServer server = PostgresServer.start(folder.resolve("data"));
        IssuerHarness issuer =
            new IssuerHarness(
                new TestDatabase(server.url("postgres"), PostgresServer.USER, PostgresServer.USER),
                Map.of("solidus.validator.durability-recheck", "100ms"))) {
      assertThat(issueAnything(issuer).hasSigned()).isTrue();
      server.execute("postgres", "ALTER SYSTEM SET synchronous_commit = off");
      server.execute("postgres", "SELECT pg_reload_conf()");
      Eventually.holds(() ->
          assertThat(issueAnything(issuer).getRejected().getCode())
              .isEqualTo(RejectionCode.UNAVAILABLE.code()));
    }
  }

  @Test
  void refusesToStartWithoutARegistrationKey() {
    assertThat(catchThrowable(() -> new IssuerHarness(Map.of("solidus.trust.registration", ""))))
        .rootCause()
        .hasMessageContaining("solidus.trust.registration");
  }

  @Test
  void answersOnlyProbesOverHttp() throws IOException {
    Map<String, Object> web = Map.of("management.server.port", 0);
    try (IssuerHarness issuer = new IssuerHarness(web)) {
      issueAnything(issuer);
      RestProbe http = new RestProbe(issuer.managementPort());
      assertThat(http.get("/actuator/health/readiness").status()).isEqualTo(200);
      assertThat(http.get("/actuator/prometheus").body()).contains("outcome=\"signed\"");
      assertThat(http.get("/admin/v1/anything").status()).isEqualTo(404);
    }
  }

  @Test
  void answersUnavailableWithoutASigner() throws IOException {
    try (IssuerHarness issuer =
        new IssuerHarness(Map.of("solidus.compliance-issuer.signer-address", "127.0.0.1:1"))) {
      assertThat(issueAnything(issuer).getRejected().getCode())
          .isEqualTo(RejectionCode.UNAVAILABLE.code());
    }
  }

  @Test
  void rejectsRegistrationsAboveTheLimitAsOverloaded() throws Exception {
    try (IssuerHarness issuer =
            new IssuerHarness(
                Map.of(
                    "solidus.compliance-issuer.max-in-flight",
                    1,
                    "solidus.compliance-issuer.call-deadline",
                    "5m"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      issuer.signer.behave(FakeSigner.Behaviour.HOLD);
      Future<SubmitReply> held = threads.submit(() -> issueAnything(issuer));
      Eventually.holds(() -> assertThat(issuer.signer.calls()).isPositive());
      SubmitReply rejected = issueAnything(issuer);
      assertThat(rejected.getRejected().getCode()).isEqualTo(RejectionCode.OVERLOADED.code());
      assertThat(rejected.getRejected().getRetryable()).isTrue();
      issuer.signer.release();
      assertThat(held.get().hasSigned()).isTrue();
    }
  }

  @Test
  void answersUnavailableAfterTheDeadlineOfASlowSigner() throws IOException {
    try (IssuerHarness issuer =
        new IssuerHarness(Map.of("solidus.compliance-issuer.call-deadline", "300ms"))) {
      issuer.signer.behave(FakeSigner.Behaviour.HOLD);
      assertThat(issueAnything(issuer).getRejected().getCode())
          .isEqualTo(RejectionCode.UNAVAILABLE.code());
    }
  }

  private static SubmitReply issueAnything(IssuerHarness issuer) {
    RegisterRequest request = issuer.registrations.request(issuer.registrations.wallet());
    return issuer.issue(request, issuer.registrations.note(issuer.registrations.person(), request));
  }
}
