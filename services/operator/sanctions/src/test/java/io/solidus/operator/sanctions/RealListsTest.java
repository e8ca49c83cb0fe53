package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.list.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Imports the publishers' own files from the folder that the system property {@code
 * solidus.test.sanctions-dir} names (files {@code un*.xml}, {@code *sdn*.csv}, {@code *alt*.csv});
 * without it, lists of the same size made of the invented ones.
 */
class RealListsTest {
  private static final Duration IMPORT_LIMIT = Duration.ofSeconds(20);

  private record Files3(byte[] un, byte[] sdn, byte[] alt, int entries) {}

  @Test
  void wholeListsAreImportedInSecondsAndScreenedInAMoment(@TempDir Path directory)
      throws Exception {
    Files3 files = files();
    try (SanctionsFixture service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA)) {
      long start = System.nanoTime();
      Answer un = service.upload("un", files.un());
      Answer sdn = service.upload("ofac", files.sdn());
      Answer alt = service.upload("ofac-alt", files.alt());
      Duration imports = Duration.ofNanos(System.nanoTime() - start);
      assertThat(un.status()).isEqualTo(201);
      assertThat(sdn.status()).isEqualTo(201);
      assertThat(alt.status()).isEqualTo(201);
      assertThat(un.json().path("malformed").asInt() + sdn.json().path("malformed").asInt())
          .isZero();
      assertThat(un.json().path("entries").asInt() + sdn.json().path("entries").asInt())
          .isGreaterThan(files.entries());
      assertThat(imports).isLessThan(IMPORT_LIMIT);

      screen(service);
      start = System.nanoTime();
      Answer answer = screen(service);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
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

  private static Files3 files() throws Exception {
    String folder = System.getProperty("solidus.test.sanctions-dir", "");
    if (folder.isEmpty()) {
      return new Files3(
          repeated(new String(Samples.un(), StandardCharsets.UTF_8)),
          repeatedRows(Samples.ofac(), 1100),
          repeatedRows(Samples.ofacAlt(), 2000),
          8000);
    }
    return new Files3(
        one(folder, "un*.xml"), one(folder, "*sdn*.csv"), one(folder, "*alt*.csv"), 5000);
  }

  private static byte[] one(String folder, String pattern) throws Exception {
    try (var found = Files.newDirectoryStream(Path.of(folder), pattern)) {
      return Files.readAllBytes(found.iterator().next());
    }
  }

  private static byte[] repeated(String un) {
    int from = un.indexOf("    <INDIVIDUAL>");
    int to = un.indexOf("  </INDIVIDUALS>");
    String whole = un.substring(0, from) + un.substring(from, to).repeat(150) + un.substring(to);
    return whole.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] repeatedRows(byte[] rows, int times) {
    return new String(rows, StandardCharsets.UTF_8).repeat(times).getBytes(StandardCharsets.UTF_8);
  }
}
