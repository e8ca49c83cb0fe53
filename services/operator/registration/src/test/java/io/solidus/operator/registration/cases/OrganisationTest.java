package io.solidus.operator.registration.cases;

import static io.solidus.operator.registration.cases.Submission.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.dev.processes.Await;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Companies register, and somebody tries to hide an owner, to come twice, or to decide alone. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrganisationTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String REASON = "{\"reason\":\"extract of the register seen\"}";

  @TempDir private static Path dir;
  private ServiceHarness service;

  @BeforeAll
  void start() throws IOException {
    service =
        new ServiceHarness(
            dir,
            "--solidus.banks.known[0].id=first",
            "--solidus.banks.known[0].name=First Bank",
            "--solidus.banks.known[1].id=second",
            "--solidus.banks.known[1].name=Second Bank");
  }

  @AfterEach
  void unlist() {
    service.sanctions.list("");
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  void anOrganisationRegistersWithItsOwners() {
    Submission body = organisation().organisation("lei", "5493001kjtiigc8y1r12");
    Answer taken = service.submit(body);
    assertThat(taken.status()).isEqualTo(202);
    assertThat(taken.text("status")).isEqualTo("pending");
    assertThat(service.submit(body).text("caseId"))
        .as("a repeated request finds its case")
        .isEqualTo(taken.text("caseId"));
    assertThat(service.status(taken)).isEqualTo("pending");

    JsonNode file = service.file(taken, "olga").body();
    assertThat(file.path("kind").asString()).isEqualTo("organisation");
    assertThat(file.path("person").isNull()).isTrue();
    JsonNode shown = file.path("organisation");
    assertThat(shown.path("legalName").asString()).isEqualTo(body.organisationField("legalName"));
    assertThat(shown.path("lei").asString()).isEqualTo("5493001KJTIIGC8Y1R12");
    assertThat(shown.path("people")).hasSize(2);
    assertThat(shown.path("people").get(0).path("sharePercent").asDouble()).isEqualTo(60);
    assertThat(shown.path("people").get(1).path("representative").asBoolean()).isTrue();
    assertThat(file.path("documents").get(0).asString())
        .isEqualTo(body.organisationField("registrationNumber"));

    JsonNode listed =
        service
            .post(
                "/admin/v1/kyc/search",
                JSON.writeValueAsString(Map.of("caseId", taken.text("caseId"))),
                service.as("olga"))
            .body()
            .path("cases")
            .get(0);
    assertThat(listed.path("kind").asString()).isEqualTo("organisation");
    assertThat(listed.path("name").asString()).isEqualTo(body.organisationField("legalName"));
    assertThat(listed.path("givenName").isNull()).isTrue();
  }

  @Test
  void aRegistrationHasAPersonOrAnOrganisation() {
    String person = Submission.fresh().at("first").json();
    String both =
        person.replaceFirst(
            "\\{",
            "{\"organisation\":"
                + JSON.writeValueAsString(organisation().organisationJson())
                + ",");
    String neither = person.replace("\"person\"", "\"nobody\"");
    for (String json : List.of(both, neither)) {
      Answer answer = service.post("/v1/registrations", json);
      assertThat(answer.status()).as(json).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("malformed-request");
    }
  }

  @Test
  void whatIsNoOrganisationIsRefused() {
    Map<String, @Nullable Object> owner = member(Submission.fresh(), 30, true);
    Submission twice = Submission.fresh();
    List<Submission> bad =
        List.of(
            organisation().organisation("people", List.of()),
            organisation().organisation("people", null),
            organisation().organisation("people", "nobody"),
            organisation()
                .organisation(
                    "people",
                    List.of(
                        member(Submission.fresh(), 70, true),
                        member(Submission.fresh(), 60, false))),
            organisation().organisation("people", List.of(member(Submission.fresh(), 130, true))),
            organisation().organisation("people", List.of(member(Submission.fresh(), -5, true))),
            organisation()
                .organisation("people", List.of(member(Submission.fresh(), 33.333, true))),
            organisation()
                .organisation("people", List.of(member(Submission.fresh(), "1e999999999", true))),
            organisation()
                .organisation("people", List.of(member(Submission.fresh(), "1e-999999999", true))),
            organisation().organisation("people", List.of(member(Submission.fresh(), 100, false))),
            organisation().organisation("people", List.of(member(Submission.fresh(), 0, false))),
            organisation().organisation("people", List.of(owner)),
            organisation()
                .organisation("people", List.of(owner, owner))
                .organisation("noOtherOwner", true),
            organisation()
                .organisation(
                    "people",
                    List.of(
                        member(twice, 50, true),
                        member(
                            Submission.fresh()
                                .samePersonAs(twice)
                                .person("givenName", "ADA")
                                .person("documentNumber", "OTHER7"),
                            50,
                            false))),
            organisation()
                .organisation(
                    "people",
                    IntStream.range(0, 21)
                        .mapToObj(each -> member(Submission.fresh(), 1, true))
                        .toList())
                .organisation("noOtherOwner", true),
            organisation().organisation("people", List.of(List.of(List.of()))),
            organisation().organisation("lei", "5493001KJTIIGC8Y1R13"),
            organisation().organisation("lei", "short"),
            organisation().organisation("country", "XX"),
            organisation().organisation("founded", "2999-01-01"),
            organisation().organisation("founded", "0999-01-01"),
            organisation().organisation("legalName", " "),
            organisation().organisation("legalName", "x".repeat(201)),
            organisation().organisation("legalForm", null),
            organisation().organisation("register", "a\u0000b"),
            organisation().organisation("registrationNumber", "НРВ 12"),
            organisation().organisation("registrationNumber", "---"));
    for (Submission each : bad) {
      Answer answer = service.submit(each);
      assertThat(answer.status()).as(each.json()).isEqualTo(400);
      assertThat(answer.code()).as(each.json()).isEqualTo("malformed-request");
    }
    Answer huge =
        service.submit(
            organisation()
                .organisation(
                    "people",
                    IntStream.range(0, 20_000)
                        .mapToObj(each -> Map.of("sharePercent", 1))
                        .toList()));
    assertThat(huge.status()).isBetween(400, 413);
    assertThat(
            service
                .submit(
                    organisation()
                        .organisation("people", List.of(owner))
                        .organisation("noOtherOwner", true))
                .status())
        .as("30 percent are named, and nobody else holds as much as 25")
        .isEqualTo(202);
  }

  @Test
  void theListedFourthOfFiveIsFound() {
    Submission listed = Submission.fresh().person("familyName", "Strangeway");
    Submission body =
        organisation()
            .organisation(
                "people",
                List.of(
                    member(Submission.fresh(), 20, true),
                    member(Submission.fresh(), 20, false),
                    member(Submission.fresh(), 20, false),
                    member(listed, 20, false),
                    member(Submission.fresh(), 20, false)));
    service.sanctions.list("Strangeway");
    Answer taken = service.submit(body);
    assertThat(service.status(taken)).isEqualTo("review");
    JsonNode match = service.file(taken, "olga").body().path("matches").get(0);
    assertThat(match.path("concerns").asString()).isEqualTo("Ada Strangeway");
    assertThat(service.approve(taken, "olga", REASON).code()).isEqualTo("matches-open");
    service.dispose(taken, "olga", "false-positive");
    assertThat(service.approve(taken, "oscar", REASON).code()).isEqualTo("matches-open");
    service.confirm(taken, "paula", "false-positive");
    approve(taken);
    assertThat(service.status(taken)).isEqualTo("approved");
  }

  @Test
  void everybodyWhoMatchesNeedsADisposition() {
    Submission body =
        organisation()
            .organisation(
                "people",
                List.of(
                    member(Submission.fresh().person("familyName", "Twinlisted"), 50, true),
                    member(
                        Submission.fresh()
                            .person("givenName", "Bea")
                            .person("familyName", "Twinlisted"),
                        50,
                        false)));
    service.sanctions.list("Twinlisted");
    Answer taken = service.submit(body);
    assertThat(service.status(taken)).isEqualTo("review");
    JsonNode matches = service.file(taken, "olga").body().path("matches");
    assertThat(matches).hasSize(2);
    assertThat(matches.get(0).path("key").asString())
        .as("the same entry, two people")
        .isNotEqualTo(matches.get(1).path("key").asString());
    service.dispose(taken, "olga", "false-positive");
    service.confirm(taken, "paula", "false-positive");
    assertThat(service.approve(taken, "olga", REASON).code()).isEqualTo("matches-open");
    JsonNode open = service.file(taken, "olga").body().path("matches");
    assertThat(open.get(0).path("open").asBoolean()).isFalse();
    assertThat(open.get(1).path("open").asBoolean()).isTrue();
  }

  @Test
  void whoHaveOneNameAreToldApartByTheirBirth() {
    Submission father = Submission.fresh().person("familyName", "Samelisted");
    Submission son = Submission.fresh().person("familyName", "Samelisted");
    Submission body =
        organisation()
            .organisation("legalName", "Ada Samelisted")
            .organisation("people", List.of(member(father, 50, true), member(son, 50, false)));
    service.sanctions.list("Samelisted");
    Answer taken = service.submit(body);
    assertThat(service.status(taken)).isEqualTo("review");
    JsonNode matches = service.file(taken, "olga").body().path("matches");
    assertThat(matches.valueStream().map(match -> match.path("concerns").asString()))
        .hasSize(3)
        .containsOnly("Ada Samelisted");
    assertThat(matches.valueStream().map(match -> match.path("concernsBorn").asString()))
        .containsExactlyInAnyOrder(
            body.organisationField("founded"),
            father.personField("birthDate"),
            son.personField("birthDate"));
  }

  @Test
  void oneOfTheOwnersGetsWhatIsHeldOfHerAlone() {
    Submission one = Submission.fresh();
    Submission other = Submission.fresh();
    Submission renewed = Submission.fresh().samePersonAs(one).person("documentNumber", "RENEWED9");
    Submission body =
        organisation()
            .organisation("people", List.of(member(one, 50, true), member(other, 50, false)));
    Answer registered = service.submit(body);
    approve(registered);
    Submission changed =
        Submission.organisation()
            .sameOrganisationAs(body)
            .organisation("people", List.of(member(renewed, 50, true), member(other, 50, false)));
    propose(registered, "organisation", changed.organisationJson());

    String export = "/admin/v1/kyc/cases/" + registered.text("caseId") + "/export";
    assertThat(service.get(export, service.as("olga")).body().toString())
        .contains(one.personField("documentNumber"), other.personField("documentNumber"));
    Answer hers = service.get(export + "?member=1", service.as("olga"));
    assertThat(hers.body().toString())
        .contains(one.personField("documentNumber"), body.organisationField("legalName"))
        .doesNotContain(other.personField("documentNumber"), other.personField("familyName"));
    assertThat(hers.body().path("documents").valueStream().map(JsonNode::asString))
        .containsExactlyInAnyOrder(one.personField("documentNumber"), "RENEWED9");
    for (String nobody : List.of("0", "3", "-1")) {
      assertThat(service.get(export + "?member=" + nobody, service.as("olga")).status())
          .isEqualTo(404);
    }
  }

  @Test
  void anApprovalThatNobodyFollowedExpires() throws Exception {
    try (ServiceHarness impatient =
        new ServiceHarness(dir, "--solidus.registration.approval-validity=1ms")) {
      Answer taken = impatient.submit(Submission.organisation());
      assertThat(impatient.approve(taken, "olga", REASON).text("status")).isEqualTo("pending");
      Thread.sleep(5);
      assertThat(impatient.approve(taken, "oscar", REASON).text("status")).isEqualTo("pending");
      Thread.sleep(5);
      assertThat(impatient.file(taken, "olga").body().path("approvals").valueStream())
          .hasSize(2)
          .allMatch(approval -> approval.path("expired").asBoolean());
    }
  }

  @Test
  void twoOfficersApprove() {
    Answer taken = service.submit(organisation());
    assertThat(service.status(taken)).isEqualTo("pending");
    assertThat(service.approve(taken, "olga", "{}").code()).isEqualTo("malformed-request");
    service.post(
        "/admin/v1/kyc/cases/" + taken.text("caseId") + "/claim", "{}", service.as("olga"));
    assertThat(service.approve(taken, "olga", REASON).text("status")).isEqualTo("pending");
    assertThat(service.approve(taken, "olga", REASON).code()).isEqualTo("same-person");
    assertThat(service.approve(taken, "OLGA ", REASON).status()).isNotEqualTo(200);
    assertThat(
            catchThrowable(() ->
                service
                    .database()
                    .sql(
                        "UPDATE kyc_case SET status = 'approved', decided_by = 'olga', decided_at = now(),"
                            + " attestation_note = 'x' WHERE id::text = ?")
                    .param(taken.text("caseId"))
                    .update()))
        .hasMessageContaining("two people");
    assertThat(
            catchThrowable(() ->
                service
                    .database()
                    .sql("UPDATE kyc_case SET kind = 'person' WHERE id::text = ?")
                    .param(taken.text("caseId"))
                    .update()))
        .hasMessageContaining("stays one");
    assertThat(catchThrowable(() -> service.database().sql("DELETE FROM case_approval").update()))
        .isNotNull();
    assertThat(service.file(taken, "oscar").body().path("approvals")).hasSize(1);
    assertThat(service.look(taken).text("status")).isEqualTo("pending");

    assertThat(service.approve(taken, "oscar", REASON).text("status")).isEqualTo("approved");
    assertThat(service.look(taken).text("attestationNote")).isNotEmpty();
    assertThat(service.file(taken, "oscar").body().path("approvals").valueStream())
        .hasSize(2)
        .noneMatch(approval -> approval.path("expired").asBoolean(true));
  }

  @Test
  void oneOrganisationRegistersOnce() {
    String word = UUID.randomUUID().toString().replaceAll("[^a-f]", "") + "quarry";
    Submission first =
        organisation()
            .organisation("legalName", "Bell" + word + " GmbH")
            .organisation("registrationNumber", "HRB 0012" + word.substring(0, 2) + "77");
    Answer registered = service.submit(first);
    approve(registered);
    String number = first.organisationField("registrationNumber");
    for (Submission again :
        List.of(
            again(first)
                .organisation("registrationNumber", number.toLowerCase(Locale.ROOT))
                .organisation("legalName", "Another Name AG"),
            again(first)
                .organisation(
                    "registrationNumber", number.replace("HRB 00", "hrb-").replace(" ", ""))
                .organisation("register", "AG Muenchen"),
            again(first)
                .organisation("legalName", "BELL" + word.replace("rr", "r") + " AG")
                .organisation("registrationNumber", unique())
                .organisation("founded", "1999-12-31"),
            again(first)
                .organisation("legalName", "Bell-" + word + " Gesellschaft")
                .organisation("registrationNumber", unique()))) {
      Answer taken = service.submit(again);
      assertThat(taken.status()).isEqualTo(202);
      assertThat(taken.text("status")).as("a stranger learns nothing").isEqualTo("pending");
      assertThat(service.status(taken)).as(again.json()).isEqualTo("possible-duplicate");
      assertThat(service.approve(taken, "olga", REASON).code()).isEqualTo("possible-duplicate");
    }
    Answer elsewhere =
        service.submit(
            again(first)
                .organisation("country", "FR")
                .organisation("registrationNumber", unique()));
    assertThat(service.status(elsewhere)).as("another country").isEqualTo("pending");
  }

  @Test
  void anOwnerRegistersForHerselfToo() {
    Submission owner = Submission.fresh().at("first");
    Answer person = service.submit(owner);
    Answer body =
        service.submit(organisation().organisation("people", List.of(member(owner, 100, true))));
    assertThat(service.status(person)).isEqualTo("pending");
    assertThat(service.status(body)).isEqualTo("pending");
    assertThat(service.file(person, "olga").body().path("duplicates")).isEmpty();
    Answer other =
        service.submit(organisation().organisation("people", List.of(member(owner, 100, true))));
    assertThat(service.status(other)).as("she owns two").isEqualTo("pending");
    Answer sameNumber =
        service.submit(
            organisation()
                .organisation("country", "GB")
                .organisation("registrationNumber", owner.personField("documentNumber")));
    assertThat(service.status(sameNumber))
        .as("a number in a register is no passport")
        .isEqualTo("pending");
  }

  @Test
  void aNewOwnerWhoIsListedIsFound() {
    Submission body = organisation();
    Answer registered = service.submit(body);
    approve(registered);
    Submission changed =
        Submission.organisation()
            .sameOrganisationAs(body)
            .organisation(
                "people",
                List.of(
                    member(Submission.fresh(), 10, true),
                    member(Submission.fresh().person("familyName", "Newlisted"), 90, false)));
    Answer proposed = propose(registered, "organisation", changed.organisationJson());
    assertThat(proposed.status()).isEqualTo(200);
    assertThat(service.decideChange(proposed, "olga", "accept").code()).isEqualTo("same-person");
    service.sanctions.list("Newlisted");
    Answer accepted = service.decideChange(proposed, "oscar", "accept");
    assertThat(accepted.body().path("matches").get(0).path("concerns").asString())
        .isEqualTo("Ada Newlisted");
    assertThat(service.get("/admin/v1/kyc/alerts", service.as("olga")).body().toString())
        .contains(registered.text("caseId"));
    assertThat(propose(registered, "person", Submission.fresh().personJson()).code())
        .as("an organisation does not become a person")
        .isEqualTo("malformed-request");
    assertThat(
            propose(
                    registered,
                    "organisation",
                    Submission.organisation()
                        .organisation("people", List.of(member(Submission.fresh(), 60, true)))
                        .organisationJson())
                .code())
        .as("40 percent are nobody's")
        .isEqualTo("malformed-request");
  }

  @Test
  void aDispositionOutlivesOtherOwnersChanges() {
    Map<String, @Nullable Object> stays =
        member(Submission.fresh().person("familyName", "Staylisted"), 50, true);
    Submission body =
        organisation()
            .organisation("people", List.of(stays, member(Submission.fresh(), 50, false)));
    service.sanctions.list("Staylisted");
    Answer registered = service.submit(body);
    assertThat(service.status(registered)).isEqualTo("review");
    service.dispose(registered, "olga", "false-positive");
    service.confirm(registered, "paula", "false-positive");
    approve(registered);
    Submission changed =
        Submission.organisation()
            .sameOrganisationAs(body)
            .organisation("people", List.of(stays, member(Submission.fresh(), 50, false)));
    Answer accepted =
        service.decideChange(
            propose(registered, "organisation", changed.organisationJson()), "oscar", "accept");
    assertThat(accepted.body().path("matches").get(0).path("open").asBoolean(true)).isFalse();
  }

  @Test
  void anImportCoversWhoIsBehind() {
    String name = "Laterlisted" + UUID.randomUUID().toString().replaceAll("[^a-f]", "");
    Submission body =
        organisation()
            .organisation(
                "people",
                List.of(
                    member(Submission.fresh(), 30, true),
                    member(Submission.fresh().person("familyName", name), 70, false)));
    Answer registered = service.submit(body);
    approve(registered);
    service.sanctions.letImportWait(UUID.randomUUID().toString(), name);
    Await.until("it is told", () -> !service.sanctions.reports().isEmpty());
    assertThat(service.sanctions.reports().getFirst())
        .contains("\"hit\":1,\"cases\":[\"" + registered.text("caseId") + "\"]");

    service.sanctions.list(name);
    service.sanctions.newList(4);
    Await.until(
        "it is screened again",
        () ->
            service
                .get("/admin/v1/kyc/alerts", service.as("olga"))
                .body()
                .toString()
                .contains(registered.text("caseId")));
  }

  @Test
  void officersFindItByNameAndNumber() {
    String word = "Zephyr" + UUID.randomUUID().toString().replaceAll("[^a-f]", "") + "works";
    Submission body = organisation().organisation("legalName", word + " Trading GmbH");
    Answer registered = service.submit(body);
    approve(registered);
    List<Map<String, Object>> queries =
        List.of(
            Map.of(
                "documentNumber",
                body.organisationField("registrationNumber").toUpperCase(Locale.ROOT),
                "nationality",
                "DEU"),
            Map.of("name", word.toLowerCase(Locale.ROOT) + " tradng gmbh", "nationality", "DE"));
    for (Map<String, Object> query : queries) {
      assertThat(search(query, service.as("olga")))
          .as(query.toString())
          .contains(registered.text("caseId"));
      assertThat(search(query, as("mona", "second"))).as("another bank's officer").isEmpty();
    }
  }

  @Test
  void anotherBanksOfficerDoesNotSeeIt() {
    Answer registered = service.submit(organisation());
    String path = "/admin/v1/kyc/cases/" + registered.text("caseId");
    assertThat(service.get(path, as("fred", "first")).status()).isEqualTo(200);
    assertThat(service.get(path, as("mona", "second")).status()).isEqualTo(404);
    assertThat(service.post(path + "/approve", REASON, as("mona", "second")).status())
        .isEqualTo(404);
    assertThat(service.get("/admin/v1/kyc/cases?limit=200", as("mona", "second")).body().toString())
        .doesNotContain(registered.text("caseId"));
  }

  private void approve(Answer taken) {
    String status = service.status(taken);
    assertThat(service.approve(taken, "olga", REASON).text("status")).isEqualTo(status);
    assertThat(service.approve(taken, "oscar", REASON).text("status")).isEqualTo("approved");
  }

  private Answer propose(Answer taken, String kind, Map<String, @Nullable Object> details) {
    return service.post(
        "/admin/v1/kyc/cases/" + taken.text("caseId") + "/changes",
        JSON.writeValueAsString(Map.of(kind, details, "reason", "new shareholders' list")),
        service.as("olga"));
  }

  private List<String> search(Map<String, Object> query, String... headers) {
    return service
        .post("/admin/v1/kyc/search", JSON.writeValueAsString(query), headers)
        .body()
        .path("cases")
        .valueStream()
        .map(found -> found.path("caseId").asString())
        .toList();
  }

  private String[] as(String officer, String bank) {
    return new String[] {
      "Authorization", "Bearer " + service.tokens().ofBank(bank, officer, "kyc-operator")
    };
  }

  private static Submission organisation() {
    return Submission.organisation().at("first");
  }

  private static Submission again(Submission first) {
    return organisation().sameOrganisationAs(first);
  }

  private static String unique() {
    return "HRB " + UUID.randomUUID().toString().substring(0, 8);
  }
}
