package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
import io.solidus.protocol.Digest32;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two people suspend, resume and close a registration. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StandingTest {
  @TempDir private static Path dir;
  private ServiceHarness service;

  @BeforeAll
  void start() throws IOException {
    service = new ServiceHarness(dir);
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @AfterEach
  void resetScreeningAnswer() {
    service.sanctions.answer(200, FakeSanctions.NO_MATCH);
  }

  @Test
  void twoPeopleSuspendAndResumeAndTheApplicantReadsNothingOfIt() {
    Answer registered = approved();
    String before = service.look(registered).body().toString();
    Answer proposed = propose(registered, "olga", "suspend");
    assertThat(proposed.text("standing")).isEqualTo("registered");
    assertThat(decide(proposed, "olga", "accept").code()).isEqualTo("same-person");
    assertThat(propose(registered, "oscar", "close").code()).isEqualTo("step-waits");
    assertThat(service.get("/admin/v1/kyc/steps", service.approver("paula")).body().toString())
        .contains(registered.text("caseId"));
    assertThat(service.get("/admin/v1/kyc/queues", service.approver("paula")).body().toString())
        .contains("\"status\":\"step\",\"count\":1,\"oldest\":\"20");

    Answer suspended = decide(proposed, "paula", "accept");
    assertThat(suspended.text("standing")).isEqualTo("suspended");
    assertThat(service.look(registered).body().toString()).isEqualTo(before);
    assertThat(propose(registered, "olga", "suspend").code()).isEqualTo("step-impossible");
    assertThat(decide(suspended, "paula", "accept").code()).isEqualTo("decision-conflict");
    Answer resumed = decide(propose(registered, "olga", "resume"), "paula", "accept");
    assertThat(resumed.text("standing")).isEqualTo("registered");
    assertThat(resumed.body().path("steps")).hasSize(2);
  }

  @Test
  void aClosedRegistrationIsScreenedNoMore() {
    Answer registered = approved();
    Answer closed = decide(propose(registered, "olga", "close"), "paula", "accept");
    assertThat(closed.text("standing")).isEqualTo("closed");
    for (String kind : List.of("suspend", "resume", "close")) {
      assertThat(propose(registered, "olga", kind).code()).isEqualTo("step-impossible");
    }
    assertThat(
            service
                .bean(ScreeningStore.class)
                .outdated(new Digest32(new byte[32]), new UUID(0, 0), new UUID(-1, -1), 1000)
                .toString())
        .doesNotContain(registered.text("caseId"));
  }

  @Test
  void theDatabaseRefusesOnePersonAndOtherSteps() {
    Answer registered = approved();
    propose(registered, "olga", "suspend");
    for (String sql :
        List.of(
            "UPDATE standing_step SET verdict = 'accepted', decided_by = ' Olga', decided_at = now() WHERE verdict IS NULL",
            "UPDATE standing_step SET verdict = 'accepted', decided_by = 'ol GA', decided_at = now() WHERE verdict IS NULL",
            "UPDATE standing_step SET verdict = 'accepted', decided_by = 'system:expiry', decided_at = now() WHERE verdict IS NULL",
            "UPDATE standing_step SET kind = 'close' WHERE verdict IS NULL",
            "DELETE FROM standing_step",
            "TRUNCATE standing_step")) {
      assertThat(catchThrowable(() -> service.database().sql(sql).update())).as(sql).isNotNull();
    }
  }

  @Test
  void whatOnePersonBeganExpires() throws Exception {
    try (ServiceHarness impatient =
        new ServiceHarness(dir, "--solidus.registration.approval-validity=1ms")) {
      Submission ada = Submission.fresh();
      Answer registered = impatient.submit(ada);
      impatient.approve(registered, "olga", "{}");
      Answer proposed = impatient.post(path(registered), body("suspend"), impatient.as("olga"));
      Thread.sleep(5);
      String step = proposed.body().path("steps").get(0).path("stepId").asString();
      assertThat(
              impatient
                  .post(
                      path(registered) + "/" + step + "/accept", "{}", impatient.approver("paula"))
                  .code())
          .isEqualTo("decision-conflict");
      Answer change = impatient.propose(registered, ada.person("givenName", "Eve"), "olga", "why");
      Thread.sleep(5);
      assertThat(impatient.decideChange(change, "oscar", "accept").code())
          .isEqualTo("decision-conflict");
      impatient.bean(Expiry.class).run();
      Answer file = impatient.file(registered, "olga");
      JsonNode expired = file.body().path("steps").get(0);
      assertThat(expired.path("verdict").asString()).isEqualTo("expired");
      assertThat(file.body().path("changes").get(0).path("verdict").asString())
          .isEqualTo("refused");
      assertThat(file.body().path("events").toString())
          .contains("\"actor\":\"system:expiry\",\"action\":\"a proposal expired\"");
      assertThat(expired.path("decidedBy").asString()).isEqualTo("system:expiry");
      assertThat(impatient.post(path(registered), body("suspend"), impatient.as("olga")).status())
          .isEqualTo(200);
    }
  }

  @Test
  void aLoneOpinionExpiresAndIsNobodysSecondWord() throws Exception {
    try (ServiceHarness impatient =
        new ServiceHarness(dir, "--solidus.registration.approval-validity=1ms")) {
      Submission ada = Submission.fresh();
      Answer earlier = impatient.submit(ada);
      Answer later =
          impatient.submit(
              Submission.fresh().samePersonAs(ada).person("documentNumber", "OTHERCARD"));
      assertThat(impatient.status(later)).isEqualTo("possible-duplicate");
      impatient.verdict(later, earlier, "olga", "duplicate", "the same face");
      Thread.sleep(5);
      impatient.verdict(later, earlier, "oscar", "duplicate", "the same signature");
      assertThat(impatient.status(later)).isEqualTo("possible-duplicate");
      Thread.sleep(5);
      assertThat(
              impatient
                  .verdict(later, earlier, "olga", "other-person", "another signature")
                  .status())
          .as("who gave an expired opinion may give another one")
          .isEqualTo(200);
      Thread.sleep(5);
      impatient.bean(Expiry.class).run();
      Answer file = impatient.file(later, "olga");
      assertThat(file.body().path("duplicates").get(0).path("opinions").valueStream())
          .hasSize(3)
          .allMatch(opinion -> opinion.path("expired").asBoolean());
      assertThat(file.body().path("events").toString()).contains("an opinion expired");
      for (String sql :
          List.of(
              "DELETE FROM expired_opinion",
              "TRUNCATE expired_opinion",
              "UPDATE duplicate_opinion SET verdict = 'other-person'",
              "DELETE FROM duplicate_opinion",
              "TRUNCATE duplicate_opinion",
              "UPDATE possible_duplicate SET verdict = 'duplicate', decided_at = now()")) {
        assertThat(catchThrowable(() -> impatient.database().sql(sql).update()))
            .as(sql)
            .isNotNull();
      }
    }
  }

  @Test
  void aVerdictExpiresOpinionsOfItsOwnPairAlone() throws Exception {
    try (ServiceHarness impatient =
        new ServiceHarness(dir, "--solidus.registration.approval-validity=1ms")) {
      Submission ada = Submission.fresh();
      Answer earlier = impatient.submit(ada);
      Answer later =
          impatient.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "CARDA1"));
      Submission eve = Submission.fresh();
      Answer otherEarlier = impatient.submit(eve);
      Answer otherLater =
          impatient.submit(Submission.fresh().samePersonAs(eve).person("documentNumber", "CARDB2"));
      for (Answer each : List.of(later, otherLater)) {
        assertThat(impatient.status(each)).isEqualTo("possible-duplicate");
      }
      impatient.verdict(later, earlier, "olga", "duplicate", "the same face");
      impatient.verdict(otherLater, otherEarlier, "olga", "duplicate", "the same face");
      Thread.sleep(5);
      impatient.verdict(otherLater, otherEarlier, "oscar", "duplicate", "the same face");
      assertThat(firstOpinion(impatient, otherLater).path("expired").asBoolean()).isTrue();
      assertThat(firstOpinion(impatient, later).path("expired").asBoolean(true)).isFalse();
    }
  }

  private static JsonNode firstOpinion(ServiceHarness service, Answer taken) {
    return service.file(taken, "olga").body().path("duplicates").get(0).path("opinions").get(0);
  }

  @Test
  void aClosedRegistrationIsNotChanged() {
    Submission ada = Submission.fresh();
    Answer registered = service.submit(ada);
    service.approve(registered, "olga", "{}");
    Submission married = Submission.fresh().samePersonAs(ada).person("familyName", "Quillfeather");
    Answer change = service.propose(registered, married, "olga", "marriage certificate seen");
    decide(propose(registered, "olga", "close"), "paula", "accept");

    assertThat(service.decideChange(change, "oscar", "accept").code())
        .isEqualTo("registration-closed");
    assertThat(service.decideChange(change, "oscar", "refuse").status()).isEqualTo(200);
    assertThat(service.propose(registered, married, "olga", "once more").code())
        .isEqualTo("registration-closed");
    assertThat(
            catchThrowable(() ->
                service
                    .database()
                    .sql(
                        "INSERT INTO person_change (id, case_id, sealed_person, birth_key, document_key, sealed_reason, proposed_by, proposed_at)"
                            + " SELECT gen_random_uuid(), case_id, sealed_person, birth_key, document_key, sealed_reason, 'olga', now()"
                            + " FROM person_change WHERE case_id::text = ?")
                    .param(registered.text("caseId"))
                    .update()))
        .hasMessageContaining("a closed registration is not changed");
    assertThat(service.file(registered, "olga").body().path("person").path("familyName").asString())
        .isEqualTo(ada.personField("familyName"));
  }

  @Test
  void onlyRegisteredPersonsHaveAStanding() {
    Answer waiting = service.submit(Submission.fresh());
    assertThat(propose(waiting, "olga", "suspend").code()).isEqualTo("not-approved");
    Answer registered = approved();
    assertThat(service.post(path(registered), "{\"kind\":\"suspend\"}", service.as("olga")).code())
        .isEqualTo("malformed-request");
    assertThat(propose(registered, "olga", "forget").code()).isEqualTo("malformed-request");
  }

  private Answer approved() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    return taken;
  }

  private Answer propose(Answer taken, String officer, String kind) {
    return service.post(path(taken), body(kind), service.as(officer));
  }

  private Answer decide(Answer file, String approver, String decision) {
    JsonNode steps = file.body().path("steps");
    return service.post(
        path(file) + "/" + steps.get(steps.size() - 1).path("stepId").asString() + "/" + decision,
        "{}",
        service.approver(approver));
  }

  private static String body(String kind) {
    return "{\"kind\":\"" + kind + "\",\"reason\":\"a court order\"}";
  }

  private static String path(Answer taken) {
    return "/admin/v1/kyc/cases/" + taken.text("caseId") + "/steps";
  }
}
