package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.BankRoutes;
import io.solidus.operator.registration.RegistrationProperties.Kept;
import io.solidus.operator.registration.RegistrationProperties.RetentionSettings;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The staff of one bank try to read and decide the cases of another one. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BanksTest {
  private static final Duration WAIT = Duration.ofSeconds(20);

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
            "--solidus.banks.known[1].name=Second Bank",
            "--solidus.registration.retention.refused.at-least=P0D");
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  void anotherBanksCaseAnswersAsOneThatDoesNotExist() throws InterruptedException {
    Submission person = Submission.fresh().at("first");
    Answer earlier = service.submit(person);
    approve(earlier, "first");
    String change = propose(earlier, person, "first");
    Answer later = service.submit(again(person).person("documentNumber", "OTHER1"));
    Submission other = Submission.fresh().at("second");
    Answer otherEarlier = service.submit(other);
    approve(otherEarlier, "second");
    String otherChange = propose(otherEarlier, other, "second");
    Answer otherLater =
        service.submit(again(other).at("second").person("documentNumber", "OTHER2"));
    service.sanctions.newList(4, FakeSanctions.match("un", "QDi.002", "digest-2"));
    try {
      await(
          "SELECT count(*) = 4 FROM newest_screening WHERE open_matches > 0 AND case_id::text IN ("
              + quoted(earlier, later, otherEarlier, otherLater)
              + ")");
      new BankRoutes(AdminAccessTest.routes(), "first", "second")
          .object("caseId", id(later), id(otherLater), UUID.randomUUID().toString())
          .object("otherId", id(earlier), id(otherEarlier), UUID.randomUUID().toString())
          .object("changeId", change, otherChange, UUID.randomUUID().toString())
          .object(
              "stepId",
              step(earlier, "first"),
              step(otherEarlier, "second"),
              UUID.randomUUID().toString())
          .list("GET /admin/v1/kyc/steps", person.personField("familyName"), id(earlier))
          .list("GET /admin/v1/kyc/confirmations")
          .central("GET /admin/v1/kyc/duplicates")
          .open("POST /admin/v1/kyc/search")
          .list("GET /admin/v1/kyc/cases", person.personField("familyName"), id(later))
          .list("GET /admin/v1/kyc/alerts", person.personField("familyName"), id(earlier))
          .list("GET /admin/v1/kyc/queues")
          .central("GET /admin/v1/registration/events")
          .central("GET /admin/v1/registration/events/download")
          .central("GET /admin/v1/registration/events/sealed")
          .central("GET /admin/v1/registration/events/notes")
          .attack(service.rest(), service.tokens());
      assertThat(
              service.get("/admin/v1/kyc/cases?limit=200", as("first", "olga")).body().toString())
          .contains(id(later))
          .doesNotContain(other.personField("familyName"), id(otherLater));
    } finally {
      service.sanctions.newList(5);
    }
  }

  @Test
  void aCustomerOfTwoBanksIsForTheCentreAlone() {
    Submission person = Submission.fresh().at("first").person("documentNumber", "PASSPORTA1");
    Answer registered = service.submit(person);
    approve(registered, "first");
    Submission twice =
        again(person).at("second").person("documentNumber", "IDCARDB2").person("givenName", "Adah");
    Answer taken = service.submit(twice);
    assertThat(service.status(taken)).isEqualTo("possible-duplicate");

    for (Answer seen : List.of(file(taken, "second"), side(taken, "second"))) {
      assertThat(seen.status()).isEqualTo(200);
      assertThat(seen.body().toString())
          .contains("IDCARDB2")
          .doesNotContain(id(registered), "PASSPORTA1", "\"Ada\"");
    }
    JsonNode pair = file(taken, "second").body().path("duplicates").get(0);
    assertThat(pair.path("acrossBanks").asBoolean()).isTrue();
    assertThat(pair.path("waits").asBoolean()).isTrue();
    assertThat(pair.path("caseId").isNull()).isTrue();
    assertThat(side(taken, "second").body().path("others").isEmpty()).isTrue();
    for (String bank : List.of("first", "second")) {
      assertThat(verdict(taken, registered, as(bank, "olga")).status()).isEqualTo(404);
    }
    assertThat(approve(taken, "second").code()).isEqualTo("possible-duplicate");

    assertThat(side(taken, null).body().path("others").get(0).path("caseId").asString())
        .isEqualTo(id(registered));
    verdict(taken, registered, service.as("olga"));
    assertThat(verdict(taken, registered, service.as("oscar")).text("status")).isEqualTo("refused");
    assertThat(file(taken, "second").body().toString()).doesNotContain("PASSPORTA1");
    assertThat(file(registered, "first").body().toString()).doesNotContain("IDCARDB2");
  }

  @Test
  void whatTheCentreSaysOfAPairStaysWithTheCentre() {
    Submission person = Submission.fresh().at("first").person("documentNumber", "PASSPORTC3");
    Answer registered = service.submit(person);
    approve(registered, "first");
    Answer taken = service.submit(again(person).at("second").person("documentNumber", "IDCARDD4"));
    Answer repeated =
        service.submit(again(person).at("second").person("documentNumber", "LICENCEE5"));
    for (String officer : List.of("olga", "oscar")) {
      assertThat(verdict(repeated, taken, "the same scan", as("second", officer)).status())
          .isEqualTo(200);
    }
    for (String officer : List.of("olga", "oscar")) {
      assertThat(verdict(taken, registered, service.as(officer)).status()).isEqualTo(200);
    }
    String personId = file(registered, null).text("personId");
    assertThat(personId).isNotEmpty().isEqualTo(file(repeated, null).text("personId"));
    for (Answer each : List.of(taken, repeated)) {
      assertThat(file(each, "second").body().toString())
          .contains(id(each), "\"decidedBy\"")
          .doesNotContain(id(registered), personId, "PASSPORTC3");
    }
    assertThat(file(taken, "second").body().toString())
        .as("the reason is of the centre, which saw both files")
        .doesNotContain("the same portrait");
    assertThat(file(registered, "first").body().toString())
        .doesNotContain(id(taken), id(repeated), personId, "IDCARDD4", "LICENCEE5");
    assertThat(file(taken, null).body().toString())
        .contains("duplicate says of " + id(registered), "the same portrait");

    for (String document : List.of("IDCARDD4", "LICENCEE5")) {
      assertThat(found(document, as("first", "olga"))).as(document).isEmpty();
      assertThat(found(document, as("second", "olga")))
          .containsExactlyInAnyOrder(id(taken), id(repeated));
      assertThat(found(document, service.as("olga"))).hasSize(3);
    }
    assertThat(found("PASSPORTC3", as("first", "olga"))).containsExactly(id(registered));
    assertThat(found("PASSPORTC3", as("second", "olga"))).isEmpty();
  }

  @Test
  void whoRegistersAgainAtAnotherBankTellsNeitherOfTheOther() {
    Submission person = Submission.fresh().at("first").person("documentNumber", "PASSPORTF6");
    Answer lost = service.submit(person);
    approve(lost, "first");
    Answer proposed =
        service.post(
            "/admin/v1/kyc/cases/" + id(lost) + "/steps",
            "{\"kind\":\"close\",\"cause\":\"phrase-lost\",\"reason\":\"she came in person\"}",
            as("first", "olga"));
    String step = proposed.body().path("steps").get(0).path("stepId").asString();
    assertThat(
            service
                .post(
                    "/admin/v1/kyc/cases/" + id(lost) + "/steps/" + step + "/accept",
                    "{}",
                    "Authorization",
                    "Bearer " + service.tokens().ofBank("first", "paula", "people-approver"))
                .text("standing"))
        .isEqualTo("closed");
    Answer again = service.submit(again(person).at("second"));
    assertThat(service.status(again)).isEqualTo("possible-duplicate");
    for (String officer : List.of("olga", "oscar")) {
      String path = "/admin/v1/kyc/cases/" + id(again) + "/duplicates/" + id(lost);
      String body = "{\"verdict\":\"registers-again\",\"reason\":\"the same portrait\"}";
      assertThat(service.post(path, body, as("second", officer)).status()).isEqualTo(404);
      assertThat(service.post(path, body, service.as(officer)).status()).isEqualTo(200);
    }
    service.sanctions.replaced(file(lost, null).text("apk"), true, true);
    assertThat(approve(again, "second").text("status")).isEqualTo("approved");

    Answer central = file(again, null);
    assertThat(central.body().path("registrations").asInt()).isEqualTo(2);
    Answer second = file(again, "second");
    assertThat(second.body().path("registrations").asInt()).isEqualTo(1);
    assertThat(second.body().toString())
        .doesNotContain(id(lost), central.text("personId"), "the same portrait");
    assertThat(file(lost, "first").body().toString())
        .doesNotContain(id(again), central.text("personId"), "the same portrait");
    assertThat(central.body().toString()).contains("registers-again", "approved, registers again");
    assertThat(second.body().toString()).contains("\"decided\"", "\"action\":\"approved\"");
    for (Answer each : List.of(lost, again)) {
      String bank = id(each).equals(id(lost)) ? "first" : "second";
      String export = "/admin/v1/kyc/cases/" + id(each) + "/export";
      for (Answer seen :
          List.of(file(each, bank), side(each, bank), service.get(export, as(bank, "olga")))) {
        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.body().toString())
            .doesNotContain(
                "registers-again", "registers again", central.text("personId"), "personId\":\"");
      }
      assertThat(service.get(export, service.as("olga")).text("personId"))
          .isEqualTo(central.text("personId"));
    }
  }

  @Test
  void whatABankKeepsEndsAlthoughAnotherOneRegisteredHer() {
    Submission person = Submission.fresh().at("first").person("documentNumber", "PASSPORTG7");
    Answer registered = service.submit(person);
    approve(registered, "first");
    for (String document : List.of("IDCARDH8", "LICENCEJ9")) {
      Answer refused =
          service.submit(again(person).at("second").person("documentNumber", document));
      assertThat(service.status(refused)).as(document).isEqualTo("possible-duplicate");
      for (String officer : List.of("olga", "oscar")) {
        assertThat(verdict(refused, registered, service.as(officer)).status()).isEqualTo(200);
      }
      assertThat(service.status(refused)).isEqualTo("refused");
      if (document.equals("IDCARDH8")) {
        eraseAtRequest(refused, "second");
      } else {
        eraseDue();
      }
      assertThat(file(refused, "second").body().path("erasedAt").isNull()).isFalse();
    }
    assertThat(file(registered, "first").body().toString()).contains("PASSPORTG7");
    Answer sameName =
        service.submit(again(person).at("second").person("documentNumber", "ANOTHERK0"));
    assertThat(service.status(sameName)).isEqualTo("possible-duplicate");
    Answer sameDocument =
        service.submit(Submission.fresh().at("second").person("documentNumber", "IDCARDH8"));
    assertThat(service.status(sameDocument)).isEqualTo("possible-duplicate");
    service.refuse(sameDocument, "olga");
  }

  private void eraseAtRequest(Answer refused, String bank) {
    String steps = "/admin/v1/kyc/cases/" + id(refused) + "/steps";
    Answer proposed =
        service.post(steps, "{\"kind\":\"erase\",\"reason\":\"she asks\"}", as(bank, "olga"));
    assertThat(proposed.status()).as(proposed.body().toString()).isEqualTo(200);
    String step = proposed.body().path("steps").get(0).path("stepId").asString();
    assertThat(
            service
                .post(
                    steps + "/" + step + "/accept",
                    "{}",
                    "Authorization",
                    "Bearer " + service.tokens().ofBank(bank, "paula", "people-approver"))
                .status())
        .isEqualTo(200);
  }

  /** Whatever was refused by now. */
  private void eraseDue() {
    new ErasureService(
            service.bean(CaseStore.class),
            service.bean(ErasureStore.class),
            service.bean(SealingService.class),
            service.bean(CaseDecisionService.class),
            service.bean(TransactionTemplate.class),
            Clock.offset(Clock.systemUTC(), Duration.ofDays(1)),
            new RetentionSettings(new Kept(null, Period.ZERO), new Kept(null, null)))
        .eraseDue();
  }

  private List<String> found(String document, String[] officer) {
    return service
        .post(
            "/admin/v1/kyc/search",
            "{\"documentNumber\":\"" + document + "\",\"nationality\":\"GB\"}",
            officer)
        .body()
        .path("cases")
        .valueStream()
        .map(each -> each.path("caseId").asString())
        .toList();
  }

  @Test
  void aRefusalIsNotToldToAnotherBank() {
    Submission person = Submission.fresh().at("first");
    Answer refused = service.submit(person);
    service.refuse(refused, "olga");
    Answer taken = service.submit(again(person).sameAddressAs(person).at("second"));
    assertThat(service.status(taken)).isEqualTo("pending");
    assertThat(file(taken, "second").body().toString()).doesNotContain(id(refused));
    service.refuse(taken, "olga");
    assertThat(service.status(service.submit(again(person).at("second")))).isEqualTo("review");
  }

  @Test
  void aWalletNamesItsBank() {
    assertThat(service.submit(Submission.fresh()).code()).isEqualTo("bank-needed");
    assertThat(service.submit(Submission.fresh().at("third")).code()).isEqualTo("unknown-bank");
    assertThat(service.submit(Submission.fresh().at("First")).code()).isEqualTo("unknown-bank");
    assertThat(service.submit(Submission.fresh().at(1)).status()).isEqualTo(400);
    Submission person = Submission.fresh().at("first");
    Answer taken = service.submit(person, "one-key-for-both");
    assertThat(taken.status()).isEqualTo(202);
    assertThat(id(service.submit(person, "one-key-for-both"))).isEqualTo(id(taken));
    assertThat(service.submit(person.at("second"), "one-key-for-both").code())
        .isEqualTo("idempotency-mismatch");
    assertThat(service.submit(person.at("second")).code()).isEqualTo("already-registered");
    assertThat(service.get("/v1/registration/info").body().path("banks").get(1).path("name"))
        .hasToString("\"Second Bank\"");
  }

  @Test
  void aTokenNamesOneBankOfThePlatform() {
    for (Object bank :
        List.of("third", "", "default", "FIRST", "first ", 1, List.of("first", "second"))) {
      Answer answer = service.get("/admin/v1/kyc/cases", token(bank));
      assertThat(answer.code()).as(bank.toString()).isEqualTo("unknown-staff-bank");
      assertThat(answer.status()).isEqualTo(403);
    }
    assertThat(service.get("/admin/v1/kyc/cases", token(List.of("first"))).status()).isEqualTo(200);
    Answer auditor =
        service.get(
            "/admin/v1/registration/events",
            "Authorization",
            "Bearer " + service.tokens().ofBank("first", "arno", "auditor"));
    assertThat(auditor.code()).isEqualTo("central-staff-only");
  }

  @Test
  void aCaseStaysWithItsBank() {
    Answer taken = service.submit(Submission.fresh().at("first"));
    assertThatThrownBy(() ->
            service
                .database()
                .sql("UPDATE kyc_case SET bank = 'second' WHERE id = ?")
                .param(UUID.fromString(id(taken)))
                .update())
        .hasMessageContaining("stay with their bank");
  }

  private static Submission again(Submission person) {
    return Submission.fresh().samePersonAs(person).at("first");
  }

  private static String id(Answer taken) {
    return taken.text("caseId");
  }

  private static String quoted(Answer... all) {
    return String.join(",", List.of(all).stream().map(each -> "'" + id(each) + "'").toList());
  }

  private String[] token(Object bank) {
    return new String[] {
      "Authorization", "Bearer " + service.tokens().ofBank(bank, "olga", "kyc-operator")
    };
  }

  private String[] as(String bank, String officer) {
    return new String[] {
      "Authorization", "Bearer " + service.tokens().ofBank(bank, officer, "kyc-operator")
    };
  }

  /** The file; null: as an officer of the centre. */
  private Answer file(Answer taken, @Nullable String bank) {
    return service.get(
        "/admin/v1/kyc/cases/" + id(taken), bank == null ? service.as("olga") : as(bank, "olga"));
  }

  /** Both files; null: as an officer of the centre. */
  private Answer side(Answer taken, @Nullable String bank) {
    return service.get(
        "/admin/v1/kyc/cases/" + id(taken) + "/duplicates",
        bank == null ? service.as("olga") : as(bank, "olga"));
  }

  private Answer approve(Answer taken, String bank) {
    return service.post("/admin/v1/kyc/cases/" + id(taken) + "/approve", "{}", as(bank, "olga"));
  }

  private Answer verdict(Answer later, Answer earlier, String[] officer) {
    return verdict(later, earlier, "the same portrait", officer);
  }

  private Answer verdict(Answer later, Answer earlier, String reason, String[] officer) {
    return service.post(
        "/admin/v1/kyc/cases/" + id(later) + "/duplicates/" + id(earlier),
        "{\"verdict\":\"duplicate\",\"reason\":\"" + reason + "\"}",
        officer);
  }

  private String propose(Answer taken, Submission details, String bank) {
    return service
        .post(
            "/admin/v1/kyc/cases/" + id(taken) + "/changes",
            JsonMapper.shared()
                .writeValueAsString(
                    Map.of("person", details.personJson(), "reason", "a letter was misread")),
            as(bank, "olga"))
        .body()
        .path("changes")
        .get(0)
        .path("changeId")
        .asString();
  }

  private String step(Answer taken, String bank) {
    return service
        .post(
            "/admin/v1/kyc/cases/" + id(taken) + "/steps",
            "{\"kind\":\"suspend\",\"reason\":\"a court says so\"}",
            as(bank, "olga"))
        .body()
        .path("steps")
        .get(0)
        .path("stepId")
        .asString();
  }

  private void await(String sql) throws InterruptedException {
    Instant end = Instant.now().plus(WAIT);
    while (!service.database().sql(sql).query(Boolean.class).single()) {
      assertThat(Instant.now()).as(sql).isBefore(end);
      Thread.sleep(50);
    }
  }
}
