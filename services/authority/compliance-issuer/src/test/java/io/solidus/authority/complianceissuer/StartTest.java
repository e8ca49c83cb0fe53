package io.solidus.authority.complianceissuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.dev.processes.PostgresServer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartTest {

  @Test
  void refusesADatabaseThatMayForget(@TempDir Path folder) {
    try (PostgresServer forgetful =
        PostgresServer.start(folder.resolve("data"), Map.of("fsync", "off"))) {
      TestDatabase database =
          new TestDatabase(forgetful.url("postgres"), PostgresServer.USER, PostgresServer.USER);
      assertThat(catchThrowable(() -> new IssuerHarness(database, Map.of())))
          .rootCause()
          .hasMessageContaining("fsync");
    }
  }

  @Test
  void refusesToStartWithoutAKeyToTrust() {
    assertThat(catchThrowable(() -> new IssuerHarness(Map.of("solidus.trust.registration", ""))))
        .rootCause()
        .hasMessageContaining("solidus.trust.registration");
  }

  @Test
  void answersProbesAndNothingElseOverHttp() throws IOException {
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
  void servesWithoutASignerAndSaysThatItIsAway() throws IOException {
    try (IssuerHarness issuer =
        new IssuerHarness(Map.of("solidus.compliance-issuer.signer-address", "127.0.0.1:1"))) {
      assertThat(issueAnything(issuer).getRejected().getCode())
          .isEqualTo(RejectionCode.UNAVAILABLE.code());
    }
  }

  @Test
  void aFullHouseSendsPeopleAwayInsteadOfQueueingThem() throws Exception {
    try (IssuerHarness issuer =
            new IssuerHarness(Map.of("solidus.compliance-issuer.max-in-flight", 1));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      issuer.signer.mood(FakeSigner.Mood.SLOW);
      Future<SubmitReply> slow = threads.submit(() -> issueAnything(issuer));
      while (issuer.signer.calls() == 0) {
        Thread.sleep(10);
      }
      SubmitReply refused = issueAnything(issuer);
      assertThat(refused.getRejected().getCode()).isEqualTo(RejectionCode.OVERLOADED.code());
      assertThat(refused.getRejected().getRetryable()).isTrue();
      assertThat(slow.get().hasSigned()).isTrue();
    }
  }

  @Test
  void aSlowSignerIsNotWaitedForLongerThanTheDeadline() throws IOException {
    try (IssuerHarness issuer =
        new IssuerHarness(Map.of("solidus.compliance-issuer.call-deadline", "300ms"))) {
      issuer.signer.mood(FakeSigner.Mood.SLOW);
      assertThat(issueAnything(issuer).getRejected().getCode())
          .isEqualTo(RejectionCode.UNAVAILABLE.code());
    }
  }

  private static SubmitReply issueAnything(IssuerHarness issuer) {
    RegisterRequest request = issuer.registrations.request(issuer.registrations.wallet());
    return issuer.issue(request, issuer.registrations.note(issuer.registrations.person(), request));
  }
}
