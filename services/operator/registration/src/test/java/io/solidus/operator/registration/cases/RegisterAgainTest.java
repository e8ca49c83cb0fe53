package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SignedNote;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Who lost her phrase registers again; nobody has two registrations that count. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegisterAgainTest {
  private static final NetworkId NETWORK = new NetworkId(ServiceHarness.NETWORK);
  private static final String AGAIN = "registers-again";

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

  @Test
  void whoLostHerPhraseRegistersAgainWithAnotherTag() {
    Submission ada = Submission.fresh();
    Answer first = approved(ada);
    Answer second = service.submit(again(ada));
    assertThat(service.status(second)).isEqualTo("possible-duplicate");
    close(first, "phrase-lost");
    two(second, first);
    assertThat(service.status(second)).isEqualTo("pending");
    replaced(first, true, true);
    assertThat(service.approve(second, "olga", "{}").text("status")).isEqualTo("approved");

    assertThat(tag(second)).isNotEqualTo(tag(first));
    Answer file = service.file(second, "olga");
    assertThat(file.text("personId")).isEqualTo(service.file(first, "olga").text("personId"));
    assertThat(file.body().path("registrations").asInt()).isEqualTo(2);
    assertThat(file.body().path("events").toString()).contains("approved, registers again");
    assertThat(service.file(first, "olga").body().path("events").toString())
        .contains("close (phrase-lost) accepted", "registers again in " + second.text("caseId"));

    Answer third = service.submit(again(ada).person("documentNumber", number()));
    assertThat(verdict(third, first, "olga").status()).isEqualTo(200);
    assertThat(verdict(third, first, "oscar").status()).isEqualTo(200);
    assertThat(service.status(third)).as("the second is open").isEqualTo("possible-duplicate");
    assertThat(verdict(third, second, "olga").code()).isEqualTo("phrase-not-lost");
    assertThat(service.approve(third, "olga", "{}").code()).isEqualTo("possible-duplicate");
    close(second, "phrase-lost");
    two(third, second);
    assertThat(service.approve(third, "olga", "{}").code())
        .as("the first address is not the one")
        .isEqualTo("address-not-replaced");
    replaced(second, true, true);
    assertThat(service.approve(third, "olga", "{}").text("status")).isEqualTo("approved");
    assertThat(List.of(tag(first), tag(second), tag(third))).doesNotHaveDuplicates();
    assertThat(service.file(third, "olga").body().path("registrations").asInt()).isEqualTo(3);
  }

  @Test
  void theEarlierAddressIsGoneFirst() {
    Submission ada = Submission.fresh();
    Answer first = approved(ada);
    close(first, "phrase-lost");
    Answer second = service.submit(again(ada));
    two(second, first);
    long attested = service.count("outbox");
    service.sanctions.replaced("none", false, false);
    assertThat(service.approve(second, "olga", "{}").code()).isEqualTo("address-not-replaced");
    replaced(first, false, false);
    assertThat(service.approve(second, "olga", "{}").code()).isEqualTo("address-unpublished");
    replaced(first, true, false);
    assertThat(service.approve(second, "olga", "{}").code()).isEqualTo("address-in-period");
    assertThat(service.count("outbox")).isEqualTo(attested);
    assertThat(service.status(second)).isEqualTo("pending");
    replaced(first, true, true);
    assertThat(service.approve(second, "olga", "{}").text("status")).isEqualTo("approved");
  }

  @Test
  void theFirstOfTwoApprovalsOfAnOrganisationAsksForTheAddressToo() {
    String reason = "{\"reason\":\"the register says so\"}";
    Submission body = Submission.organisation();
    Answer first = service.submit(body);
    service.approve(first, "olga", reason);
    assertThat(service.approve(first, "oscar", reason).text("status")).isEqualTo("approved");
    close(first, "phrase-lost");
    Answer second = service.submit(Submission.organisation().sameOrganisationAs(body));
    assertThat(service.status(second)).isEqualTo("possible-duplicate");
    two(second, first);
    service.sanctions.replaced("none", false, false);
    assertThat(service.approve(second, "olga", reason).code()).isEqualTo("address-not-replaced");
    assertThat(service.file(second, "olga").body().path("approvals")).isEmpty();
    replaced(first, true, true);
    service.approve(second, "olga", reason);
    assertThat(service.approve(second, "oscar", reason).text("status")).isEqualTo("approved");
  }

  @Test
  void nobodyRegistersAgainBesideAnOpenRegistration() {
    Submission ada = Submission.fresh();
    Answer first = approved(ada);
    replaced(first, true, true);
    Answer second = service.submit(again(ada).person("documentNumber", number()));
    assertThat(verdict(second, first, "olga").code()).as("open").isEqualTo("phrase-not-lost");
    close(first, null);
    assertThat(verdict(second, first, "olga").code())
        .as("closed for another reason")
        .isEqualTo("phrase-not-lost");
    assertThat(verdict(second, first, "olga", "duplicate").status()).isEqualTo(200);
    assertThat(service.approve(second, "olga", "{}").code()).isEqualTo("possible-duplicate");
  }

  @Test
  void oneOfficerAndOneApproverAreNotTwo() {
    Submission ada = Submission.fresh();
    Answer first = approved(ada);
    Answer second = service.submit(again(ada));
    Answer proposed = propose(first, "phrase-lost");
    assertThat(verdict(second, first, "olga").code()).isEqualTo("phrase-not-lost");
    assertThat(service.post(step(proposed) + "/accept", "{}", service.approver("Olga")).code())
        .isEqualTo("same-person");
    assertThat(service.post(step(proposed) + "/accept", "{}", service.approver("paula")).status())
        .isEqualTo(200);
    verdict(second, first, "olga");
    verdict(second, first, "OLGA");
    assertThat(service.status(second)).isEqualTo("possible-duplicate");
    Answer other = approved(Submission.fresh());
    for (String body :
        List.of(
            "{\"kind\":\"suspend\",\"reason\":\"x\",\"cause\":\"phrase-lost\"}",
            "{\"kind\":\"close\",\"reason\":\"x\",\"cause\":\"bored\"}")) {
      assertThat(service.post(steps(other), body, service.as("olga")).code())
          .isEqualTo("malformed-request");
    }
  }

  @Test
  void twoSubmissionsOfOnePersonMakeOneRegistration() throws Exception {
    Submission ada = Submission.fresh();
    Answer first = approved(ada);
    close(first, "phrase-lost");
    replaced(first, true, true);
    // neither the name nor the document of the other
    Answer one = service.submit(again(ada).person("documentNumber", number()));
    Answer other =
        service.submit(
            Submission.fresh()
                .person("givenName", "Wilhelmina")
                .person("familyName", "Okonkwo")
                .person("documentNumber", ada.personField("documentNumber")));
    two(one, first);
    two(other, first);
    assertThat(service.status(one)).isEqualTo("pending");
    assertThat(service.status(other)).isEqualTo("pending");
    List<Callable<Answer>> approvals = new ArrayList<>();
    for (Answer each : List.of(one, other, one, other)) {
      approvals.add(() -> service.approve(each, "olga", "{}"));
    }
    List<String> codes = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Answer> approval : threads.invokeAll(approvals)) {
        codes.add(approval.get().code());
      }
    }
    assertThat(codes).containsOnly("", "phrase-not-lost").contains("phrase-not-lost");
    assertThat(List.of(service.status(one), service.status(other)))
        .containsExactlyInAnyOrder("approved", "pending");
  }

  @Test
  void theDatabaseRefusesASecondRegistrationToo() {
    Submission ada = Submission.fresh();
    Answer first = approved(ada);
    Answer second = service.submit(again(ada));
    service.status(second);
    String give =
        "UPDATE kyc_case SET person_id = (SELECT person_id FROM kyc_case WHERE id::text = '"
            + first.text("caseId")
            + "') WHERE id::text = '"
            + second.text("caseId")
            + "'";
    assertThat(service.database().sql(give).update()).isEqualTo(1);
    String approve =
        "UPDATE kyc_case SET status = 'approved', generation = %d, decided_by = 'olga', decided_at = now(),"
            + " attestation_note = 'x' WHERE id::text = '"
            + second.text("caseId")
            + "'";
    for (String sql :
        List.of(
            approve.formatted(1),
            approve.formatted(2),
            "UPDATE possible_duplicate SET verdict = 'registers-again', decided_at = now() WHERE verdict IS NULL",
            "UPDATE standing_step SET cause = 'phrase-lost'",
            "UPDATE kyc_case SET generation = 7 WHERE status = 'approved'",
            "INSERT INTO standing_step (id, case_id, kind, cause, sealed_reason, proposed_by, proposed_at, verdict, decided_by, decided_at)"
                + " SELECT gen_random_uuid(), id, 'close', 'phrase-lost', '', 'olga', now(), 'accepted', 'OLGA', now() FROM kyc_case"
                + " WHERE id::text = '"
                + first.text("caseId")
                + "'")) {
      Throwable refused =
          catchThrowable(() -> {
            if (service.database().sql(sql).update() == 0) {
              throw new IllegalStateException("nothing to change");
            }
          });
      assertThat(refused).as(sql).isNotNull();
    }
    close(first, "phrase-lost");
    assertThat(catchThrowable(() -> service.database().sql(approve.formatted(2)).update()))
        .as("without the verdict of two")
        .hasMessageContaining("two people first decide");
    two(second, first);
    assertThat(catchThrowable(() -> service.database().sql(approve.formatted(1)).update()))
        .as("in the place of the first")
        .hasMessageContaining("registered already");
  }

  private static Submission again(Submission person) {
    return Submission.fresh().samePersonAs(person);
  }

  private static String number() {
    return "N" + UUID.randomUUID().toString().substring(0, 8);
  }

  private Answer approved(Submission submission) {
    Answer taken = service.submit(submission);
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    return taken;
  }

  private void close(Answer taken, @Nullable String cause) {
    Answer closed =
        service.post(step(propose(taken, cause)) + "/accept", "{}", service.approver("paula"));
    assertThat(closed.text("standing")).isEqualTo("closed");
  }

  private Answer propose(Answer taken, @Nullable String cause) {
    String end = cause == null ? "}" : ",\"cause\":\"" + cause + "\"}";
    return service.post(
        steps(taken),
        "{\"kind\":\"close\",\"reason\":\"she came in person\"" + end,
        service.as("olga"));
  }

  private static String steps(Answer taken) {
    return "/admin/v1/kyc/cases/" + taken.text("caseId") + "/steps";
  }

  private static String step(Answer file) {
    JsonNode all = file.body().path("steps");
    return steps(file) + "/" + all.get(all.size() - 1).path("stepId").asString();
  }

  private void two(Answer later, Answer earlier) {
    for (String officer : List.of("olga", "oscar")) {
      Answer given = verdict(later, earlier, officer);
      assertThat(given.status()).as(given.body().toString()).isEqualTo(200);
    }
  }

  private Answer verdict(Answer later, Answer earlier, String officer) {
    return verdict(later, earlier, officer, AGAIN);
  }

  private Answer verdict(Answer later, Answer earlier, String officer, String verdict) {
    return service.verdict(later, earlier, officer, verdict, "the same face");
  }

  private void replaced(Answer taken, boolean published, boolean laterPeriod) {
    service.sanctions.replaced(service.file(taken, "olga").text("apk"), published, laterPeriod);
  }

  private Digest32 tag(Answer taken) {
    String note = service.look(taken).text("attestationNote");
    return Attestation.parse(NETWORK, SignedNote.parse(note).text()).personTag();
  }
}
