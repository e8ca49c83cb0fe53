package io.solidus.operator.registration.cases;

import static io.solidus.operator.registration.screening.FakeSanctions.match;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Lists that name somebody after she was screened. */
@Tag("process")
class NewerListsTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String ENTRY = match("un", "QDi.001", "digest-1");
  private static final String CHANGED_ENTRY = match("un", "QDi.001", "digest-2");

  @TempDir private Path dir;
  private ServiceHarness service;

  @BeforeEach
  void start() throws IOException {
    service = new ServiceHarness(dir);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void whoIsListedSinceHerScreeningIsNotApproved() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("pending");
    service.sanctions.answer(200, FakeSanctions.against(4, ENTRY));
    Answer approval = service.approve(taken, "olga", "{\"reason\":\"in a hurry\"}");
    assertThat(approval.status()).isEqualTo(409);
    assertThat(approval.code()).isEqualTo("screening-outdated");
    assertThat(service.count("outbox")).isZero();
    assertThat(service.status(taken)).isEqualTo("review");
    assertThat(service.approve(taken, "olga", "{\"reason\":\"in a hurry\"}").code())
        .isEqualTo("matches-open");
  }

  @Test
  void aClearanceSaysAgainstWhat() {
    Answer taken = service.submit(Submission.fresh());
    service.sanctions.answer(200, FakeSanctions.against(4));
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    JsonNode screenings = service.file(taken, "otto").body().path("screenings");
    assertThat(screenings).hasSize(2);
    JsonNode newest = screenings.get(0);
    assertThat(newest.path("lists").asString()).isEqualTo("un 4");
    assertThat(newest.path("matcher").asString()).isEqualTo("7");
    assertThat(newest.path("threshold").asDouble()).isEqualTo(0.8);
    assertThat(newest.path("verdict").asString()).isEqualTo("clear");
    assertThat(screenings.get(1).path("lists").asString()).isEqualTo("un 3");
    for (String change :
        List.of(
            "UPDATE screening SET verdict = 'match'",
            "DELETE FROM screening",
            "TRUNCATE screening CASCADE",
            "TRUNCATE match_disposition")) {
      assertThat(catchThrowable(() -> service.database().sql(change).update()))
          .as(change)
          .hasMessageContaining("never changed");
    }
  }

  @Test
  void anImportScreensUndecidedAndApprovedPersonsAgain() throws Exception {
    Answer undecided = service.submit(Submission.fresh());
    Answer approved = service.submit(Submission.fresh());
    service.approve(approved, "olga", "{}");
    Answer refused = service.submit(Submission.fresh());
    service.refuse(refused, "olga");

    service.sanctions.newList(4, ENTRY);
    await(() -> service.status(undecided).equals("review"));
    await(() -> alerts().equals(List.of(approved.text("caseId"))));
    assertThat(service.rest().get("/actuator/prometheus").body())
        .contains("solidus_registration_alerts_waiting 1.0");
    assertThat(service.file(approved, "olga").body().path("events").toString())
        .contains("screened again with a new match");

    service.dispose(approved, "olga", "false-positive");
    assertThat(alerts()).isEmpty();
    screenedAgainst("un 4", "un 5", ENTRY);
    assertThat(alerts()).as("the disposition is remembered").isEmpty();
    screenedAgainst("un 5", "un 6", CHANGED_ENTRY);
    assertThat(alerts()).as("the entry changed").containsExactly(approved.text("caseId"));
    service.dispose(approved, "olga", "true-match");
    assertThat(alerts()).as("a true match stays in the queue").hasSize(1);
  }

  private void screenedAgainst(String before, String after, String entry) throws Exception {
    long screenings = screeningsAgainst(before);
    service.sanctions.newList(Long.parseLong(after.substring(3)), entry);
    await(() -> screeningsAgainst(after) == screenings);
  }

  private long screeningsAgainst(String lists) {
    return service
        .database()
        .sql(
            "SELECT count(*) FROM screening JOIN screening_basis b ON b.digest = basis WHERE lists = ?")
        .param(lists)
        .query(Long.class)
        .single();
  }

  @Test
  void aDispositionIsForTheEntryThatTheOfficerSaw() {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.dispose(taken, "olga", "un:QDi.001", "digest-0", "false-positive").code())
        .isEqualTo("match-changed");
    assertThat(service.dispose(taken, "olga", "un:QDi.001", "digest-1", "perhaps").code())
        .isEqualTo("malformed-request");
    Answer file = service.dispose(taken, "olga", "un:QDi.001", "digest-1", "false-positive");
    JsonNode disposition = file.body().path("matches").get(0).path("disposition");
    assertThat(disposition.path("verdict").asString()).isEqualTo("false-positive");
    assertThat(disposition.path("officer").asString()).isEqualTo("olga");
  }

  @Test
  void aTrueMatchIsNotApproved() {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer taken = service.submit(Submission.fresh());
    service.dispose(taken, "olga", "true-match");
    assertThat(service.approve(taken, "oscar", "{\"reason\":\"a friend\"}").code())
        .isEqualTo("matches-open");
    assertThat(
            catchThrowable(() ->
                service
                    .database()
                    .sql(
                        "UPDATE kyc_case SET status = 'approved', decided_by = 'olga', decided_at = now(),"
                            + " attestation_note = 'x' WHERE id::text = ?")
                    .param(taken.text("caseId"))
                    .update()))
        .hasMessageContaining("open match");
  }

  private List<String> alerts() {
    return service
        .get("/admin/v1/kyc/alerts", service.as("olga"))
        .body()
        .path("alerts")
        .valueStream()
        .map(alert -> alert.path("caseId").asString())
        .toList();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    Instant end = Instant.now().plus(LIMIT);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(end);
      Thread.sleep(20);
    }
  }
}
