package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TwoRoles;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistrationFlowTest {
  private static final int ATTEMPTS = 200;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private static Path dir;
  private ServiceHarness service;

  @BeforeAll
  void start() throws IOException {
    service = new ServiceHarness(dir);
  }

  @AfterAll
  void stop() throws IOException {
    service.close();
  }

  @AfterEach
  void resetCheck() {
    service.failChecksWith(null);
  }

  @Test
  void theServicesRoleCanNeitherDropTriggersNorEmptyTables() {
    TwoRoles roles = service.roles;
    roles.refusesWhatOwnersDo("kyc_event", "event_seal", "kyc_case", "person_change", "screening");
    roles.refuses(
        "DELETE FROM kyc_event",
        "UPDATE kyc_event SET actor = 'nobody'",
        "DELETE FROM match_disposition",
        "DROP TRIGGER kyc_decision_is_final ON kyc_case",
        "CREATE OR REPLACE FUNCTION refuse_decision_change() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NEW; END'");
  }

  @Test
  void acceptsARegistrationAndWaitsForAnOperator() throws Exception {
    Answer taken = service.submit(Submission.fresh());
    assertThat(taken.status()).isEqualTo(202);
    assertThat(taken.text("status")).isEqualTo("pending");
    Answer seen = service.look(taken);
    assertThat(seen.status()).isEqualTo(200);
    assertThat(seen.text("caseId")).isEqualTo(taken.text("caseId"));
    assertThat(seen.text("status")).isEqualTo("pending");
    assertThat(seen.text("attestationNote")).isEmpty();
  }

  @Test
  void onlyTheTokenOpensACase() throws Exception {
    Answer mine = service.submit(Submission.fresh());
    Answer other = service.submit(Submission.fresh());
    String path = "/v1/registrations/" + mine.text("caseId");
    assertNotFound(service.get(path));
    assertNotFound(service.get(path, "X-Case-Token", "nonsense!"));
    assertNotFound(service.get(path, "X-Case-Token", other.text("accessToken")));
    assertNotFound(
        service.get(
            "/v1/registrations/" + UUID.randomUUID(), "X-Case-Token", mine.text("accessToken")));
  }

  @Test
  void aRepeatedRequestReturnsTheSameCaseEvenWithANewProof() throws Exception {
    Submission submission = Submission.fresh();
    Answer first = service.submit(submission, "same-request-key");
    Answer again = service.submit(submission.renewEvidence(), "same-request-key");
    assertThat(again.status()).isEqualTo(202);
    assertThat(again.body()).isEqualTo(first.body());
    Submission without = Submission.fresh();
    assertThat(service.submit(without).body()).isEqualTo(service.submit(without).body());
  }

  @Test
  void anIdempotencyKeyInQuotesIsTheSameKey() throws Exception {
    Submission submission = Submission.fresh();
    Answer first = service.submit(submission, "key-of-a-retry");
    assertThat(service.submit(submission, "\"key-of-a-retry\"").body()).isEqualTo(first.body());
    assertThat(service.submit(Submission.fresh(), "\"key-of-a-retry\"").code())
        .isEqualTo("idempotency-mismatch");
  }

  @Test
  void refusesAnotherBodyWithAUsedIdempotencyKey() throws Exception {
    service.submit(Submission.fresh(), "used-twice-key");
    Answer other = service.submit(Submission.fresh(), "used-twice-key");
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.code()).isEqualTo("idempotency-mismatch");
  }

  @Test
  void opensNoCaseForAFailedCheck() throws Exception {
    long before = service.count("kyc_case");
    service.failChecksWith(
        new ProtocolException(RejectionCode.PROOF_INVALID, "the proof does not verify"));
    Answer refused = service.submit(Submission.fresh());
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.code()).isEqualTo("proof-invalid");
    assertThat(service.count("kyc_case")).isEqualTo(before);
  }

  @Test
  void refusesMalformedRegistrations() throws Exception {
    for (Submission bad :
        List.of(
            Submission.fresh().person("givenName", null),
            Submission.fresh().person("givenName", " "),
            Submission.fresh().person("birthDate", "10.12.1985"),
            Submission.fresh().person("birthDate", "2999-01-01"),
            Submission.fresh().person("nationality", "Atlantis"),
            Submission.fresh().person("shoeSize", "42"),
            Submission.fresh().registration("apk", "AAAA"),
            Submission.fresh().registration("apk", "A".repeat(64)),
            Submission.fresh().registration("circuitVersion", null),
            Submission.fresh().registration("proof", "!"))) {
      Answer refused = service.submit(bad);
      assertThat(refused.status()).as(bad.json()).isEqualTo(400);
      assertThat(refused.code()).isEqualTo("malformed-request");
    }
    assertThat(service.rest().post("/v1/registrations", "{}").code())
        .isEqualTo("malformed-request");
    assertThat(service.submit(Submission.fresh(), "bad key").code()).isEqualTo("malformed-request");
  }

  @Test
  void ofTwoHundredConcurrentSpellingsOfOnePersonOneGoesOn() throws Exception {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    List<Callable<Answer>> attempts = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      Submission variant =
          Submission.fresh().person("documentNumber", Spellings.document("DOC" + unique, i));
      variant
          .person("givenName", Spellings.name("José Marie", i))
          .person("familyName", Spellings.name("O'Neill-Strauß", i));
      variant.person("nationality", i % 2 == 0 ? "IE" : "irl").person("birthDate", "1921-02-03");
      attempts.add(() -> untilTaken(variant, "attempt-" + UUID.randomUUID()));
    }
    List<Answer> answers = all(attempts);
    assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(202));
    await(
        () -> assertThat(answers).extracting(service::status).doesNotContain("pending-screening"));
    assertThat(answers)
        .filteredOn(answer -> !service.status(answer).equals("possible-duplicate"))
        .hasSize(1);
  }

  @Test
  void twoHundredConcurrentCopiesOfOneRequestOpenOneCase() throws Exception {
    Submission submission = Submission.fresh();
    List<Callable<Answer>> attempts = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      attempts.add(() -> service.submit(submission, "copied-request"));
    }
    assertThat(all(attempts))
        .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(202))
        .extracting(answer -> answer.text("caseId"))
        .containsOnly(service.submit(submission, "copied-request").text("caseId"));
  }

  @Test
  void anAddressBelongsToOneIdentity() throws Exception {
    Submission first = Submission.fresh();
    service.submit(first);
    assertConflict(service.submit(Submission.fresh().sameAddressAs(first)));
  }

  @Test
  void aNewRegistrationAfterARefusalNeedsAReview() throws Exception {
    Submission submission = Submission.fresh();
    Answer refused = service.submit(submission, "first-attempt");
    service.refuse(refused, "olga");
    assertThat(service.look(refused).text("reasonCode")).isEqualTo("document-unreadable");
    Answer again = service.submit(Submission.fresh().samePersonAs(submission), "second-attempt");
    assertThat(again.status()).isEqualTo(202);
    assertThat(service.status(again)).isEqualTo("review");
    assertThat(
            service.file(again, "olga").body().path("matches").get(0).path("reference").asString())
        .isEqualTo(refused.text("caseId"));
  }

  @Test
  void aRegistrationWithTheAddressOfARefusedOneNeedsAReview() throws Exception {
    Submission first = Submission.fresh();
    service.refuse(service.submit(first), "olga");
    Answer other = service.submit(Submission.fresh().sameAddressAs(first));
    assertThat(service.status(other)).isEqualTo("review");
  }

  @Test
  void aCorrectedRequestMayReuseTheKeyOfARefusedOne() throws Exception {
    Submission submission = Submission.fresh();
    Answer refused = service.submit(submission, "one-core-for-ever");
    service.refuse(refused, "olga");
    assertThat(service.submit(submission, "one-core-for-ever").text("caseId"))
        .as("the same request")
        .isEqualTo(refused.text("caseId"));
    Answer corrected =
        service.submit(submission.person("birthDate", "1985-12-11"), "one-core-for-ever");
    assertThat(corrected.status()).isEqualTo(202);
    assertThat(corrected.text("caseId")).isNotEqualTo(refused.text("caseId"));
    assertThat(service.submit(submission, "one-core-for-ever").body()).isEqualTo(corrected.body());
  }

  @Test
  void publishesTheAttestationKey() throws Exception {
    Answer info = service.get("/v1/registration/info");
    assertThat(info.text("networkId")).isEqualTo(ServiceHarness.NETWORK);
    assertThat(info.text("notePublicKey")).hasSize(44);
  }

  @Test
  void publishesItsApi() throws Exception {
    Answer api = service.get("/v3/api-docs");
    assertThat(api.status()).isEqualTo(200);
    assertThat(api.body().path("paths").propertyNames())
        .containsExactlyInAnyOrder(
            "/v1/registration/info",
            "/v1/registrations",
            "/v1/registrations/{caseId}",
            "/v1/registrations/{caseId}/tokens",
            "/v1/tokens/keys",
            "/admin/v1/kyc/cases",
            "/admin/v1/kyc/cases/{caseId}",
            "/admin/v1/kyc/cases/{caseId}/approve",
            "/admin/v1/kyc/cases/{caseId}/refuse",
            "/admin/v1/kyc/cases/{caseId}/export",
            "/admin/v1/kyc/cases/{caseId}/duplicates",
            "/admin/v1/kyc/cases/{caseId}/duplicates/{otherId}",
            "/admin/v1/kyc/cases/{caseId}/dispositions",
            "/admin/v1/kyc/cases/{caseId}/changes",
            "/admin/v1/kyc/cases/{caseId}/changes/{changeId}/accept",
            "/admin/v1/kyc/cases/{caseId}/changes/{changeId}/refuse",
            "/admin/v1/kyc/alerts",
            "/admin/v1/kyc/queues",
            "/admin/v1/kyc/confirmations",
            "/admin/v1/kyc/cases/{caseId}/dispositions/confirm",
            "/admin/v1/kyc/duplicates",
            "/admin/v1/kyc/search",
            "/admin/v1/kyc/cases/{caseId}/claim",
            "/admin/v1/kyc/cases/{caseId}/release",
            "/admin/v1/kyc/steps",
            "/admin/v1/kyc/cases/{caseId}/steps",
            "/admin/v1/kyc/cases/{caseId}/steps/{stepId}/accept",
            "/admin/v1/kyc/cases/{caseId}/steps/{stepId}/refuse",
            "/admin/v1/registration/events",
            "/admin/v1/registration/events/download",
            "/admin/v1/registration/events/sealed",
            "/admin/v1/registration/events/notes");
    assertThat(api.body().path("components").path("securitySchemes").propertyNames())
        .containsExactlyInAnyOrder("bearer", "caseToken");
    assertThat(service.rest().get("/swagger-ui/index.html").status()).isEqualTo(200);
  }

  @Test
  void answersHealthProbesAndExportsMetrics() {
    assertThat(service.get("/actuator/health/readiness").text("status")).isEqualTo("UP");
    assertThat(service.get("/actuator/health/liveness").text("status")).isEqualTo("UP");
    assertThat(service.rest().get("/actuator/prometheus").body())
        .contains("solidus_registration_screening_waiting");
  }

  private static List<Answer> all(List<Callable<Answer>> attempts) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> futures = attempts.stream().map(threads::submit).toList();
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> future : futures) {
        answers.add(future.get());
      }
      return answers;
    }
  }

  /** Repeats a request that the service is too busy for, as wallets do. */
  private Answer untilTaken(Submission submission, String key) {
    Answer answer = service.submit(submission, key);
    while (answer.body().path("retryable").asBoolean(false)) {
      answer = service.submit(submission, key);
    }
    return answer;
  }

  /** Screening goes on after the answer when many come at once. */
  private static void await(Runnable assertion) throws InterruptedException {
    Instant end = Instant.now().plus(LIMIT);
    while (true) {
      try {
        assertion.run();
        return;
      } catch (AssertionError e) {
        if (Instant.now().isAfter(end)) {
          throw e;
        }
        Thread.sleep(50);
      }
    }
  }

  private static void assertConflict(Answer answer) {
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.code()).isEqualTo("already-registered");
  }

  private static void assertNotFound(Answer answer) {
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.code()).isEqualTo("not-found");
  }
}
