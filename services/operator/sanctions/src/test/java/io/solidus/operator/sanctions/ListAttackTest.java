package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.list.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What switched screening off in the operators' audit: a cut download, one operator alone, an old
 * file, and SQL of the service's own role. After each of them a listed person is still found. The
 * tests run in order and share their state.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("process")
class ListAttackTest {
  private static final int ROWS = 500;
  private static final String LISTED = "Quentaro Ximena";
  private static SanctionsFixture service;

  @BeforeAll
  static void importsLists(@TempDir Path directory) throws Exception {
    service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA);
    assertThat(service.upload("un", Samples.un()).status()).isEqualTo(201);
    assertThat(service.upload("ofac", sdn(ROWS)).status()).isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** A list whose last row is the listed person. */
  private static byte[] sdn(int rows) {
    StringBuilder file = new StringBuilder();
    for (int number = 1; number < rows; number++) {
      file.append(row(number, "INVENTED" + number + ", Person"));
    }
    return (file + row(rows, "QUENTARO, Ximena") + "\u001A\n").getBytes(StandardCharsets.UTF_8);
  }

  private static String row(int number, String name) {
    return number
        + ",\""
        + name
        + "\",\"individual\",\"S\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 1960.\"\n";
  }

  private static void assertListedPersonIsFound() {
    Answer answer =
        service.rest.post(
            "/admin/v1/sanctions/screenings",
            Map.of("fullName", LISTED),
            service.sanctionsOperator());
    assertThat(answer.json().path("matches").size()).isEqualTo(1);
  }

  @Test
  @Order(1)
  void aCutDownloadNeedsAReason() {
    byte[] whole = sdn(ROWS);
    Answer cut = service.importFile("ofac", Arrays.copyOf(whole, whole.length * 6 / 10), "");
    assertThat(cut.status()).isEqualTo(400);
    assertThat(cut.code()).isEqualTo("list-needs-reason");
    assertThat(cut.json().path("detail").asString()).contains("no-end-mark", "removes-many");
    // without the last row and the mark, too
    Answer last = service.importFile("ofac", Arrays.copyOf(whole, whole.length - 40), "");
    assertThat(last.json().path("detail").asString()).contains("no-end-mark");
    assertListedPersonIsFound();
  }

  @Test
  @Order(2)
  void onePersonCannotReplaceAList() {
    byte[] one = (row(1, "NOBODY, Nobody") + "\u001A\n").getBytes(StandardCharsets.UTF_8);
    for (String query : List.of("", "?acceptShrinkage=true")) {
      assertThat(service.importFile("ofac", one, query).code()).isEqualTo("list-needs-reason");
    }
    String[] both = service.as("olga", "sanctions-operator", "approver");
    Answer imported = service.importFile("ofac", one, "?reason=because");
    String decision = "/admin/v1/approvals/" + SanctionsFixture.proposalOf(imported);
    assertThat(service.rest.post(decision, Map.of("confirmation", "me too"), both).status())
        .isEqualTo(403);
    // a second person who does not look accepts nothing
    assertThat(service.rest.post(decision, Map.of(), service.approver()).code())
        .isEqualTo("confirmation-needed");
    assertListedPersonIsFound();
    assertThat(
            service
                .rest
                .post(decision + "/refusal", Map.of("reason", "invented"), service.approver())
                .status())
        .isEqualTo(200);
  }

  @Test
  @Order(3)
  void anOlderFileNeedsAReason() throws Exception {
    String newer = new String(Samples.un(), StandardCharsets.UTF_8);
    for (String date : List.of("dateGenerated=\"2001-01-01T00:00:00\"", "")) {
      byte[] old =
          newer.replaceFirst("dateGenerated=\"[^\"]*\"", date).getBytes(StandardCharsets.UTF_8);
      Answer answer = service.importFile("un", old, "");
      assertThat(answer.code()).isEqualTo("list-needs-reason");
      assertThat(answer.json().path("detail").asString()).contains("older-publication");
    }
    byte[] future =
        newer
            .replaceFirst("dateGenerated=\"[^\"]*\"", "dateGenerated=\"2999-01-01T00:00:00\"")
            .getBytes(StandardCharsets.UTF_8);
    assertThat(service.importFile("un", future, "").json().path("detail").asString())
        .contains("future-publication");
  }

  @Test
  @Order(4)
  void otherNamesUnderTheSameReferencesNeedAReason() {
    byte[] hollow =
        new String(sdn(ROWS), StandardCharsets.UTF_8)
            .replace("INVENTED", "HOLLOW")
            .getBytes(StandardCharsets.UTF_8);
    assertThat(service.importFile("ofac", hollow, "").json().path("detail").asString())
        .contains("changes-many");
  }

  @Test
  @Order(5)
  void manyMalformedRowsNeedAReason() {
    String whole = new String(sdn(ROWS), StandardCharsets.UTF_8);
    byte[] broken =
        whole.replace("\u001A", "broken\n".repeat(20) + "\u001A").getBytes(StandardCharsets.UTF_8);
    assertThat(service.importFile("ofac", broken, "").json().path("detail").asString())
        .contains("many-malformed");
  }

  @Test
  @Order(6)
  void anImportAgainstAFormerVersionIsOutdated() {
    String first =
        SanctionsFixture.proposalOf(service.importFile("ofac", sdn(ROWS + 1), "?reason=r"));
    Answer second = service.importFile("ofac", sdn(ROWS + 2), "?reason=r");
    assertThat(
            service
                .rest
                .post(
                    "/admin/v1/approvals/" + SanctionsFixture.proposalOf(second),
                    Map.of("confirmation", "c"),
                    service.approver())
                .status())
        .isEqualTo(200);
    Answer outdated = service.approve(first, service.approver());
    assertThat(outdated.status()).isEqualTo(409);
    assertThat(outdated.code()).isEqualTo("list-import-outdated");
    assertListedPersonIsFound();
  }

  @Test
  @Order(7)
  void importsThatWaitAreBounded() {
    // the outdated one still waits
    assertThat(service.importFile("ofac", sdn(ROWS + 3), "").status()).isEqualTo(202);
    assertThat(service.importFile("ofac", sdn(ROWS + 4), "").status()).isEqualTo(202);
    Answer fourth = service.importFile("ofac", sdn(ROWS + 5), "");
    assertThat(fourth.status()).isEqualTo(409);
    assertThat(fourth.code()).isEqualTo("list-imports-pending");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE listed_entry SET names = ARRAY['NOBODY']",
        "DELETE FROM listed_entry",
        "DELETE FROM listed_entry WHERE version = (SELECT max(version) FROM listed_entry)",
        "TRUNCATE listed_entry",
        "INSERT INTO listed_entry SELECT list, version, 1000000, reference, kind, names, weak_names,"
            + " birth_from, birth_to FROM listed_entry WHERE ordinal = 0",
        "UPDATE list_head SET version = 1 WHERE list = 'ofac'",
        "UPDATE list_head SET version = 99 WHERE list = 'ofac'",
        "DELETE FROM list_head",
        "TRUNCATE list_head CASCADE",
        "UPDATE list_import SET base = 0",
        "DELETE FROM list_import",
        "UPDATE list_version SET entries = 0",
        "INSERT INTO list_version SELECT list, 99, file_digest, file_bytes, published, entries, names,"
            + " malformed, malformed_at, imported_by, imported_at FROM list_version LIMIT 1"
      })
  @Order(8)
  void theServicesOwnSqlChangesNoList(String statement) {
    assertThatThrownBy(() -> service.database.jdbc().sql(statement).update())
        .hasMessageContaining("ERROR");
    assertListedPersonIsFound();
  }
}
