package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
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

/** A person who marries or renews her document stays the same person. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PersonChangeTest {
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
  void marriageAndANewPassportMakeNoOtherPerson() {
    Submission maiden = maiden();
    Answer registered = approved(maiden);
    byte[] tag = tag(registered);
    Submission married =
        Submission.fresh()
            .samePersonAs(maiden)
            .person("familyName", "Quillfeather")
            .person("documentNumber", number());
    Answer proposed = service.propose(registered, married, "olga", "marriage certificate seen");
    assertThat(proposed.body().path("person").path("familyName").asString())
        .as("nothing has changed yet")
        .isEqualTo("Bellquarry");
    Answer changed = service.decideChange(proposed, "oscar", "accept");
    assertThat(changed.body().path("person").path("familyName").asString())
        .isEqualTo("Quillfeather");
    assertThat(changed.body().path("documents")).hasSize(2);
    assertThat(tag(registered)).isEqualTo(tag);
    assertThat(changed.text("attestationNote"))
        .isEqualTo(service.look(registered).text("attestationNote"));

    for (Submission again :
        List.of(
            Submission.fresh().samePersonAs(maiden).person("documentNumber", number()),
            Submission.fresh().samePersonAs(married).person("documentNumber", number()),
            Submission.fresh().person("documentNumber", maiden.personField("documentNumber")),
            Submission.fresh().person("documentNumber", married.personField("documentNumber")))) {
      assertThat(service.status(service.submit(again)))
          .as(again.json())
          .isEqualTo("possible-duplicate");
    }
  }

  @Test
  void oneOfficerChangesNothing() {
    Submission maiden = maiden();
    Answer registered = approved(maiden);
    Submission married = Submission.fresh().samePersonAs(maiden).person("givenName", "Rosalind");
    Answer proposed = service.propose(registered, married, "olga", "typed wrong");
    assertThat(service.decideChange(proposed, "olga", "accept").code()).isEqualTo("same-person");
    assertThat(service.propose(registered, married, "oscar", "typed wrong").code())
        .isEqualTo("change-waits");
    for (String sql :
        List.of(
            "UPDATE person_change SET verdict = 'accepted', decided_by = ' Olga', decided_at = now() WHERE verdict IS NULL",
            "UPDATE person_change SET sealed_person = '' WHERE verdict IS NULL",
            "DELETE FROM person_change",
            "TRUNCATE person_change")) {
      assertThat(catchThrowable(() -> service.database().sql(sql).update())).as(sql).isNotNull();
    }
    service.decideChange(proposed, "olga", "refuse");
    assertThat(service.file(registered, "olga").body().path("person").path("givenName").asString())
        .isEqualTo("Tamsin");
    assertThat(service.decideChange(proposed, "oscar", "accept").code())
        .isEqualTo("decision-conflict");
  }

  @Test
  void theNewNameIsScreened() {
    Submission maiden = maiden();
    Answer registered = approved(maiden);
    Submission married = Submission.fresh().samePersonAs(maiden).person("familyName", "Listed");
    Answer proposed = service.propose(registered, married, "olga", "marriage certificate seen");
    service.sanctions.answer(503, "{}");
    assertThat(service.decideChange(proposed, "oscar", "accept").code())
        .isEqualTo("screening-pending");
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer changed = service.decideChange(proposed, "oscar", "accept");
    assertThat(changed.body().path("matches")).hasSize(1);
    assertThat(service.sanctions.requests().getLast()).contains("Tamsin Listed");
    assertThat(service.get("/admin/v1/kyc/alerts", service.as("olga")).body().toString())
        .contains(registered.text("caseId"));
  }

  @Test
  void aChangeThatMakesTwoPersonsAlikeIsReviewedByTwo() {
    Submission one = maiden();
    Answer first = approved(one);
    Submission other =
        Submission.fresh()
            .samePersonAs(one)
            .person("givenName", "Rosalind")
            .person("familyName", "Quillfeather")
            .person("documentNumber", number());
    Answer second = approved(other);
    Submission waiting =
        Submission.fresh()
            .samePersonAs(other)
            .person("givenName", "Wilhelmina")
            .person("familyName", "Okonkwo")
            .person("documentNumber", number());
    Answer undecided = service.submit(waiting);
    assertThat(service.status(undecided)).isEqualTo("pending");

    rename(second, other, one);
    assertThat(pairs()).contains(second.text("caseId") + " " + first.text("caseId"));
    assertThat(service.verdict(second, first, "olga", "duplicate", "same face").status())
        .isEqualTo(200);
    assertThat(service.verdict(second, first, "oscar", "duplicate", "same signature").status())
        .isEqualTo(200);
    assertThat(service.status(second)).isEqualTo("approved");
    assertThat(pairs())
        .as("two registrations of one person stay in the queue")
        .contains(second.text("caseId") + " " + first.text("caseId"));
    assertThat(service.file(first, "olga").body().path("events").toString())
        .contains("duplicate of " + second.text("caseId"));

    rename(second, one, waiting);
    assertThat(service.status(undecided))
        .as("an undecided case waits beside a registered person who has its details now")
        .isEqualTo("possible-duplicate");
  }

  private void rename(Answer registered, Submission from, Submission to) {
    Submission renamed =
        Submission.fresh()
            .samePersonAs(from)
            .person("givenName", to.personField("givenName"))
            .person("familyName", to.personField("familyName"));
    Answer proposed = service.propose(registered, renamed, "olga", "certificate seen");
    assertThat(service.decideChange(proposed, "oscar", "accept").status()).isEqualTo(200);
  }

  private List<String> pairs() {
    return service
        .get("/admin/v1/kyc/duplicates", service.as("olga"))
        .body()
        .path("pairs")
        .valueStream()
        .map(pair -> pair.path("caseId").asString() + " " + pair.path("otherId").asString())
        .toList();
  }

  @Test
  void onlyRegisteredPersonsChange() {
    Submission maiden = maiden();
    Answer waiting = service.submit(maiden);
    assertThat(service.propose(waiting, maiden, "olga", "why").code()).isEqualTo("not-approved");
    Answer registered = approved(maiden());
    assertThat(service.propose(registered, maiden, "olga", " ").code())
        .isEqualTo("malformed-request");
    assertThat(
            service
                .propose(registered, maiden().person("birthDate", "never"), "olga", "why")
                .code())
        .isEqualTo("malformed-request");
  }

  private Answer approved(Submission submission) {
    Answer taken = service.submit(submission);
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    return taken;
  }

  private static Submission maiden() {
    return Submission.fresh()
        .person("givenName", "Tamsin")
        .person("familyName", "Bellquarry")
        .person("documentNumber", number());
  }

  private static String number() {
    return "N" + UUID.randomUUID().toString().substring(0, 8);
  }

  private byte[] tag(Answer registered) {
    return service
        .database()
        .sql("SELECT tag FROM person p JOIN kyc_case c ON c.person_id = p.id WHERE c.id::text = ?")
        .param(registered.text("caseId"))
        .query(byte[].class)
        .single();
  }
}
