package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class ScreeningOutageTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  @TempDir private Path dir;

  @Test
  void aCaseWaitsUntilTheSanctionsServiceIsBack() throws Exception {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      service.sanctions.answer(503, "{}");
      Answer taken = service.submit(Submission.fresh());
      assertThat(taken.status()).isEqualTo(202);
      assertThat(service.status(taken)).isEqualTo("pending-screening");

      Answer approval = service.approve(taken, "olga", "{\"reason\":\"in a hurry\"}");
      assertThat(approval.status()).isEqualTo(409);
      assertThat(approval.code()).isEqualTo("screening-pending");
      assertThat(approval.body().path("retryable").asBoolean()).isTrue();
      awaitAttempts(service, 3);

      service.sanctions.answer(200, FakeSanctions.NO_MATCH);
      awaitStatus(service, taken, "pending");
      assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    }
  }

  @Test
  void aWaitingCaseMayGetAMatch() throws Exception {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      service.sanctions.answer(200, "{\"lists\":[]}");
      Answer taken = service.submit(Submission.fresh());
      assertThat(service.status(taken)).isEqualTo("pending-screening");
      service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
      awaitStatus(service, taken, "review");
    }
  }

  @Test
  void aWaitingCaseMayBeRefused() throws Exception {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      service.sanctions.answer(500, "{}");
      Answer taken = service.submit(Submission.fresh());
      assertThat(service.refuse(taken, "olga").text("status")).isEqualTo("refused");
      service.sanctions.answer(200, FakeSanctions.NO_MATCH);
      Thread.sleep(500);
      assertThat(service.look(taken).text("status")).isEqualTo("refused");
    }
  }

  @Test
  void nobodyIsApprovedWhileNobodyCanBeScreened() throws Exception {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      Answer taken = service.submit(Submission.fresh());
      assertThat(service.status(taken)).isEqualTo("pending");
      service.sanctions.answer(503, "{}");
      Answer approval = service.approve(taken, "olga", "{}");
      assertThat(approval.status()).isEqualTo(409);
      assertThat(approval.code()).isEqualTo("screening-pending");
      assertThat(service.count("outbox")).isZero();
    }
  }

  @Test
  void pausesGrowUpToTheMaximum() {
    CaseScreeningService.RetryTimes times =
        new CaseScreeningService.RetryTimes(
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(4),
            Duration.ofDays(1),
            Duration.ofDays(1));
    assertThat(times.after(1)).isBetween(Duration.ofMillis(750), Duration.ofSeconds(1));
    assertThat(times.after(3)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
    for (int attempts : new int[] {7, 20, 63, 64, 1_000_000}) {
      assertThat(times.after(attempts)).isBetween(Duration.ofSeconds(45), Duration.ofSeconds(60));
    }
  }

  private static void awaitAttempts(ServiceHarness service, int attempts)
      throws InterruptedException {
    Instant end = Instant.now().plus(LIMIT);
    while (service.sanctions.requests().size() < attempts) {
      assertThat(Instant.now()).isBefore(end);
      Thread.sleep(20);
    }
  }

  private static void awaitStatus(ServiceHarness service, Answer taken, String status)
      throws InterruptedException, IOException {
    Instant end = Instant.now().plus(LIMIT);
    while (!service.status(taken).equals(status)) {
      assertThat(Instant.now()).as("still " + service.status(taken)).isBefore(end);
      Thread.sleep(20);
    }
  }
}
