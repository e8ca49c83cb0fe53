package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.list.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Imports the publishers' own files from the folder in the system property {@code
 * solidus.test.sanctions-dir} (files {@code un*.xml}, {@code *sdn*.csv}, {@code *alt*.csv}).
 * Without the property it imports invented lists of the same size.
 */
@Tag("process")
class RealListsTest {
  private static final String END_MARK = "\n\u001A\n";
  private static final String FOLDER = System.getProperty("solidus.test.sanctions-dir", "");

  @Test
  void wholeListsAreImportedAndScreened(@TempDir Path directory) throws Exception {
    Map<String, byte[]> files = files();
    try (SanctionsFixture service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA)) {
      Answer un = service.upload("un", Objects.requireNonNull(files.get("un")));
      Answer sdn = service.upload("ofac", Objects.requireNonNull(files.get("ofac")));
      Answer alt = service.upload("ofac-alt", Objects.requireNonNull(files.get("ofac-alt")));
      assertThat(un.status()).isEqualTo(201);
      assertThat(sdn.status()).isEqualTo(201);
      assertThat(alt.status()).isEqualTo(201);
      assertThat(un.json().path("malformed").asInt() + sdn.json().path("malformed").asInt())
          .isZero();
      assertThat(un.json().path("entries").asInt() + sdn.json().path("entries").asInt())
          .isGreaterThan(FOLDER.isEmpty() ? 8000 : 5000);

      Answer answer = screen(service);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.json().path("lists").size()).isEqualTo(3);
    }
  }

  private static Answer screen(SanctionsFixture service) {
    return service.rest.post(
        "/admin/v1/sanctions/screenings",
        Map.of("fullName", "Tamsin Orowe Bellquarry"),
        service.sanctionsOperator());
  }

  private static Map<String, byte[]> files() throws Exception {
    if (FOLDER.isEmpty()) {
      return Map.of(
          "un", repeated(new String(Samples.un(), StandardCharsets.UTF_8)),
          "ofac", repeatedRows(Samples.ofac(), 1100),
          "ofac-alt", repeatedRows(Samples.ofacAlt(), 2000));
    }
    return Map.of("un", one("un*.xml"), "ofac", one("*sdn*.csv"), "ofac-alt", one("*alt*.csv"));
  }

  private static byte[] one(String pattern) throws Exception {
    try (var found = Files.newDirectoryStream(Path.of(FOLDER), pattern)) {
      Path file = found.iterator().next();
      byte[] bytes = Files.readAllBytes(file);
      // copies of OFAC's files that went through other tools have lost their end mark
      return file.toString().endsWith(".csv")
          ? (new String(bytes, StandardCharsets.ISO_8859_1) + END_MARK)
              .getBytes(StandardCharsets.ISO_8859_1)
          : bytes;
    }
  }

  private static byte[] repeated(String un) {
    int from = un.indexOf("    <INDIVIDUAL>");
    int to = un.indexOf("  </INDIVIDUALS>");
    String whole = un.substring(0, from) + un.substring(from, to).repeat(150) + un.substring(to);
    return whole.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] repeatedRows(byte[] rows, int times) {
    String text = new String(rows, StandardCharsets.UTF_8).replace("\u001A\n", "");
    return (text.repeat(times) + END_MARK).getBytes(StandardCharsets.UTF_8);
  }
}
