package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.operator.registration.RegistrationProperties.Kept;
import io.solidus.operator.registration.RegistrationProperties.RetentionSettings;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
import io.solidus.platform.bank.BankScope;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Period;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Personal data ends: at a person's request, or when its time is over. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ErasureTest {
  private static final String CASES = "/admin/v1/kyc/cases/";

  @TempDir private static Path dir;
  private ServiceHarness service;

  @BeforeAll
  void start() throws IOException {
    service =
        new ServiceHarness(
            dir,
            "--solidus.registration.retention.refused.at-least=P0D",
            "--solidus.registration.retention.closed.at-least=P0D");
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
  void twoPeopleEraseAClosedRegistrationAndNothingOfHerIsReadable() {
    Submission ada = Submission.fresh();
    Answer registered = eventfulLife(ada);
    Answer twin = twin(registered, ada);
    assertThat(propose(registered, "olga", "erase").code())
        .as("a customer is not erased")
        .isEqualTo("step-impossible");
    step(registered, "close");
    String number = ada.personField("documentNumber");
    assertThat(StolenDatabase.in(service).text())
        .contains(
            "\"" + number + "\"",
            "secondnumber" + number,
            "a whistleblower of " + number,
            "theirparents");

    Answer proposed = propose(registered, "olga", "erase");
    assertThat(decide(proposed, "olga", "accept").code()).isEqualTo("same-person");
    Answer erased = decide(proposed, "paula", "accept");
    assertThat(erased.status()).isEqualTo(200);
    assertThat(erased.body().path("erasedAt").isNull()).isFalse();

    String after = StolenDatabase.in(service).text();
    assertThat(after)
        .doesNotContain(number, "theirparents")
        .contains("OTHERTWIN")
        .as("the twin's own name is left")
        .containsOnlyOnce(ada.personField("familyName"));
    everyViewShowsItAsErased(registered, twin, ada);
    nothingIsAddedToIt(registered, twin);
  }

  private void everyViewShowsItAsErased(Answer erased, Answer twin, Submission ada) {
    String apk = service.file(erased, "otto").text("apk");
    for (String path :
        List.of(
            CASES + id(erased),
            CASES + id(erased) + "/duplicates",
            CASES + id(erased) + "/export",
            CASES + id(twin),
            CASES + id(twin) + "/duplicates",
            "/admin/v1/kyc/cases?limit=200",
            "/admin/v1/kyc/alerts",
            "/admin/v1/kyc/confirmations",
            "/admin/v1/kyc/duplicates",
            "/admin/v1/kyc/queues",
            "/admin/v1/kyc/steps")) {
      Answer answer = service.get(path, service.as("otto"));
      assertThat(answer.status()).as(path).isEqualTo(200);
      assertThat(answer.body().toString())
          .as(path)
          .doesNotContain(ada.personField("documentNumber"), "1900-01-01", "\"AQ\"");
    }
    assertThat(service.get("/admin/v1/kyc/confirmations", service.as("otto")).body().toString())
        .doesNotContain(id(erased));
    for (String search :
        List.of(
            "{\"caseId\":\"" + id(erased) + "\"}",
            "{\"address\":\"" + apk + "\"}",
            "{\"documentNumber\":\""
                + ada.personField("documentNumber")
                + "\",\"nationality\":\"GB\"}",
            "{\"name\":\"Ada\",\"birthDate\":\"" + ada.personField("birthDate") + "\"}",
            "{\"name\":\"erased\",\"birthDate\":\"" + ada.personField("birthDate") + "\"}")) {
      Answer found = service.post("/admin/v1/kyc/search", search, service.as("otto"));
      assertThat(found.status()).as(search).isEqualTo(200);
      found
          .body()
          .path("cases")
          .forEach(each -> {
            if (each.path("caseId").asString().equals(id(erased))) {
              assertThat(search).doesNotContain("name");
              assertThat(each.path("erased").asBoolean()).isTrue();
              assertThat(each.path("givenName").asString()).isEqualTo("(erased)");
            }
          });
    }
    assertThat(service.look(erased).text("status")).isEqualTo("approved");
    JsonNode file = service.file(erased, "otto").body();
    assertThat(file.path("person").path("birthDate").isNull()).isTrue();
    assertThat(file.path("documents")).isEmpty();
    assertThat(file.path("events").toString()).contains("erased: request");
    service.bean(DuplicateSearch.class).searchAll();
    service.bean(DuplicateSearch.class).search(UUID.fromString(id(erased)));
    service.bean(CaseScreeningService.class).screenOutdated();
  }

  private void nothingIsAddedToIt(Answer erased, Answer twin) {
    assertThat(propose(erased, "olga", "erase").code()).isEqualTo("case-erased");
    assertThat(propose(erased, "olga", "suspend").code()).isEqualTo("case-erased");
    assertThat(service.post(CASES + id(erased) + "/claim", "{}", service.as("olga")).code())
        .isEqualTo("case-erased");
    assertThat(service.propose(erased, Submission.fresh(), "olga", "back again").code())
        .isEqualTo("case-erased");
    assertThat(service.dispose(erased, "olga", "k", "d", "true-match").code())
        .isEqualTo("match-changed");
    assertThat(service.verdict(twin, erased, "oscar", "other-person", "not the same face").status())
        .as("a case beside an erased one is decided")
        .isEqualTo(200);
    assertThat(service.status(twin)).isEqualTo("pending");
    Answer both = service.get(CASES + id(twin) + "/duplicates", service.as("otto"));
    assertThat(both.body().toString()).contains("not the same face").doesNotContain("theirparents");
  }

  @Test
  void whoIsErasedAfterClosingDoesNotRegisterTwice() {
    Submission ada = Submission.fresh();
    Answer registered = approved(ada);
    step(registered, "close");
    step(registered, "erase");
    Answer sameDocument =
        service.submit(
            Submission.fresh().person("documentNumber", ada.personField("documentNumber")));
    assertThat(service.status(sameDocument)).isEqualTo("possible-duplicate");
    Answer otherDocument =
        service.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "RENEWED1"));
    assertThat(service.status(otherDocument)).isEqualTo("possible-duplicate");
    Answer stranger =
        service.submit(Submission.fresh().person("birthDate", ada.personField("birthDate")));
    assertThat(service.status(stranger)).isEqualTo("pending");
  }

  @Test
  void theTimeOfARefusedCaseEnds() {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Submission ada = Submission.fresh();
    Answer refused = service.submit(ada);
    service.dispose(refused, "olga", "true-match");
    service.refuse(refused, "olga");
    service.sanctions.answer(200, FakeSanctions.NO_MATCH);
    Answer open = service.submit(Submission.fresh());
    Answer registered = approved(Submission.fresh());
    Answer closed = approved(Submission.fresh());
    step(closed, "close");

    Kept month = new Kept(null, Period.ofMonths(1));
    Kept never = new Kept(null, null);
    erasure(Duration.ofDays(27), month, never).eraseDue();
    assertThat(isErased(refused)).as("a day too early").isFalse();
    erasure(Duration.ofDays(32), month, never).eraseDue();
    assertThat(isErased(refused)).isTrue();
    assertThat(service.file(refused, "otto").body().path("events").toString())
        .contains("\"system:retention\"", "erased: refused");
    assertThat(service.look(refused).text("status")).isEqualTo("refused");
    for (Answer kept : List.of(open, registered, closed)) {
      assertThat(isErased(kept)).isFalse();
    }
    assertThat(StolenDatabase.in(service).text())
        .doesNotContain(ada.personField("familyName"), ada.personField("documentNumber"));
    Answer again = service.submit(Submission.fresh().samePersonAs(ada).sameAddressAs(ada));
    assertThat(service.status(again)).as("nothing is left to compare with").isEqualTo("pending");

    erasure(Duration.ofDays(364), never, new Kept(null, Period.ofYears(1))).eraseDue();
    assertThat(isErased(closed)).isFalse();
    erasure(Duration.ofDays(368), never, new Kept(null, Period.ofYears(1))).eraseDue();
    assertThat(isErased(closed)).isTrue();
    assertThat(isErased(registered)).isFalse();
  }

  @Test
  void aRefusedDuplicateOfACustomerIsKeptWithHerFile() {
    Submission ada = Submission.fresh();
    Answer registered = approved(ada);
    Answer twice =
        service.submit(
            Submission.fresh().samePersonAs(ada).person("documentNumber", "CANARYTWICE"));
    assertThat(service.status(twice)).isEqualTo("possible-duplicate");
    service.verdict(twice, registered, "olga", "duplicate", "the same face");
    assertThat(
            service
                .verdict(twice, registered, "oscar", "duplicate", "the same face")
                .text("status"))
        .isEqualTo("refused");
    erasure(Duration.ofDays(9999), new Kept(null, Period.ZERO), new Kept(null, Period.ZERO))
        .eraseDue();
    assertThat(isErased(twice)).isFalse();
    assertThat(propose(twice, "olga", "erase").code()).isEqualTo("retention-unmet");
    step(registered, "close");
    step(registered, "erase");
    assertThat(isErased(twice)).as("all of her files at this bank").isTrue();
  }

  @Test
  void aRefusedApplicantOfTheFormerReleaseIsErased() {
    Submission ada = Submission.fresh();
    Answer refused = service.submit(ada);
    service.refuse(refused, "olga");
    String person = " WHERE id = (SELECT person_id FROM kyc_case WHERE id::text = ?)";
    service
        .database()
        .sql("UPDATE person SET tag = sha256(uuid_send(id))" + person)
        .param(id(refused))
        .update();
    step(refused, "erase");
    assertThat(isErased(refused)).isTrue();
    assertThat(
            service
                .database()
                .sql("SELECT tag IS NULL FROM person" + person)
                .param(id(refused))
                .query(Boolean.class)
                .single())
        .isTrue();
    Answer again = service.submit(Submission.fresh().samePersonAs(ada).sameAddressAs(ada));
    assertThat(service.status(again)).as("nothing is left to compare with").isEqualTo("pending");
  }

  @Test
  void aDuplicateOfAnUndecidedCaseWaitsForItAndStopsNobodyElse() {
    Submission ada = Submission.fresh();
    Answer open = service.submit(ada);
    Answer twice =
        service.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "CANARYTWO"));
    assertThat(service.status(twice)).isEqualTo("possible-duplicate");
    for (String officer : List.of("olga", "oscar")) {
      service.verdict(twice, open, officer, "duplicate", "the same face");
    }
    assertThat(service.status(twice)).isEqualTo("refused");
    Answer stranger = service.submit(Submission.fresh());
    service.refuse(stranger, "olga");
    Answer closed = approved(Submission.fresh());
    step(closed, "close");

    assertThat(propose(twice, "olga", "erase").code()).isEqualTo("retention-unmet");
    Kept now = new Kept(null, Period.ZERO);
    erasure(Duration.ofDays(9999), now, now).eraseDue();
    assertThat(isErased(twice)).isFalse();
    assertThat(isErased(stranger)).isTrue();
    assertThat(isErased(closed)).isTrue();
    service.refuse(open, "oscar");
    erasure(Duration.ofDays(9999), now, now).eraseDue();
    assertThat(isErased(twice) && isErased(open)).isTrue();
  }

  @Test
  void oneCaseThatCannotBeErasedStopsNoOther() {
    Answer stuck = service.submit(Submission.fresh());
    service.refuse(stuck, "olga");
    Answer other = service.submit(Submission.fresh());
    service.refuse(other, "olga");
    service
        .database()
        .sql(
            "CREATE TRIGGER stuck BEFORE INSERT ON erasure FOR EACH ROW WHEN (NEW.case_id = '"
                + id(stuck)
                + "') EXECUTE FUNCTION refuse_event_change()")
        .update();
    try {
      erasure(Duration.ofDays(9999), new Kept(null, Period.ZERO), new Kept(null, null)).eraseDue();
    } finally {
      service.database().sql("DROP TRIGGER stuck ON erasure").update();
    }
    assertThat(isErased(stuck)).isFalse();
    assertThat(isErased(other)).isTrue();
  }

  @Test
  void anErasedOrganisationStaysOneAndIsFoundByItsWholeNameAlone() {
    Answer registered =
        service.submit(
            Submission.organisation()
                .organisation("legalName", "Solarmill Northern Bakery GmbH")
                .organisation("country", "AT"));
    for (String officer : List.of("olga", "oscar")) {
      service.approve(registered, officer, "{\"reason\":\"the register says so\"}");
    }
    step(registered, "close");
    step(registered, "erase");

    JsonNode file = service.file(registered, "otto").body();
    assertThat(file.path("kind").asString()).isEqualTo("organisation");
    assertThat(file.path("person").isNull() && file.path("organisation").isNull()).isTrue();
    JsonNode listed =
        service
            .post(
                "/admin/v1/kyc/search",
                "{\"caseId\":\"" + id(registered) + "\"}",
                service.as("otto"))
            .body()
            .path("cases")
            .get(0);
    assertThat(listed.path("kind").asString()).isEqualTo("organisation");
    assertThat(listed.path("name").asString()).isEqualTo("(erased)");
    assertThat(listed.path("givenName").isNull() && listed.path("familyName").isNull()).isTrue();
    JsonNode exported =
        service.get(CASES + id(registered) + "/export", service.as("otto")).body().path("cases");
    assertThat(exported.get(0).path("person").isNull()).isTrue();

    assertThat(service.status(named("Solarmill Southern Forge GmbH"))).isEqualTo("pending");
    assertThat(service.status(named("Northern Lights AG"))).isEqualTo("pending");
    assertThat(service.status(named("Solarmill-Northern Bakry AG")))
        .isEqualTo("possible-duplicate");
  }

  private Answer named(String legalName) {
    return service.submit(
        Submission.organisation()
            .organisation("legalName", legalName)
            .organisation("country", "AT"));
  }

  @Test
  void aClosedRegistrationWaitsForNoConfirmation() {
    Submission ada = Submission.fresh();
    Answer registered = approved(ada);
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer change =
        service.propose(
            registered,
            Submission.fresh().samePersonAs(ada).person("familyName", "Ravenscroft"),
            "olga",
            "she married");
    service.decideChange(change, "oscar", "accept");
    service.dispose(registered, "olga", "false-positive");
    ScreeningStore screenings = service.bean(ScreeningStore.class);
    long waiting = screenings.countUnconfirmed(BankScope.every());
    String list = "/admin/v1/kyc/confirmations?limit=200";
    assertThat(service.get(list, service.as("otto")).body().toString()).contains(id(registered));
    step(registered, "close");
    assertThat(service.get(list, service.as("otto")).body().toString())
        .doesNotContain(id(registered));
    assertThat(screenings.countUnconfirmed(BankScope.every())).isEqualTo(waiting - 1);
  }

  @Test
  void whoRegistersAgainIsKeptWithAllHerFiles() {
    Submission ada = Submission.fresh();
    Answer lost = approved(ada);
    Answer closing =
        service.post(
            CASES + id(lost) + "/steps",
            "{\"kind\":\"close\",\"cause\":\"phrase-lost\",\"reason\":\"she came in person\"}",
            service.as("olga"));
    assertThat(decide(closing, "paula", "accept").text("standing")).isEqualTo("closed");
    Answer again = service.submit(Submission.fresh().samePersonAs(ada));
    assertThat(service.status(again)).isEqualTo("possible-duplicate");
    for (String officer : List.of("olga", "oscar")) {
      assertThat(service.verdict(again, lost, officer, "registers-again", "the same face").status())
          .isEqualTo(200);
    }
    assertThat(propose(lost, "olga", "erase").code()).as("undecided").isEqualTo("retention-unmet");
    service.sanctions.replaced(service.file(lost, "olga").text("apk"), true, true);
    assertThat(service.approve(again, "olga", "{}").text("status")).isEqualTo("approved");

    assertThat(propose(lost, "olga", "erase").code()).as("registered").isEqualTo("retention-unmet");
    erasure(Duration.ofDays(9999), new Kept(null, Period.ZERO), new Kept(null, Period.ZERO))
        .eraseDue();
    assertThat(isErased(lost)).isFalse();
    assertThat(
            catchThrowable(() ->
                service
                    .database()
                    .sql(
                        "INSERT INTO erasure (case_id, at, rule) VALUES (?::uuid, now(), 'closed')")
                    .param(id(lost))
                    .update()))
        .hasMessageContaining("a customer is not erased");
    step(again, "close");
    step(again, "erase");
    assertThat(isErased(lost) && isErased(again)).isTrue();
  }

  @Test
  void whatMustBeKeptIsNotErasedAtARequest() throws IOException {
    for (String[] settings :
        List.of(
            new String[0],
            new String[] {
              "--solidus.registration.retention.refused.at-least=P1D",
              "--solidus.registration.retention.closed.at-least=P5Y"
            })) {
      try (ServiceHarness keeping = new ServiceHarness(dir, settings)) {
        Answer refused = keeping.submit(Submission.fresh());
        String steps = CASES + id(refused) + "/steps";
        String erase = "{\"kind\":\"erase\",\"reason\":\"she asks\"}";
        assertThat(keeping.post(steps, erase, keeping.as("olga")).code())
            .as("an open case is decided first")
            .isEqualTo("step-impossible");
        keeping.refuse(refused, "olga");
        assertThat(keeping.post(steps, erase, keeping.as("olga")).code())
            .isEqualTo("retention-unmet");
      }
    }
  }

  @Test
  void aLostKeyIsNoErasure() throws IOException {
    try (ServiceHarness careless = new ServiceHarness(dir)) {
      Answer taken = careless.submit(Submission.fresh());
      for (String sql :
          List.of(
              "ALTER TABLE data_key DISABLE TRIGGER data_key_is_kept",
              "DELETE FROM data_key",
              "ALTER TABLE data_key ENABLE TRIGGER data_key_is_kept")) {
        careless.database().sql(sql).update();
      }
      assertThat(careless.file(taken, "olga").status()).isEqualTo(500);
    }
  }

  @Test
  void theDatabaseRefusesEarlyErasuresAndOtherContents() {
    Answer open = service.submit(Submission.fresh());
    Answer refused = service.submit(Submission.fresh());
    service.refuse(refused, "olga");
    Answer registered = eventfulLife(Submission.fresh());
    String noise = "decode(repeat('02', 60), 'hex')";
    for (String sql :
        List.of(
            "DELETE FROM data_key",
            "TRUNCATE data_key",
            "UPDATE data_key SET sealed_key = " + noise,
            "UPDATE data_key SET case_id = '"
                + id(open)
                + "' WHERE case_id = '"
                + id(refused)
                + "'",
            "INSERT INTO erasure VALUES ('" + id(open) + "', now(), 'refused')",
            "INSERT INTO erasure VALUES ('" + id(registered) + "', now(), 'closed')",
            "INSERT INTO erasure VALUES ('" + id(refused) + "', now(), 'request')",
            "UPDATE kyc_case SET sealed_person = " + noise + " WHERE status = 'approved'",
            "UPDATE kyc_case SET birth_key = sha256('x') WHERE status = 'approved'",
            "UPDATE kyc_case SET apk = sha256('x') WHERE status = 'refused'",
            "UPDATE person_change SET sealed_reason = " + noise,
            "UPDATE person_change SET document_key = sha256('x')",
            "UPDATE screening SET sealed_matches = " + noise + " WHERE sealed_matches IS NOT NULL",
            "UPDATE match_disposition SET sealed_reason = " + noise,
            "UPDATE match_disposition SET subject = sha256('x')",
            "UPDATE disposition_confirmation SET sealed_reason = " + noise,
            "UPDATE standing_step SET sealed_reason = " + noise,
            "DELETE FROM person_change",
            "DELETE FROM screening",
            "DELETE FROM match_disposition",
            "DELETE FROM disposition_confirmation",
            "DELETE FROM standing_step")) {
      assertThat(catchThrowable(() -> service.database().sql(sql).update())).as(sql).isNotNull();
    }
  }

  @Test
  void aPersonGetsWhatIsHeldOfHerAndNothingThatWarns() {
    Submission ada = Submission.fresh();
    Answer registered = eventfulLife(ada);
    Answer export = service.get(CASES + id(registered) + "/export", service.as("otto"));
    assertThat(export.body().toString())
        .contains(
            ada.personField("documentNumber"),
            "secondnumber",
            ada.personField("birthDate"),
            "attestationNote")
        .doesNotContain("whistleblower", "QDi", "olga", "paula", "suspend", "match", "review");
    assertThat(service.file(registered, "olga").body().path("events").toString())
        .contains("exported for the person");

    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Answer reviewed = service.submit(Submission.fresh());
    assertThat(service.status(reviewed)).isEqualTo("review");
    assertThat(
            service
                .get(CASES + id(reviewed) + "/export", service.as("otto"))
                .body()
                .path("cases")
                .get(0)
                .path("status")
                .asString())
        .isEqualTo("pending");
  }

  /** A registration with everything that is sealed. */
  private Answer eventfulLife(Submission ada) {
    return Lives.eventful(service, ada);
  }

  private Answer twin(Answer registered, Submission ada) {
    Answer twin =
        service.submit(
            Submission.fresh()
                .samePersonAs(ada)
                .person("givenName", "Adam")
                .person("familyName", ada.personField("familyName"))
                .person("documentNumber", "OTHERTWIN"));
    assertThat(service.status(twin)).isEqualTo("possible-duplicate");
    service.verdict(twin, registered, "olga", "other-person", "theirparents named both");
    return twin;
  }

  private Answer approved(Submission person) {
    Answer taken = service.submit(person);
    assertThat(service.approve(taken, "olga", "{}").text("status")).isEqualTo("approved");
    return taken;
  }

  private void step(Answer taken, String kind) {
    Answer done = decide(propose(taken, "olga", kind), "paula", "accept");
    assertThat(done.status()).as(kind + done.body()).isEqualTo(200);
  }

  private Answer propose(Answer taken, String officer, String kind) {
    return service.post(
        CASES + id(taken) + "/steps",
        "{\"kind\":\"" + kind + "\",\"reason\":\"a court order\"}",
        service.as(officer));
  }

  private Answer decide(Answer file, String approver, String decision) {
    JsonNode steps = file.body().path("steps");
    return service.post(
        CASES
            + id(file)
            + "/steps/"
            + steps.get(steps.size() - 1).path("stepId").asString()
            + "/"
            + decision,
        "{}",
        service.approver(approver));
  }

  /** The service's rules at a later time. */
  private ErasureService erasure(Duration later, Kept refused, Kept closed) {
    return new ErasureService(
        service.bean(CaseStore.class),
        service.bean(ErasureStore.class),
        service.bean(SealingService.class),
        service.bean(CaseDecisionService.class),
        service.bean(TransactionTemplate.class),
        Clock.offset(Clock.systemUTC(), later),
        new RetentionSettings(refused, closed));
  }

  private boolean isErased(Answer taken) {
    return !service.file(taken, "otto").body().path("erasedAt").isNull();
  }

  private static String id(@Nullable Answer taken) {
    return taken == null ? "" : taken.text("caseId");
  }
}
