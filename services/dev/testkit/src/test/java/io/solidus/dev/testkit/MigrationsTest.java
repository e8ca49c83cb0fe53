package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Digest32;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every migration of the source tree. A released one never changes. A new one declares that it
 * expands or contracts, and does only that. The file released-migrations.txt pins the released
 * ones: baseline (the first), expand or contract; the digest; the file.
 */
class MigrationsTest {

  private static final Path PINS =
      RepositoryFiles.root()
          .resolve("services/dev/testkit/src/test/resources/released-migrations.txt");

  private record Pin(String kind, String digest) {}

  @Test
  void releasedMigrationsAreNeverEdited() throws Exception {
    Map<String, String> migrations = migrations();
    pins()
        .forEach((file, pin) ->
            assertThat(migrations)
                .as("a released migration is never removed")
                .hasEntrySatisfying(
                    file,
                    sql ->
                        assertThat(digest(sql))
                            .as(
                                "%s is released: databases that ran it would refuse the change."
                                    + " Write a new migration",
                                file)
                            .isEqualTo(pin.digest())));
  }

  @Test
  void everyMigrationIsPinnedOrDeclaresItsKind() throws Exception {
    Map<String, Pin> pins = pins();
    migrations()
        .forEach((file, sql) -> {
          if (!pins.containsKey(file)) {
            assertThat(MigrationRules.kind(sql))
                .as(
                    "%s: the first line is \"-- expand: why\" or \"-- contract after VERSION: why\"",
                    file)
                .isPresent();
          }
        });
    assertThat(pins.values())
        .allSatisfy(pin -> assertThat(pin.kind()).isIn("baseline", "expand", "contract"));
  }

  @Test
  void expandingMigrationsOnlyAdd() throws Exception {
    Map<String, Pin> pins = pins();
    List<String> expanding = new ArrayList<>();
    migrations()
        .forEach((file, sql) -> {
          Pin pin = pins.get(file);
          boolean expands =
              pin != null
                  ? pin.kind().equals("expand")
                  : MigrationRules.kind(sql).equals(Optional.of(MigrationRules.Kind.EXPAND));
          if (expands) {
            expanding.add(file);
            assertThat(MigrationRules.notExpanding(sql)).as(file).isEmpty();
          }
        });
    assertThat(expanding).as("migrations that the rules were applied to").isNotEmpty();
  }

