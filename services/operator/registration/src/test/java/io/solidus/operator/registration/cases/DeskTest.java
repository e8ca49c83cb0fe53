package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Officers claim cases and find them. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeskTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

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
  void twoOfficersDoNotDecideOneCase() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("pending");
    Answer claimed = claim(taken, "olga", "{}");
    assertThat(claimed.body().path("claim").path("officer").asString()).isEqualTo("olga");
    assertThat(claim(taken, "olga", "{}").status()).as("renewed").isEqualTo(200);
    assertThat(claim(taken, "oscar", "{}").code()).isEqualTo("claimed");
    assertThat(service.approve(taken, "oscar", "{}").code()).isEqualTo("claimed");
    assertThat(service.refuse(taken, "oscar").code()).isEqualTo("claimed");
    assertThat(service.post(path(taken, "release"), "{}", service.as("oscar")).code())
        .isEqualTo("claimed");

    Answer over = claim(taken, "oscar", "{\"takeOver\":true}");
    assertThat(over.body().path("events").toString()).contains("claimed, taken over from olga");
    assertThat(service.approve(taken, "olga", "{}").code()).isEqualTo("claimed");
    assertThat(service.post(path(taken, "release"), "{}", service.as("oscar")).status())
        .isEqualTo(200);
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
  }

  @Test
  void whoGivesBackWhatNobodyClaimedHasReadTheFile() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("pending");
    Answer file = service.post(path(taken, "release"), "{}", service.as("oscar"));
    assertThat(file.status()).isEqualTo(200);
    assertThat(file.body().path("events").valueStream())
        .anySatisfy(event -> {
          assertThat(event.path("actor").asString()).isEqualTo("oscar");
          assertThat(event.path("action").asString()).isEqualTo("viewed");
        });
  }

  @Test
  void aClaimExpires() {
    Answer taken = service.submit(Submission.fresh());
    assertThat(service.status(taken)).isEqualTo("pending");
    claim(taken, "olga", "{}");
    service
        .database()
        .sql("UPDATE case_claim SET until = now() WHERE case_id::text = ?")
        .param(taken.text("caseId"))
        .update();
    assertThat(service.file(taken, "oscar").body().path("claim").isNull()).isTrue();
    assertThat(service.approve(taken, "oscar", "{}").text("status")).isEqualTo("approved");
  }

  @Test
  void casesAreFoundByWhatAnOfficerKnows() {
    Submission ada =
        Submission.fresh()
            .person("givenName", "Philippa")
            .person("familyName", "Thistlewood")
            .person("birthDate", "1948-11-23")
            .person("documentNumber", "DESK-77");
    Answer taken = service.submit(ada);
    service.submit(Submission.fresh().person("birthDate", "1948-11-23"));
    String apk = service.file(taken, "olga").text("apk");
    List<Map<String, Object>> queries =
        List.of(
            Map.of("caseId", taken.text("caseId")),
            Map.of("address", apk),
            Map.of("documentNumber", "desk 77", "nationality", "GBR"),
            Map.of("name", "Phillipa Thistlewood", "birthDate", "1948-11-23"),
            Map.of("name", "thistlewood"));
    for (Map<String, Object> query : queries) {
      assertThat(search(query)).as(query.toString()).containsExactly(taken.text("caseId"));
    }
    assertThat(service.file(taken, "otto").body().path("events").toString())
        .contains("\"nosy\",\"action\":\"listed\"");
    service.approve(taken, "olga", "{}");
    assertThat(search(Map.of("name", "thistlewood")))
        .as("of registered persons one has to know the birth date")
        .isEmpty();
    assertThat(search(Map.of("name", "thistlewood", "birthDate", "1948-11-23")))
        .containsExactly(taken.text("caseId"));

    claim(taken, "NOSY", "{}");
    assertThat(search(Map.of("mine", true))).containsExactly(taken.text("caseId"));
    assertThat(search(Map.of("caseId", UUID.randomUUID().toString()))).isEmpty();
  }

  @Test
  void aSearchHasOneCriterion() {
    List<Map<String, Object>> bad =
        List.of(
            Map.of(),
            Map.of("name", " "),
            Map.of("name", "x", "mine", true),
            Map.of("address", "zz"),
            Map.of("documentNumber", "X1"),
            Map.of("documentNumber", "X1", "nationality", "XXX"),
            Map.of("name", "123"),
            Map.of("name", "x", "birthDate", "never"));
    for (Map<String, Object> query : bad) {
      Answer answer =
          service.post("/admin/v1/kyc/search", JSON.writeValueAsString(query), service.as("nosy"));
      assertThat(answer.code()).as(query.toString()).isEqualTo("malformed-request");
    }
  }

  private List<String> search(Map<String, Object> query) {
    return service
        .post("/admin/v1/kyc/search", JSON.writeValueAsString(query), service.as("nosy"))
        .body()
        .path("cases")
        .valueStream()
        .map(found -> found.path("caseId").asString())
        .toList();
  }

  private Answer claim(Answer taken, String officer, String body) {
    return service.post(path(taken, "claim"), body, service.as(officer));
  }

  private static String path(Answer taken, String action) {
    return "/admin/v1/kyc/cases/" + taken.text("caseId") + "/" + action;
  }
}
