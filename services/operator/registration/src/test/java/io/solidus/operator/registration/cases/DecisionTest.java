package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.platform.outbox.Events;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteKey;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.EventEnvelope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
import tools.jackson.databind.JsonNode;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DecisionTest {
  private static final NetworkId NETWORK = new NetworkId(ServiceHarness.NETWORK);

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
  void queuesAreCountedWithoutNames() {
    Answer taken = service.submit(Submission.fresh());
    Answer queues = service.get("/admin/v1/kyc/queues", service.as("olga"));
    assertThat(queues.status()).isEqualTo(200);
    assertThat(queues.body().path("queues").findValuesAsString("status")).contains("pending");
    assertThat(queues.body().path("queues").path(0).path("count").asLong()).isPositive();
    assertThat(queues.body().path("queues").path(0).path("oldest").isString()).isTrue();
    assertThat(queues.body().toString()).doesNotContain("givenName");
    assertThat(service.file(taken, "olga").body().path("events").toString())
        .doesNotContain("listed");
  }

  @Test
  void approvalSignsAnAttestationOfThisRegistration() {
    Answer taken = service.submit(Submission.fresh());
    Answer approved = service.approve(taken, "olga", "{}");
    assertThat(approved.status()).isEqualTo(200);
    assertThat(approved.text("decidedBy")).isEqualTo("olga");

    Answer seen = service.look(taken);
    assertThat(seen.text("status")).isEqualTo("approved");
    Attestation attestation = verified(seen.text("attestationNote"));
    Answer file = service.file(taken, "olga");
    assertThat(attestation.registerCore().hex()).isEqualTo(file.text("core"));
    assertThat(attestation.apk().hex()).isEqualTo(file.text("apk"));
  }

  @Test
  void approvalWritesTheEventForTheIssuers() throws Exception {
    Answer taken = service.submit(Submission.fresh());
    service.approve(taken, "olga", "");
    String core = service.file(taken, "olga").text("core");
    byte[] payload =
        service
            .database()
            .sql(
                "SELECT payload FROM outbox WHERE topic = 'kyc.attestations' AND"
                    + " encode(message_key, 'hex') = ?")
            .param(core)
            .query(byte[].class)
            .single();
    EventEnvelope event = Events.parse(payload);
    assertThat(event.getKycAttested().getAttestationNote())
        .isEqualTo(service.look(taken).text("attestationNote"));
    assertThat(Codecs.toDomain(event.getKycAttested().getRequest()).statement().core(NETWORK).hex())
        .isEqualTo(core);
  }

  @Test
  void aRepeatedApprovalChangesNothing() {
    Answer taken = service.submit(Submission.fresh());
    service.approve(taken, "olga", "{}");
    String note = service.look(taken).text("attestationNote");
    long events = service.count("outbox");
    Answer again = service.approve(taken, "oscar", "{}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text("decidedBy")).isEqualTo("olga");
    assertThat(service.look(taken).text("attestationNote")).isEqualTo(note);
    assertThat(service.count("outbox")).isEqualTo(events);
  }

  @Test
  void whoRepeatsADecisionToReadANameIsRecorded() {
    Answer approved = service.submit(Submission.fresh());
    service.approve(approved, "olga", "{}");
    Answer refused = service.submit(Submission.fresh());
    service.refuse(refused, "olga");
    assertThat(service.approve(approved, "nosy", "{}").text("givenName")).isNotEmpty();
    assertThat(service.refuse(refused, "nosy").text("givenName")).isNotEmpty();
    for (Answer each : List.of(approved, refused)) {
      assertThat(service.file(each, "olga").body().path("events").toString())
          .contains("\"actor\":\"nosy\",\"action\":\"listed\"");
    }
  }

  @Test
  void concurrentApprovalsAttestOnce() throws Exception {
    Answer taken = service.submit(Submission.fresh());
    long before = service.count("outbox");
    List<Future<Answer>> approvals = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 30; i++) {
        String operator = "operator-" + i;
        approvals.add(threads.submit(() -> service.approve(taken, operator, "{}")));
      }
    }
    Set<String> deciders = new HashSet<>();
    for (Future<Answer> approval : approvals) {
      assertThat(approval.get().status()).isEqualTo(200);
      deciders.add(approval.get().text("decidedBy"));
    }
    assertThat(deciders).hasSize(1);
    assertThat(service.count("outbox")).isEqualTo(before + 1);
  }

  @Test
  void theOppositeDecisionIsAConflict() {
    Answer approved = service.submit(Submission.fresh());
    service.approve(approved, "olga", "{}");
    assertConflict(service.refuse(approved, "oscar"), "decision-conflict");
    Answer refused = service.submit(Submission.fresh());
    assertThat(service.refuse(refused, "olga").status()).isEqualTo(200);
    assertThat(service.refuse(refused, "oscar").text("decidedBy")).isEqualTo("olga");
    assertConflict(service.approve(refused, "oscar", "{}"), "decision-conflict");
    assertThat(service.look(refused).text("status")).isEqualTo("refused");
  }

  @Test
  void theDatabaseRefusesToChangeDecisionsAndEvents() {
    Answer taken = service.submit(Submission.fresh());
    service.approve(taken, "olga", "{}");
    String id = taken.text("caseId");
    for (String change :
        List.of(
            "UPDATE kyc_case SET status = 'refused', attestation_note = NULL WHERE id::text = '"
                + id
                + "'",
            "UPDATE kyc_case SET attestation_note = 'another' WHERE id::text = '" + id + "'",
            "UPDATE kyc_event SET actor = 'oscar' WHERE case_id::text = '" + id + "'",
            "DELETE FROM kyc_event WHERE case_id::text = '" + id + "'")) {
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(
                  () -> service.database().sql(change).update()))
          .as(change)
          .hasMessageContaining("never changed");
    }
  }

  @Test
  void aMatchNeedsADispositionAndAReason() {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("review");
    Answer file = service.file(taken, "olga");
    assertThat(file.body().path("matches").get(0).path("reference").asString())
        .isEqualTo("QDi.001");

    assertThat(service.approve(taken, "olga", "{\"reason\":\"it is not she\"}").code())
        .isEqualTo("matches-open");
    assertThat(service.dispose(taken, "olga", "false-positive").status()).isEqualTo(200);
    assertThat(service.approve(taken, "olga", "{\"reason\":\"it is not she\"}").code())
        .as("one officer alone")
        .isEqualTo("matches-open");
    assertThat(service.confirm(taken, "paula", "false-positive").status()).isEqualTo(200);
    assertThat(service.approve(taken, "olga", "{}").code()).isEqualTo("malformed-request");
    assertThat(service.approve(taken, "olga", "{\"reason\":\"  \"}").code())
        .isEqualTo("malformed-request");
    Answer approved = service.approve(taken, "olga", "{\"reason\":\"born in another year\"}");
    assertThat(approved.text("status")).isEqualTo("approved");
    assertThat(service.file(taken, "olga").text("reason")).isEqualTo("born in another year");
    assertThat(service.look(taken).text("reason"))
        .as("an approval's reason is for operators")
        .isEmpty();
  }

  @Test
  void nobodyDisposesOfAMatchAlone() {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("review");
    assertThat(service.confirm(taken, "paula", "false-positive").code())
        .isEqualTo("nothing-to-confirm");
    service.dispose(taken, "olga", "false-positive");
    assertThat(service.confirm(taken, "olga", "false-positive").code()).isEqualTo("same-person");
    assertThat(
            service.get("/admin/v1/kyc/confirmations", service.approver("paula")).body().toString())
        .contains(taken.text("caseId"));
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(() ->
                service
                    .database()
                    .sql(
                        "INSERT INTO disposition_confirmation (disposition, officer, sealed_reason, at)"
                            + " SELECT sequence, ' Olga', '', now() FROM match_disposition WHERE case_id::text = ?")
                    .param(taken.text("caseId"))
                    .update()))
        .hasMessageContaining("another person");

    assertThat(service.confirm(taken, "paula", "true-match").status()).isEqualTo(200);
    assertThat(service.approve(taken, "olga", "{\"reason\":\"it is not she\"}").code())
        .isEqualTo("matches-open");
    service.dispose(taken, "olga", "false-positive");
    Answer confirmed = service.confirm(taken, "paula", "false-positive");
    JsonNode match = confirmed.body().path("matches").get(0);
    assertThat(match.path("open").asBoolean(true)).isFalse();
    assertThat(match.path("disposition").path("confirmedBy").asString()).isEqualTo("paula");
    assertThat(service.confirm(taken, "otto", "false-positive").code())
        .isEqualTo("nothing-to-confirm");
    assertThat(service.approve(taken, "olga", "{\"reason\":\"two looked\"}").text("status"))
        .isEqualTo("approved");
  }

  @Test
  void aBankMayLetOneOfficerDisposeOfMatches(@TempDir Path own) throws IOException {
    try (ServiceHarness small =
        new ServiceHarness(own, "--solidus.registration.screening.second-word=false")) {
      small.sanctions.answer(200, FakeSanctions.ONE_MATCH);
      Answer taken = small.submit(Submission.fresh());
      assertThat(small.status(taken)).isEqualTo("review");
      small.dispose(taken, "olga", "false-positive");
      assertThat(small.approve(taken, "olga", "{\"reason\":\"not she\"}").text("status"))
          .isEqualTo("approved");
    }
  }

  @Test
  void aRefusalNeedsACodeAndAReason() {
    Answer taken = service.submit(Submission.fresh());
    for (String body :
        List.of(
            "{}",
            "{\"code\":\"come-to-the-bank\"}",
            "{\"reason\":\"cut off\"}",
            "{\"code\":\"listed\",\"reason\":\"cut off\"}",
            "{\"code\":\"come-to-the-bank\",\"reason\":\"" + "x".repeat(1001) + "\"}")) {
      assertThat(service.refuse(taken, "olga", body).code())
          .as(body)
          .isEqualTo("malformed-request");
    }
  }

  @Test
  void anApplicantReadsNothingThatStaffWrote() {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer matched = service.submit(Submission.fresh());
    service.sanctions.answer(200, FakeSanctions.NO_MATCH);
    Answer clean = service.submit(Submission.fresh());
    assertThat(service.status(matched)).isEqualTo("review");
    for (Answer waiting : List.of(matched, clean)) {
      assertThat(waiting.text("status")).as("a match would show").isEqualTo("pending");
      assertThat(service.look(waiting).text("status")).isEqualTo("pending");
    }

    String suspicion = "SAR filed 2026-11, ML suspicion, do not disclose";
    service.refuse(
        matched, "olga", "{\"code\":\"come-to-the-bank\",\"reason\":\"" + suspicion + "\"}");
    Answer seen = service.look(matched);
    assertThat(seen.text("reasonCode")).isEqualTo("come-to-the-bank");
    assertThat(seen.text("reason")).isEqualTo(RefusalCode.COME_TO_THE_BANK.text());
    assertThat(seen.body().toString()).doesNotContain("SAR", "suspicion");
    Answer file = service.file(matched, "olga");
    assertThat(file.text("reason")).isEqualTo(suspicion);
    assertThat(file.text("refusalCode")).isEqualTo("come-to-the-bank");
  }

  @Test
  void viewsOfACaseAreRecorded() {
    Answer taken = service.submit(Submission.fresh());
    service.file(taken, "olga");
    service.approve(taken, "oscar", "{}");
    List<String> trace = new ArrayList<>();
    service
        .file(taken, "otto")
        .body()
        .path("events")
        .forEach(event ->
            trace.add(event.path("actor").asString() + " " + event.path("action").asString()));
    assertThat(trace)
        .containsExactly(
            "wallet submitted",
            "screening screened without a match",
            "olga viewed",
            "oscar approved",
            "otto viewed");
  }

  @Test
  void whoReadsAListOfNamesLeavesATrace() {
    Answer taken = service.submit(Submission.fresh());
    for (int i = 0; i < 2; i++) {
      service.get("/admin/v1/kyc/cases?limit=200", service.as("nosy"));
    }
    assertThat(service.file(taken, "otto").body().path("events").toString())
        .contains("\"nosy\",\"action\":\"listed\"");
  }

  @Test
  void pagesThroughTheCasesInOrder() {
    for (int i = 0; i < 7; i++) {
      service.submit(Submission.fresh());
    }
    List<String> expected =
        service
            .database()
            .sql("SELECT id::text FROM kyc_case ORDER BY created_at, id")
            .query(String.class)
            .list();
    assertThat(all("")).isEqualTo(expected);
    assertThat(all("&sort=oldest")).isEqualTo(expected);
    assertThat(all("&sort=newest")).isEqualTo(expected.reversed());
    Answer refused = service.get("/admin/v1/kyc/cases?status=refused", service.as("olga"));
    refused
        .body()
        .path("cases")
        .forEach(found -> assertThat(found.path("status").asString()).isEqualTo("refused"));
    for (String bad :
        List.of("status=unknown", "cursor=abc", "limit=0", "limit=201", "limit=x", "sort=name")) {
      assertThat(service.get("/admin/v1/kyc/cases?" + bad, service.as("olga")).code())
          .isEqualTo("malformed-request");
    }
  }

  private List<String> all(String sort) {
    List<String> all = new ArrayList<>();
    String cursor = "";
    do {
      Answer page = service.get("/admin/v1/kyc/cases?limit=3" + sort + cursor, service.as("olga"));
      page.body()
          .path("cases")
          .forEach(found -> {
            assertThat(found.path("createdAt").asString()).isNotEmpty();
            all.add(found.path("caseId").asString());
          });
      cursor = page.text("next").isEmpty() ? "" : "&cursor=" + page.text("next");
    } while (!cursor.isEmpty());
    return all;
  }

  private Attestation verified(String note) {
    Ed25519PublicKey key =
        Ed25519PublicKey.fromBase64(service.get("/v1/registration/info").text("notePublicKey"));
    SignedNote signed =
        SignedNote.parse(note).requireSignedBy(new NoteKey(NoteTrust.REGISTRATION, key));
    return Attestation.parse(NETWORK, signed.text());
  }

  private static void assertConflict(Answer answer, String code) {
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.code()).isEqualTo(code);
  }
}