  /**
   * Flyway runs migrations in the order of versions: versions are unique in a folder, and a new one
   * is greater than all released ones.
   */
  @Test
  void newMigrationsComeLast() throws Exception {
    Map<String, Long> released = new TreeMap<>();
    pins().keySet().forEach(file -> released.merge(folder(file), version(file), Math::max));
    Map<String, Pin> pins = pins();
    migrations().keySet().stream()
        .filter(file -> !pins.containsKey(file))
        .forEach(file ->
            assertThat(version(file))
                .as(file)
                .isGreaterThan(released.getOrDefault(folder(file), 0L)));
    List<String> versions =
        migrations().keySet().stream().map(file -> folder(file) + " " + version(file)).toList();
    assertThat(versions).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TABLE cores;",
        "ALTER TABLE cores DROP COLUMN reply;",
        "ALTER TABLE cores RENAME COLUMN reply TO answer;",
        "ALTER TABLE cores RENAME TO answers;",
        "ALTER TABLE cores ALTER COLUMN family TYPE integer;",
        "ALTER TABLE cores ALTER reply SET NOT NULL;",
        "ALTER TABLE cores ADD COLUMN note text NOT NULL;",
        "ALTER TABLE cores ADD note text NOT NULL;",
        "ALTER TABLE cores ADD COLUMN a text, DROP COLUMN b;",
        "ALTER TABLE cores ADD COLUMN a text UNIQUE;",
        "ALTER TABLE cores ADD COLUMN a bytea REFERENCES serials (serial);",
        "ALTER TABLE cores ADD CONSTRAINT c CHECK (family > 0);",
        "ALTER TABLE cores ADD CONSTRAINT c CHECK (family > 0) NOT VALID;",
        "ALTER TABLE cores ALTER COLUMN effective_at DROP DEFAULT;",
        "CREATE INDEX by_family ON cores (family);",
        "CREATE UNIQUE INDEX CONCURRENTLY by_reply ON cores (reply);",
        "CREATE TRIGGER t BEFORE INSERT ON cores FOR EACH ROW EXECUTE FUNCTION f();",
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;",
        "UPDATE cores SET family = 1;",
        "DELETE FROM cores;",
        "TRUNCATE cores;",
        "REVOKE INSERT ON cores FROM solidus;",
        "LOCK TABLE cores;",
        "/* harmless */ drop\n  table cores;",
        "SELECT 'a;b'; DROP TABLE cores;",
        "DO $$ BEGIN DROP TABLE cores; END $$;"
      })
  void refusesWhatDoesNotExpand(String sql) {
    assertThat(MigrationRules.notExpanding(sql)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE a (id bigint PRIMARY KEY, b text NOT NULL); CREATE INDEX b ON a (b); INSERT INTO a VALUES (1, 'DROP TABLE cores;');",
        "CREATE TABLE a (id bigint); ALTER TABLE a ADD CONSTRAINT c CHECK (id > 0);",
        "ALTER TABLE cores ADD COLUMN note text;",
        "ALTER TABLE cores ADD COLUMN note text NOT NULL DEFAULT '', ADD COLUMN n integer DEFAULT 0;",
        "ALTER TABLE cores VALIDATE CONSTRAINT c;",
        "CREATE INDEX CONCURRENTLY by_family ON cores (family);",
        "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN DROP TABLE cores; END $body$;",
        "-- DROP TABLE cores;\nCOMMENT ON TABLE cores IS 'DROP';",
        "ALTER TABLE cores SET (fillfactor = 35);"
      })
  void allowsWhatExpands(String sql) {
    assertThat(MigrationRules.notExpanding(sql)).isEmpty();
  }

  @Test
  void firstLineDeclaresTheKind() {
    assertThat(MigrationRules.kind("-- expand: room for the payee's note\nALTER ..."))
        .contains(MigrationRules.Kind.EXPAND);
    assertThat(MigrationRules.kind("-- contract after 0.2.0: nobody reads it\nDROP ..."))
        .contains(MigrationRules.Kind.CONTRACT);
    assertThat(MigrationRules.kind("-- contract: nobody reads it\n")).isEmpty();
    assertThat(MigrationRules.kind("-- Expand\n")).isEmpty();
    assertThat(MigrationRules.kind("")).isEmpty();
  }

  private static String folder(String file) {
    return file.substring(0, file.lastIndexOf('/'));
  }

  private static long version(String file) {
    String name = file.substring(file.lastIndexOf('/') + 1);
    String version = name.substring(1, name.indexOf("__"));
    // versions 0.1, 0.2 are the shared tables, which precede each service's own
    return version.startsWith("0_")
        ? Long.parseLong(version.substring(2))
        : 1000 + Long.parseLong(version);
  }

  private static Map<String, Pin> pins() throws IOException {
    Map<String, Pin> pins = new TreeMap<>();
    for (String line : Files.readAllLines(PINS)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split("\\s+", -1);
        pins.put(parts[2], new Pin(parts[0], parts[1]));
      }
    }
    assertThat(pins).isNotEmpty();
    return pins;
  }

  /** All migrations by path; an unexpected folder fails the test. */
  private static Map<String, String> migrations() throws IOException {
    Map<String, String> migrations = new TreeMap<>();
    Path services = RepositoryFiles.root().resolve("services");
    try (Stream<Path> all = Files.walk(services)) {
      for (Path file :
          all.filter(path -> path.toString().matches(".*/src/main/resources/.*\\.sql")).toList()) {
        migrations.put(RepositoryFiles.root().relativize(file).toString(), Files.readString(file));
      }
    }
    assertThat(migrations.keySet())
        .allMatch(file -> file.matches(".*/db/.*/V[0-9_]+__[a-z_]+\\.sql"));
    return migrations;
  }

  private static String digest(String sql) {
    return Digest32.sha256(sql.getBytes(StandardCharsets.UTF_8)).hex();
  }
}
