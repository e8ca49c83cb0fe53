package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Ways to have two registrations, to block somebody's, or to learn of it. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnePersonTest {
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
  void anotherDocumentNationalityOrSpellingMakesNoSecondPerson() {
    Submission first = person("PASSPORT111");
    Answer registered = service.submit(first);
    service.approve(registered, "olga", "{}");
    for (Submission again :
        List.of(
            again(first).person("documentNumber", "IDCARD222"),
            again(first).person("nationality", "FR"),
            again(first).person("documentNumber", "PASSPORT11I"),
            again(first).person("documentNumber", "X7").person("nationality", "FR"),
            again(first).person("documentNumber", "X8").person("familyName", "Bellquary"),
            again(first)
                .person("documentNumber", "X9")
                .person("givenName", "BELLQUARRY")
                .person("familyName", "Tamsin"))) {
      Answer taken = service.submit(again);
      assertThat(taken.status()).isEqualTo(202);
      assertThat(service.status(taken)).as(again.json()).isEqualTo("possible-duplicate");
      Answer approval = service.approve(taken, "olga", "{\"reason\":\"in a hurry\"}");
      assertThat(approval.status()).isEqualTo(409);
      assertThat(approval.code()).isEqualTo("possible-duplicate");
      assertThat(duplicate(service.file(taken, "olga"), registered).path("waits").asBoolean())
          .isTrue();
    }
    assertThat(approvedOfThatBirthday(registered)).isEqualTo(1);
  }

  @Test
  void aStrangerWhoWasFirstWithMyNumberBlocksNobody() {
    String number = number();
    Answer stranger = service.submit(Submission.fresh().person("documentNumber", number));
    Answer mine = service.submit(Submission.fresh().person("documentNumber", number));
    assertThat(mine.status()).isEqualTo(202);
    assertThat(service.status(mine)).isEqualTo("possible-duplicate");
    Answer file = service.file(mine, "olga");
    assertThat(duplicate(file, stranger).path("sameDocument").asBoolean()).isTrue();

    service.verdict(mine, stranger, "olga", "other-person", "the scan of the other is forged");
    service.verdict(mine, stranger, "oscar", "other-person", "the portraits differ");
    assertThat(service.status(mine)).isEqualTo("pending");
    assertThat(service.approve(mine, "olga", "{}").text("status")).isEqualTo("approved");
  }

  @Test
  void aStrangerWhoComesLaterWithMyNumberBlocksNobody() {
    String number = number();
    Answer mine = service.submit(Submission.fresh().person("documentNumber", number));
    Answer stranger = service.submit(Submission.fresh().person("documentNumber", number));
    assertThat(service.status(stranger)).isEqualTo("possible-duplicate");
    assertThat(service.status(mine)).isEqualTo("pending");
    assertThat(duplicate(service.file(mine, "olga"), stranger).path("waits").asBoolean(true))
        .as("the officer sees the stranger's case, which waits")
        .isFalse();
    assertThat(service.approve(mine, "olga", "{}").text("status")).isEqualTo("approved");
  }

  @Test
  void noAnswerTellsThatANumberIsKnown() {
    String number = number();
    service.approve(
        service.submit(Submission.fresh().person("documentNumber", number)), "olga", "{}");
    Answer known = service.submit(Submission.fresh().person("documentNumber", number));
    Answer unknown = service.submit(Submission.fresh());
    assertThat(service.status(known)).isEqualTo("possible-duplicate");
    for (Answer answer : List.of(known, unknown)) {
      assertThat(answer.status()).isEqualTo(202);
      assertThat(answer.text("status")).isEqualTo("pending");
      assertThat(service.look(answer).text("status")).isEqualTo("pending");
    }
    assertThat(known.body().propertyNames()).isEqualTo(unknown.body().propertyNames());

    String id =
        service
            .database()
            .sql("SELECT other_id::text FROM possible_duplicate WHERE case_id::text = ?")
            .param(known.text("caseId"))
            .query(String.class)
            .single();
    for (String officer : List.of("olga", "oscar")) {
      service.post(
          "/admin/v1/kyc/cases/" + known.text("caseId") + "/duplicates/" + id,
          "{\"verdict\":\"duplicate\",\"reason\":\"same person\"}",
          service.as(officer));
    }
    service.refuse(
        unknown, "olga", "{\"code\":\"come-to-the-bank\",\"reason\":\"no document shown\"}");
    assertThat(outcome(known)).isEqualTo(outcome(unknown));
  }

  @Test
  void twoOfficersDecideAndTheDocumentBecomesThePersons() {
    Submission first = person("PASSPORT" + number());
    Answer registered = service.submit(first);
    service.approve(registered, "olga", "{}");
    String card = "CARD" + number();
    Answer second = service.submit(again(first).person("documentNumber", card));

    Answer alone = service.verdict(second, registered, "olga", "duplicate", "same face");
    assertThat(alone.text("status")).isEqualTo("possible-duplicate");
    assertThat(service.verdict(second, registered, "olga", "duplicate", "once more").status())
        .as("a repetition is no second person")
        .isEqualTo(200);
    assertThat(
            service
                .file(second, "otto")
                .body()
                .path("events")
                .valueStream()
                .map(JsonNode::toString))
        .as("the answer to a repetition shows the name, so it is recorded")
        .filteredOn(event -> event.contains("\"olga\",\"action\":\"listed\""))
        .hasSize(1);
    assertThat(service.status(second)).isEqualTo("possible-duplicate");
    Answer other = service.verdict(second, registered, "olga", "other-person", "changed my mind");
    assertThat(other.code()).isEqualTo("verdict-given");
    assertThat(
            catchThrowable(() ->
                service
                    .database()
                    .sql(
                        "UPDATE possible_duplicate SET verdict = 'duplicate', decided_at = now() WHERE verdict IS NULL")
                    .update()))
        .hasMessageContaining("two people");
    assertThat(
            catchThrowable(() ->
                service
                    .database()
                    .sql(
                        "UPDATE kyc_case SET status = 'approved', decided_by = 'olga', decided_at = now(),"
                            + " attestation_note = 'x' WHERE id::text = ?")
                    .param(second.text("caseId"))
                    .update()))
        .hasMessageContaining("two people");

    service.verdict(second, registered, "oscar", "duplicate", "same signature");
    assertThat(service.status(second)).isEqualTo("refused");
    assertThat(service.look(second).text("reasonCode")).isEqualTo("come-to-the-bank");
    assertThat(service.file(second, "olga").text("personId"))
        .isEqualTo(service.file(registered, "olga").text("personId"));
    assertThat(approvedOfThatBirthday(registered)).isEqualTo(1);

    Answer third =
        service.submit(Submission.fresh().person("documentNumber", card.toLowerCase(Locale.ROOT)));
    assertThat(duplicate(service.file(third, "olga"), registered).path("sameDocument").asBoolean())
        .as("the card is one of her documents now")
        .isTrue();
  }

  @Test
  void aDuplicateOfADuplicateIsOneOfTheFirst() {
    Submission first = person("PASSPORT" + number());
    Answer a = service.submit(first);
    service.approve(a, "olga", "{}");
    Answer b = service.submit(again(first).person("documentNumber", "CARD" + number()));
    Answer c = service.submit(again(first).person("documentNumber", "CARD" + number()));
    decideDuplicate(c, b);
    decideDuplicate(b, a);
    assertThat(service.status(b)).isEqualTo("refused");
    for (Answer each : List.of(b, c)) {
      assertThat(service.file(each, "olga").text("personId"))
          .isEqualTo(service.file(a, "olga").text("personId"));
    }
    assertThat(service.file(a, "olga").body().path("documents")).hasSize(3);
  }

  @Test
  void whoWaitsBesideADuplicateWaitsBesideItsFirst() {
    String number = number();
    Submission first = person(number);
    Answer a = service.submit(first);
    service.approve(a, "olga", "{}");
    Answer b =
        service.submit(
            again(first).person("documentNumber", number()).person("familyName", "Bellquary"));
    String shared = number();
    Submission bridge =
        again(first).person("documentNumber", shared).person("familyName", "Bellquary");
    Answer bridging = service.submit(bridge);
    Answer c = service.submit(Submission.fresh().person("documentNumber", shared));
    assertThat(service.status(c)).isEqualTo("possible-duplicate");
    decideDuplicate(bridging, a);
    assertThat(service.status(c))
        .as("the document is of the first now")
        .isEqualTo("possible-duplicate");
    assertThat(duplicate(service.file(c, "olga"), a).path("waits").asBoolean()).isTrue();
    assertThat(service.status(b)).isEqualTo("possible-duplicate");
  }

  private void decideDuplicate(Answer later, Answer earlier) {
    service.verdict(later, earlier, "olga", "duplicate", "same face");
    Answer second = service.verdict(later, earlier, "oscar", "duplicate", "same signature");
    assertThat(second.status()).as(second.body().toString()).isEqualTo(200);
  }

  @Test
  void aMisreadBirthDateAndAnotherDocumentAreFound() {
    Submission first = person("PASSPORT" + number()).person("birthDate", "1981-03-07");
    Answer registered = service.submit(first);
    service.approve(registered, "olga", "{}");
    for (String misread : List.of("1981-07-03", "1981-03-01", "1991-03-07", "1981-08-07")) {
      Answer taken =
          service.submit(
              again(first).person("documentNumber", number()).person("birthDate", misread));
      assertThat(service.status(taken)).as(misread).isEqualTo("possible-duplicate");
      JsonNode pair = duplicate(service.file(taken, "olga"), registered);
      assertThat(pair.path("nearBirthDate").asBoolean()).isTrue();
    }
    for (String other : List.of("1972-03-07", "1981-12-31")) {
      Answer taken =
          service.submit(
              person(number()).person("givenName", "Wilhelmina").person("birthDate", other));
      assertThat(service.status(taken)).as(other).isEqualTo("pending");
    }
  }

  @Test
  void anUnreadableNameWaitsForNobodyAndTooManyAlikeAreCut() {
    Submission first = person(number()).person("birthDate", "1955-05-05");
    for (int i = 0; i < 22; i++) {
      service.submit(again(first).person("documentNumber", number()));
    }
    Answer unreadable =
        service.submit(
            again(first)
                .person("documentNumber", number())
                .person("givenName", "V\u0430skell")
                .person("familyName", "Morodan"));
    assertThat(service.status(unreadable)).isEqualTo("pending");
    Answer latin =
        service.submit(
            again(first)
                .person("documentNumber", number())
                .person("givenName", "V\u0430skell")
                .person("latinName", "Tamsin Bellquarry"));
    assertThat(service.status(latin)).isEqualTo("possible-duplicate");
    Answer last = service.submit(again(first).person("documentNumber", number()));
    Answer file = service.file(last, "olga");
    assertThat(file.body().path("duplicates")).hasSize(20);
    assertThat(file.body().path("duplicatesCut").asBoolean()).isTrue();
  }

  @Test
  void namesakesOfOneBirthdayHaveTwoTags() {
    Submission first = person(number());
    Answer one = service.submit(first);
    Answer other = service.submit(again(first).person("documentNumber", number()));
    service.approve(one, "olga", "{}");
    service.verdict(other, one, "olga", "other-person", "another face");
    service.verdict(other, one, "oscar", "other-person", "another signature");
    assertThat(service.approve(other, "olga", "{}").text("status")).isEqualTo("approved");
    assertThat(approvedOfThatBirthday(one)).isEqualTo(2);
    assertThat(
            service
                .database()
                .sql(
                    "SELECT count(DISTINCT tag) FROM person JOIN kyc_case c ON c.person_id = person.id WHERE c.id::text IN (?, ?)")
                .params(one.text("caseId"), other.text("caseId"))
                .query(Long.class)
                .single())
        .isEqualTo(2);
  }

  @Test
  void theFilesLieSideBySideAndTheViewIsRecorded() {
    Submission first = person("PASSPORT" + number());
    Answer registered = service.submit(first);
    Answer second = service.submit(again(first).person("documentNumber", "CARD" + number()));
    Answer both =
        service.get(
            "/admin/v1/kyc/cases/" + second.text("caseId") + "/duplicates", service.as("olga"));
    assertThat(both.body().path("file").path("caseId").asString()).isEqualTo(second.text("caseId"));
    assertThat(both.body().path("others").get(0).path("person").path("documentNumber").asString())
        .isEqualTo(first.personField("documentNumber"));
    for (Answer viewed : List.of(registered, second)) {
      assertThat(service.file(viewed, "otto").body().path("events").toString())
          .contains("\"olga\",\"action\":\"viewed\"");
    }
  }

  @Test
  void aVerdictNeedsAReasonAndAPair() {
    Answer one = service.submit(Submission.fresh());
    Answer other = service.submit(Submission.fresh());
    assertThat(service.verdict(one, other, "olga", "duplicate", null).code())
        .isEqualTo("malformed-request");
    assertThat(service.verdict(one, other, "olga", "maybe", "why").code())
        .isEqualTo("malformed-request");
    assertThat(service.verdict(one, other, "olga", "duplicate", "why").code())
        .isEqualTo("not-found");
  }

  @Test
  void aRefusalOfTheEarlierCaseFreesTheLaterOne() throws Exception {
    Submission first = person("PASSPORT" + number());
    Answer earlier = service.submit(first);
    Answer later = service.submit(again(first).person("documentNumber", "CARD" + number()));
    assertThat(service.status(later)).isEqualTo("possible-duplicate");
    service.refuse(earlier, "olga");
    while (!service.status(later).equals("review")) {
      Thread.sleep(20);
    }
    assertThat(service.file(later, "olga").body().path("matches").get(0).path("list").asString())
        .isEqualTo("refused-registrations");
  }

  @Test
  void othersOfThatBirthdayAreNoDuplicates() {
    Submission first = person(number());
    service.submit(first);
    Answer other =
        service.submit(
            person(number())
                .person("birthDate", first.personField("birthDate"))
                .person("givenName", "Rosalind")
                .person("familyName", "Quillfeather"));
    Answer twin =
        service.submit(
            person(number())
                .person("birthDate", first.personField("birthDate"))
                .person("givenName", "Rosalind"));
    assertThat(service.status(other)).isEqualTo("pending");
    assertThat(service.status(twin)).isEqualTo("pending");
  }

  private static Submission person(String number) {
    return Submission.fresh()
        .person("givenName", "Tamsin")
        .person("familyName", "Bellquarry")
        .person("documentNumber", number);
  }

  private static Submission again(Submission first) {
    return Submission.fresh().samePersonAs(first);
  }

  private static String number() {
    return "N" + UUID.randomUUID().toString().substring(0, 8);
  }

  private static JsonNode duplicate(Answer file, Answer other) {
    for (JsonNode pair : file.body().path("duplicates")) {
      if (pair.path("caseId").asString().equals(other.text("caseId"))) {
        return pair;
      }
    }
    throw new AssertionError("the file does not name the other case");
  }

  private String outcome(Answer taken) {
    Answer seen = service.look(taken);
    return seen.text("status") + " " + seen.text("reasonCode") + " " + seen.text("reason");
  }

  private long approvedOfThatBirthday(Answer registered) {
    return service
        .database()
        .sql(
            """
            SELECT count(*) FROM kyc_case c WHERE status = 'approved' AND birth_key =
                (SELECT birth_key FROM kyc_case WHERE id::text = ?)
            """)
        .param(registered.text("caseId"))
        .query(Long.class)
        .single();
  }
}
