package io.solidus.authority.complianceissuer;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.processes.PrimaryAndStandby;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wire.v1.SubmitReply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The issuer while the standby of its database is away, with a real primary and standby. */
@Tag("process")
class StandbyTest {
  /** More than the issuer has database connections. */
  private static final int ATTEMPTS = 12;

  @Test
  @Spec("V-15")
  void leavesNoBackendBehindAndAnswersWhatItHas(@TempDir Path folder) throws IOException {
    try (PrimaryAndStandby pair = PrimaryAndStandby.start(folder);
        IssuerHarness issuer =
            new IssuerHarness(
                database(pair.primary()), Map.of("solidus.validator.synchronous-standbys", 1))) {
      Registration first = new Registration(issuer);
      SubmitReply answer = first.issue();
      assertThat(answer.hasSigned()).isTrue();

      pair.standby().stop();
      List<Registration> others =
          Stream.generate(() -> new Registration(issuer)).limit(ATTEMPTS).toList();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<CompletableFuture<SubmitReply>> replies =
            others.stream()
                .map(other -> CompletableFuture.supplyAsync(other::issue, threads))
                .toList();
        assertThat(replies).allSatisfy(reply -> assertUnavailable(reply.join()));
      }
      Await.until(
          "only the probe waits for the standby",
          Duration.ofSeconds(10),
          () -> pair.waiting() <= 1);
      assertThat(first.issue()).as("answered before").isEqualTo(answer);
      assertUnavailable(others.getFirst().issue());

      pair.standby().restart();
      Eventually.holds(
          () -> assertThat(others).allMatch(registration -> registration.issue().hasSigned()));
      PostgresServer after = pair.failOver();
      assertThat(
              JdbcClient.create(after.dataSource("postgres"))
                  .sql("SELECT count(*) FROM issuer.registration")
                  .query(Integer.class)
                  .single())
          .isEqualTo(1 + ATTEMPTS);
    }
  }

  private static TestDatabase database(PostgresServer server) {
    return new TestDatabase(server.url("postgres"), PostgresServer.USER, PostgresServer.USER);
  }

  private static void assertUnavailable(SubmitReply reply) {
    assertThat(reply.getRejected().getCode()).isEqualTo(RejectionCode.UNAVAILABLE.code());
  }

  private static final class Registration {
    private final IssuerHarness issuer;
    private final RegisterRequest request;
    private final String note;

    Registration(IssuerHarness issuer) {
      this.issuer = issuer;
      this.request = issuer.registrations.request(issuer.registrations.wallet());
      this.note = issuer.registrations.note(issuer.registrations.person(), request);
    }

    SubmitReply issue() {
      return issuer.issue(request, note);
    }
  }
}
