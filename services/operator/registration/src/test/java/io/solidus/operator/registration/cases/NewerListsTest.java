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
import java.util.concurrent.locks.LockSupport;
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
    listAnswers(FakeSanctions.against(4, ENTRY));
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
    listAnswers(FakeSanctions.against(4));
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    JsonNode screenings = service.file(taken, "otto").body().path("screenings");
    JsonNode newest = screenings.get(0);
    assertThat(newest.path("lists").asString()).isEqualTo("un 4");
    assertThat(newest.path("matcher").asString()).isEqualTo("7");
    assertThat(newest.path("threshold").asDouble()).isEqualTo(0.8);
    assertThat(newest.path("verdict").asString()).isEqualTo("clear");
    assertThat(screenings.get(screenings.size() - 1).path("lists").asString()).isEqualTo("un 3");
    for (String change :
        List.of(
            "UPDATE screening SET verdict = 'match'",
            "DELETE FROM screening",
            "TRUNCATE screening CASCADE",
            "TRUNCATE match_disposition CASCADE")) {
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
    assertThat(alerts()).as("one officer alone").hasSize(1);
    service.confirm(approved, "paula", "false-positive");
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

  /** A new list whose rescreening has not come to anybody yet. */
  private void listAnswers(String answer) {
    service.sanctions.duringNextScreening(() -> service.sanctions.newBasis(4));
    service.sanctions.answer(200, answer);
  }

  @Test
  void aSlowAnswerAgainstFormerListsClearsNobody() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("pending");
    service.sanctions.duringNextScreening(() -> {
      service.sanctions.newList(4, ENTRY);
      await(() -> service.status(taken).equals("review"));
    });
    assertThat(service.approve(taken, "olga", "{\"reason\":\"in a hurry\"}").code())
        .isIn("screening-outdated", "matches-open");
    assertThat(service.status(taken)).isEqualTo("review");
    assertThat(
            service.file(taken, "olga").body().path("screenings").get(0).path("lists").asString())
        .as("the newest answer stays the newest")
        .isEqualTo("un 4");
  }

  @Test
  void listsThatChangeDuringAnApprovalStopIt() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("pending");
    service.sanctions.duringNextScreening(() -> service.sanctions.newBasis(4));
    assertThat(service.approve(taken, "olga", "{}").code()).isEqualTo("screening-outdated");
    service.sanctions.newList(4);
    await(() -> service.approve(taken, "olga", "{}").text("status").equals("approved"));
  }

  @Test
  void anAnswerForFormerDetailsClearsNobody() {
    Submission maiden = Submission.fresh();
    Answer registered = service.submit(maiden);
    service.approve(registered, "olga", "{}");
    Answer proposed =
        service.propose(
            registered,
            Submission.fresh().samePersonAs(maiden).person("familyName", "Listed"),
            "olga",
            "marriage certificate seen");
    service.sanctions.duringNextScreening(() -> {
      service.sanctions.answer(200, FakeSanctions.against(4, ENTRY));
      service.decideChange(proposed, "oscar", "accept");
      assertThat(alerts()).hasSize(1);
    });
    service.sanctions.newList(4);
    await(() -> service.sanctions.requests().stream().anyMatch(each -> each.contains("Listed")));
    Answer other = service.submit(Submission.fresh());
    await(() -> service.status(other).equals("review"));
    assertThat(alerts()).containsExactly(registered.text("caseId"));
  }

  @Test
  void whoSlippedThroughIsFoundWithTheNextSweep() {
    Answer registered = service.submit(Submission.fresh());
    service.approve(registered, "olga", "{}");
    service.sanctions.newList(4);
    await(() -> screeningsAgainst("un 4") == 1);
    service.sanctions.answer(200, FakeSanctions.against(4, ENTRY));
    service
        .database()
        .sql(
            "UPDATE newest_screening SET basis = (SELECT digest FROM screening_basis WHERE lists = 'un 3')")
        .update();
    await(() -> alerts().size() == 1);
  }

  @Test
  void registeredPersonsAreComparedWithWhatChanged() {
    Answer clear = service.submit(Submission.fresh());
    service.approve(clear, "olga", "{}");
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer matched = service.submit(Submission.fresh());
    assertThat(service.status(matched)).isEqualTo("review");
    service.sanctions.requests().clear();
    service.sanctions.newList(4);
    await(() -> screeningsAgainst("un 4") == 2);
    assertThat(service.sanctions.requests())
        .as("who had a match, and who is undecided, is compared with everybody")
        .anyMatch(request -> request.contains("\"entriesSince\":{\"un\":3}"))
        .anyMatch(
            request -> request.startsWith("{\"persons\"") && !request.contains("entriesSince"));
    JsonNode newest = service.file(clear, "olga").body().path("screenings").get(0);
    assertThat(newest.path("lists").asString()).isEqualTo("un 4");
    assertThat(newest.path("buildsOn").asString()).isEqualTo("un 3");
    assertThat(
            service
                .file(matched, "olga")
                .body()
                .path("screenings")
                .get(0)
                .path("buildsOn")
                .isNull())
        .isTrue();

    service.sanctions.newList(5, ENTRY);
    await(() -> alerts().equals(List.of(clear.text("caseId"))));
    JsonNode found = service.file(clear, "olga").body().path("screenings").get(0);
    assertThat(found.path("buildsOn").isNull())
        .as("whoever may be listed is screened whole")
        .isTrue();
    assertThat(service.rest().get("/actuator/prometheus").body())
        .contains("solidus_registration_screenings_outdated 0.0")
        .contains("solidus_registration_screenings_behind_seconds");
  }

  @Test
  void aSanctionsServiceThatWasRestoredScreensOn() {
    Answer registered = service.submit(Submission.fresh());
    service.approve(registered, "olga", "{}");
    service.sanctions.newList(4);
    await(() -> screeningsAgainst("un 4") == 1);
    service.sanctions.newList(2, ENTRY);
    await(() -> alerts().size() == 1);
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

  private static void await(BooleanSupplier condition) {
    Instant end = Instant.now().plus(LIMIT);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
