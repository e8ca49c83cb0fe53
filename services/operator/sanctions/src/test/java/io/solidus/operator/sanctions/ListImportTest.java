package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.list.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
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
  void aRepeatedFileKeepsItsVersion() throws Exception {
    Answer again = service.upload("un", Samples.un());
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("version").asLong()).isEqualTo(1);
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
  void refusesAShrunkListWithoutAcceptShrinkage() {
    byte[] one =
        "900001,\"GRISHKOVETZ, Pavlo\",\"individual\",\"S\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \n"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(service.upload("ofac", one).code()).isEqualTo("list-shrunk");
    Answer forced = service.upload("ofac", one, "?acceptShrinkage=true");
    assertThat(forced.status()).isEqualTo(201);
    assertThat(forced.json().path("version").asLong()).isEqualTo(2);
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
                    "PUT",
                    "/admin/v1/sanctions/lists/un/versions",
                    "x",
                    service.as("kim", "kyc-operator"))
                .status())
        .isEqualTo(403);
  }
}
