package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.names.NameMatcher;
import io.solidus.operator.sanctions.list.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/**
 * Lists are imported completely or not at all, and screening uses them at once. The tests run in
 * order and share their state.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("process")
@ExtendWith(OutputCaptureExtension.class)
class ListImportTest {
  private static SanctionsFixture service;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    service =
        SanctionsFixture.start(
            directory,
            SanctionsFixture.NO_KAFKA,
            Map.of("solidus.sanctions.list-file-limit", "1MB"));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Answer screen(Map<String, Object> person) {
    return service.rest.post(
        "/admin/v1/sanctions/screenings", person, service.as("kim", "kyc-operator"));
  }

  @Test
  @Order(1)
  void screeningFailsBeforeAListIsImported() {
    Answer answer = screen(Map.of("fullName", "Vaskell Morodan"));
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("unavailable");
  }

  @Test
  @Order(2)
  void importsEveryFormatAndScreensAgainstAllLists() throws Exception {
    Answer un = service.upload("un", Samples.un());
    assertThat(un.status()).isEqualTo(201);
    assertThat(un.json().path("version").asLong()).isEqualTo(1);
    assertThat(un.json().path("entries").asInt()).isEqualTo(10);
    assertThat(service.upload("ofac", Samples.ofac()).json().path("entries").asInt()).isEqualTo(7);
    assertThat(service.upload("ofac-alt", Samples.ofacAlt()).json().path("entries").asInt())
        .isEqualTo(5);

    Answer listed =
        screen(
            Map.of(
                "fullName",
                "Andrej MORODAN Waskell",
                "birthDate",
                "1964-03-09",
                "nationality",
                "XX"));
    assertThat(listed.status()).isEqualTo(200);
    JsonNode match = listed.json().path("matches").path(0);
    assertThat(match.path("list").asString()).isEqualTo("un");
    assertThat(match.path("reference").asString()).isEqualTo("SAi.001");
    assertThat(match.path("score").asDouble()).isGreaterThan(0.9);
    assertThat(match.path("birthYear").asString()).isEqualTo("agrees");
    assertThat(listed.json().path("lists").size()).isEqualTo(3);

    assertThat(
            screen(Map.of("fullName", "Pavlo Hryshkovets"))
                .json()
                .path("matches")
                .path(0)
                .path("reference")
                .asString())
        .isEqualTo("900001");
    assertThat(screen(Map.of("fullName", "Ada Lindqvist")).json().path("matches").size()).isZero();
  }

  @Test
  @Order(3)
  void anAnswerSaysAgainstWhatItHolds() {
    JsonNode answer =
        screen(Map.of("fullName", "Andrej MORODAN Waskell", "birthDate", "1964-03-09")).json();
    JsonNode basis = answer.path("basis");
    assertThat(basis.path("lists").size()).isEqualTo(3);
    assertThat(basis.path("lists").path(2).path("list").asString()).isEqualTo("un");
    assertThat(basis.path("lists").path(2).path("version").asLong()).isEqualTo(1);
    assertThat(basis.path("matcher").asString()).isEqualTo(NameMatcher.VERSION);
    assertThat(basis.path("threshold").asDouble()).isEqualTo(0.82);
    assertThat(
            service
                .rest
                .get("/admin/v1/sanctions/basis", service.as("reg", "service"))
                .json()
                .toString())
        .isEqualTo(basis.toString());
    assertThat(answer.path("verdict").asString()).isEqualTo("match");
    assertThat(answer.path("cut").asBoolean()).isFalse();
    JsonNode match = answer.path("matches").path(0);
    assertThat(match.path("key").asString()).isEqualTo("un:SAi.001");
    assertThat(match.path("entryDigest").asString()).matches("[0-9a-f]{32}");
    assertThat(
            StreamSupport.stream(match.path("explanation").spliterator(), false)
                .map(line -> line.path("part").asString() + " " + line.path("how").asString()))
        .contains("name equal", "birth-date exact");
    assertThat(screen(Map.of("fullName", "Ada Lindqvist")).json().path("verdict").asString())
        .isEqualTo("clear");
  }

  /** A name that cannot be read was "screened without a match". */
  @Test
  @Order(3)
  void whatCannotBeReadIsNeverClear() {
    for (String name :
        List.of("𓀀𓀁 𓀂", "Vаskell Тhеоdor", "0leg Petrow", "a ".repeat(24) + "Morodan")) {
      assertThat(screen(Map.of("fullName", name)).json().path("verdict").asString())
          .as(name)
          .isEqualTo("unreadable");
    }
    assertThat(
            screen(Map.of("fullName", "𓀀𓀁 𓀂", "latinName", "Ada Lindqvist"))
                .json()
                .path("verdict")
                .asString())
        .isEqualTo("clear");
    assertThat(
            screen(Map.of("fullName", "𓀀𓀁 𓀂", "latinName", "Vaskell Andrei Morodan"))
                .json()
                .path("verdict")
                .asString())
        .isEqualTo("match");
  }

  @Test
  @Order(3)
  void screensManyPersonsInOneCall() {
    Answer answer =
        batch(
            Map.of(
                "persons",
                List.of(
                    Map.of("fullName", "Ada Lindqvist"),
                    Map.of("fullName", "Vaskell Andrei Morodan"))));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(
            StreamSupport.stream(answer.json().path("answers").spliterator(), false)
                .map(one -> one.path("verdict").asString()))
        .containsExactly("clear", "match");
    assertThat(answer.json().path("basis").path("lists").size()).isEqualTo(3);
    assertThat(batch(Map.of("persons", List.of())).code()).isEqualTo("malformed-request");
    assertThat(batch(Map.of("persons", Collections.nCopies(501, Map.of("fullName", "A B")))).code())
        .isEqualTo("malformed-request");
    assertThat(
            batch(
                    Map.of(
                        "persons",
                        List.of(Map.of("fullName", "A B")),
                        "entriesSince",
                        Map.of("eu", 1)))
                .code())
        .isEqualTo("malformed-request");
  }

  /** Who was cleared against a version is compared with what changed since only. */
  @Test
  @Order(3)
  void comparesOnlyEntriesThatChanged() {
    List<Map<String, String>> persons = List.of(Map.of("fullName", "Vaskell Andrei Morodan"));
    assertThat(
            batch(
                    Map.of(
                        "persons",
                        persons,
                        "entriesSince",
                        Map.of("un", 1, "ofac", 1, "ofac-alt", 1)))
                .json()
                .path("answers")
                .path(0)
                .path("matches")
                .size())
        .isZero();
    for (Map<String, Integer> since : List.of(Map.of("ofac", 1), Map.of("un", 99))) {
      assertThat(
              batch(Map.of("persons", persons, "entriesSince", since))
                  .json()
                  .path("answers")
                  .path(0)
                  .path("matches")
                  .size())
          .isEqualTo(1);
    }
  }

  private static Answer batch(Map<String, Object> persons) {
    return service.rest.post(
        "/admin/v1/sanctions/screenings/batch", persons, service.as("reg", "service"));
  }

  @Test
  @Order(3)
  void aRepeatedFileKeepsItsVersion() throws Exception {
    Answer again = service.upload("un", Samples.un());
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("proposal").isNull()).isTrue();
    assertThat(again.json().path("inForce").path("version").asLong()).isEqualTo(1);
  }

  @Test
  @Order(4)
  void aRefusedFileChangesNothing() throws Exception {
    byte[] un = Samples.un();
    Answer truncated = service.upload("un", Arrays.copyOf(un, un.length - 200));
    assertThat(truncated.status()).isEqualTo(400);
    assertThat(truncated.code()).isEqualTo("list-format-invalid");
    assertThat(truncated.contentType()).startsWith("application/problem+json");
    assertThat(service.upload("ofac", un).code()).isEqualTo("list-format-invalid");
    assertThat(screen(Map.of("fullName", "Vaskell Andrei Morodan")).json().path("matches").size())
        .isEqualTo(1);
    assertThat(
            service
                .database
                .jdbc()
                .sql("SELECT count(*) FROM listed_entry")
                .query(Long.class)
                .single())
        .isEqualTo(22);
  }

  @Test
  @Order(5)
  void refusesAFileOverTheLimit() {
    Answer answer = service.upload("un", new byte[1024 * 1024 + 1]);
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.code()).isEqualTo("body-too-large");
  }

  @Test
  @Order(6)
  void aFileThatRemovesMuchIsInForceOnlyWhenTwoSayWhy() {
    byte[] one =
        "900001,\"GRISHKOVETZ, Pavlo\",\"individual\",\"S\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n\u001A\n"
            .getBytes(StandardCharsets.UTF_8);
    Answer refused = service.upload("ofac", one);
    assertThat(refused.code()).isEqualTo("list-needs-reason");
    assertThat(refused.json().path("detail").asString()).contains("removes-many");
    Answer imported = service.importFile("ofac", one, "?reason=the+programme+has+ended");
    assertThat(imported.status()).isEqualTo(202);
    JsonNode payload = imported.json().path("proposal").path("payload");
    assertThat(payload.path("removed").asInt()).isEqualTo(6);
    assertThat(payload.path("changed").asInt()).isEqualTo(1);
    assertThat(payload.path("added").asInt()).isZero();
    assertThat(payload.path("reason").asString()).isEqualTo("the programme has ended");
    // before the second person decides, nothing changes
    assertThat(screen(Map.of("fullName", "Lennart Ostervald Kruge")).json().path("matches").size())
        .isEqualTo(1);
    String id = SanctionsFixture.proposalOf(imported);
    JsonNode delta =
        service
            .rest
            .get("/admin/v1/sanctions/lists/ofac/imports/" + id + "/delta", service.approver())
            .json();
    assertThat(delta.path("changes").size()).isEqualTo(7);
    assertThat(
            service
                .rest
                .get(
                    "/admin/v1/sanctions/lists/ofac/imports/" + id + "/delta?cursor=%00",
                    service.approver())
                .code())
        .isEqualTo("malformed-request");
    JsonNode changed = delta.path("changes").path(0);
    assertThat(changed.path("change").asString()).isEqualTo("changed");
    assertThat(changed.path("before").path(0).path("names").path(0).asString())
        .isEqualTo("GRISHKOVETZ, Pavlo Demyanov");
    assertThat(changed.path("after").path(0).path("names").path(0).asString())
        .isEqualTo("GRISHKOVETZ, Pavlo");
    assertThat(delta.path("changes").path(3).path("change").asString()).isEqualTo("removed");

    assertThat(service.approve(id, service.approver()).code()).isEqualTo("confirmation-needed");
    Map<String, String> confirmation = Map.of("confirmation", "the gazette says so");
    String decision = "/admin/v1/approvals/" + id;
    assertThat(service.rest.post(decision, confirmation, service.sanctionsOperator()).status())
        .isEqualTo(403);
    Answer accepted = service.rest.post(decision, confirmation, service.approver());
    assertThat(accepted.status()).isEqualTo(200);
    assertThat(accepted.json().path("outcome").path("version").asLong()).isEqualTo(2);
    assertThat(accepted.json().path("outcome").path("confirmation").asString())
        .isEqualTo("the gazette says so");
    assertThat(screen(Map.of("fullName", "Lennart Ostervald Kruge")).json().path("matches").size())
        .isZero();
    // its alternate names join the new version
    assertThat(screen(Map.of("fullName", "Hryshkovets Pavlo")).json().path("matches").size())
        .isEqualTo(1);
  }

  @Test
  @Order(7)
  void showsTheNewestAndFormerVersions() {
    Answer lists = service.rest.get("/admin/v1/sanctions/lists", service.as("aud", "auditor"));
    assertThat(
            StreamSupport.stream(lists.json().path("lists").spliterator(), false)
                .map(l -> l.path("list").asString()))
        .containsExactly("ofac", "ofac-alt", "un");
    JsonNode versions =
        service
            .rest
            .get("/admin/v1/sanctions/lists/ofac/versions", service.as("aud", "auditor"))
            .json();
    assertThat(versions.path("versions").size()).isEqualTo(2);
    assertThat(versions.path("versions").path(0).path("importedBy").asString()).isEqualTo("olga");
    assertThat(versions.path("versions").path(0).path("acceptedBy").asString()).isEqualTo("anna");
    assertThat(versions.path("next").asLong()).isZero();
  }

  @Test
  @Order(8)
  void screeningsAreNotLogged(CapturedOutput output) {
    screen(Map.of("fullName", "Canaryson Logleak", "birthDate", "1911-11-11"));
    screen(Map.of("fullName", "Canaryson Logleak", "birthDate", "no date"));
    service.upload(
        "un", "<CONSOLIDATED_LIST><INDIVIDUALS>Canaryson".getBytes(StandardCharsets.UTF_8));
    assertThat(output).doesNotContain("Canaryson").doesNotContain("1911-11-11");
  }

  @Test
  @Order(9)
  void refusesBadRequests() {
    assertThat(service.upload("eu", new byte[] {1}).status()).isEqualTo(404);
    assertThat(screen(Map.of("fullName", " ")).code()).isEqualTo("malformed-request");
    assertThat(screen(Map.of("fullName", "x".repeat(513))).code()).isEqualTo("malformed-request");
    assertThat(screen(Map.of("fullName", "A B", "birthDate", "yesterday")).code())
        .isEqualTo("malformed-request");
    assertThat(screen(Map.of("fullName", "A B", "extra", 1)).code()).isEqualTo("malformed-request");
    assertThat(screen(Map.of("fullName", "A B", "gender", "x")).code())
        .isEqualTo("malformed-request");
    assertThat(screen(Map.of("fullName", "A B", "documentNumbers", List.of(" "))).code())
        .isEqualTo("malformed-request");
  }

  @Test
  @Order(10)
  void needsTheRightRole() throws Exception {
    assertThat(
            service.rest.post("/admin/v1/sanctions/screenings", Map.of("fullName", "A B")).status())
        .isEqualTo(401);
    assertThat(
            service
                .rest
                .post(
                    "/admin/v1/sanctions/screenings",
                    Map.of("fullName", "A B"),
                    service.as("x", "issuance-operator"))
                .status())
        .isEqualTo(403);
    assertThat(
            service
                .rest
                .send(
                    "POST",
                    "/admin/v1/sanctions/lists/un/imports",
                    "x",
                    service.as("kim", "kyc-operator"))
                .status())
        .isEqualTo(403);
  }
}
