package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.RepositoryFiles;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.operator.sanctions.list.Samples;
import io.solidus.platform.time.RepeatedJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log of a service: what is in it, and what somebody does to it past its triggers. */
@Tag("process")
class AuditLogTest {
  private static final String EVENTS = "/admin/v1/sanctions/events";
  private static final String ADDRESS = "0a".repeat(32);

  @TempDir private Path dir;
  private final MovableClock clock = new MovableClock("2026-11-25T10:00:00Z");

  private SanctionsFixture start() throws IOException {
    Files.write(dir.resolve("audit.seed"), seed());
    return SanctionsFixture.start(
        dir,
        SanctionsFixture.NO_KAFKA,
        Map.of(
            "solidus.audit.note-key-file",
            dir.resolve("audit.seed"),
            "solidus.audit.notes-file",
            notesFile()),
        clock);
  }

  private Path notesFile() {
    return dir.resolve("notes.txt");
  }

  private String file() {
    try {
      return Files.exists(notesFile()) ? Files.readString(notesFile()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] seed() {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) 7);
    return seed;
  }

  private static String key() {
    return SanctionsFixture.signer("solidus/audit/sanctions", (byte) 7)
        .publicKey()
        .publicKey()
        .base64();
  }

  @Test
  void saysWhoImportedDecidedProposedAndLooked() throws Exception {
    try (SanctionsFixture service = start()) {
      String imported = SanctionsFixture.proposalOf(service.importFile("un", Samples.un(), ""));
      service.rest.get(
          "/admin/v1/sanctions/lists/un/imports/" + imported + "/delta", service.approver());
      service.approve(imported, service.approver());
      service.rest.post(
          "/admin/v1/sanctions/screenings",
          Map.of("fullName", "Secret Canary"),
          service.as("kyra", "kyc-operator"));
      service.rest.post(
          "/admin/v1/sanctions/screenings",
          Map.of("fullName", "Secret Canary"),
          service.as("machine", "service"));
      service.list(ADDRESS);
      service.rest.get("/admin/v1/sanctions/addresses", service.as("ada", "auditor"));
      service.publishCheckpoint();

      List<String> all = kinds(service, "");
      assertThat(all)
          .containsSubsequence(
              "olga: list-import proposed",
              "anna: list-import delta read",
              "anna: list-import approved",
              "kyra: name screened",
              "olga: address-listing proposed",
              "anna: address-listing approved",
              "ada: addresses read",
              "olga: checkpoint published")
          .doesNotContain("machine: name screened");
      assertThat(events(service, "?object=" + imported).body())
          .contains("list-import approved")
          .doesNotContain("address-listing");
      assertThat(kinds(service, "?actor=KYRA")).containsExactly("kyra: name screened");
      assertThat(kinds(service, "?kind=address-listing"))
          .containsExactly("olga: address-listing proposed", "anna: address-listing approved");
      assertThat(kinds(service, "?from=2026-11-26")).isEmpty();
      assertThat(kinds(service, "?to=2026-11-25")).isEmpty();
      assertThat(kinds(service, "?from=2026-11-25T10:00:00Z")).isEqualTo(all);
      assertThat(service.rest.get(EVENTS, service.as("ada", "auditor")).body())
          .doesNotContain("Canary");

      List<String> paged = new ArrayList<>();
      long cursor = 0;
      do {
        Answer page = events(service, "?limit=3&cursor=" + cursor);
        page.json()
            .path("events")
            .forEach(event ->
                paged.addFirst(
                    event.path("actor").asString() + ": " + event.path("kind").asString()));
        cursor = page.json().path("next").asLong();
      } while (cursor > 0);
      assertThat(paged).isEqualTo(all);
      for (String wrong :
          List.of("?from=yesterday", "?limit=0", "?limit=501", "?actor=" + "x".repeat(256))) {
        assertThat(events(service, wrong).status()).as(wrong).isEqualTo(400);
      }
    }
  }

  @Test
  void noCellOfADownloadIsAFormula() throws Exception {
    try (SanctionsFixture service = start()) {
      for (String object : List.of("=1+1", "+1", "-1", "@x", "\tx", "\rx", "a \"b\", c")) {
        add(service, "=cmd()", object);
      }
      String csv =
          service
              .rest
              .get(EVENTS + "/download?format=csv&actor==cmd()", service.as("ada", "auditor"))
              .body();
      assertThat(csv.split("\r\n"))
          .hasSize(8)
          .allSatisfy(line -> assertThat(line).doesNotContainPattern("(^|,)\"?[=+@\t\r-]"));
      assertThat(csv).contains("'=cmd(),seen,'=1+1").contains("\"a \"\"b\"\", c\"");
      Answer lines =
          service.rest.get(
              EVENTS + "/download?format=jsonl&actor=%3Dcmd()&limit=2",
              service.as("ada", "auditor"));
      assertThat(lines.body().lines()).hasSize(2);
      assertThat(lines.header("Solidus-Next")).isNotEqualTo("0");
      assertThat(
              service
                  .rest
                  .get(EVENTS + "/download?format=xls", service.as("ada", "auditor"))
                  .status())
          .isEqualTo(400);
    }
  }

  @Test
  void notesOutsideTheDatabaseShowWhatTheLogHides() throws Exception {
    try (SanctionsFixture service = start()) {
      Await.until("a new log begins with a note", () -> notes(service).contains("day 2026-11-24"));
      // position 1 is the first checkpoint
      for (int i = 1; i <= 3; i++) {
        add(service, "anna", "first " + i);
      }
      moveTo(service, "2026-11-26T00:00:30Z", "2026-11-25");
      for (int i = 4; i <= 5; i++) {
        add(service, "anna", "second " + i);
      }
      // 26 and 27 November have ended: a missed day is closed, and so is one without events
      moveTo(service, "2026-11-28T12:00:00Z", "2026-11-27");
      String kept = file();
      assertThat(kept).isEqualTo(notes(service));
      assertThat(service.gauge("solidus.audit.days.open")).isZero();
      assertThat(service.gauge("solidus.audit.touched")).isZero();

      Verdict intact = verify(export(service), kept);
      assertThat(intact.status()).as(intact.said()).isZero();
      assertThat(intact.said()).contains("2026-11-24 to 2026-11-27");
      assertThat(verify(export(service), null).status()).as("no note, no head").isEqualTo(3);

      // a new column changes no seal
      service.database.jdbc().sql("ALTER TABLE operator_event ADD COLUMN bank text").update();
      assertThat(verify(export(service), kept).status()).isZero();

      past(service, "UPDATE operator_event SET actor = 'nobody' WHERE subject = 'first 2'");
      assertTouched(verify(export(service), kept), "position 3: the row was changed");
      past(service, "UPDATE operator_event SET actor = 'anna' WHERE subject = 'first 2'");
      assertThat(verify(export(service), kept).status()).isZero();
      past(service, "DELETE FROM operator_event WHERE subject = 'second 4'");
      assertTouched(verify(export(service), kept), "position 5: the row was removed");
      past(service, "TRUNCATE operator_event");
      assertTouched(verify(export(service), kept), "position 1: the row was removed");

      // seals that contradict the last note get no other one
      past(service, "TRUNCATE operator_event, event_seal");
      clock.set("2026-11-29T00:10:00Z");
      notesJob(service).wake();
      Await.until("the service notices", () -> service.gauge("solidus.audit.touched") == 1);
      assertThat(service.gauge("solidus.audit.days.open")).isEqualTo(1);
      assertThat(file()).isEqualTo(kept);

      // whoever empties everything, the notes in the database too, still has not the file
      past(service, "TRUNCATE operator_event, event_seal, audit_note");
      assertTouched(verify(export(service), kept), "position 1 is missing");
      notesJob(service).wake();
      Await.until("the service notices", () -> service.gauge("solidus.audit.touched") == 1);
      assertThat(file()).isEqualTo(kept);

      // nor does a log that was written anew agree with them
      for (int i = 1; i <= 6; i++) {
        add(service, "anna", "invented " + i);
      }
      Await.until("the new rows are sealed", () -> export(service).lines().count() == 6);
      assertTouched(verify(export(service), kept), "position 1 or a later one was written anew");
      assertTouched(
          verify(export(service), kept.replaceFirst("day 2026-11-25", "day 2026-11-23")), null);
    }
  }

  @Test
  void aDayIsClosedOnceWhateverClocksDo() throws Exception {
    try (SanctionsFixture service = start()) {
      moveTo(service, "2026-11-26T00:01:00Z", "2026-11-25");
      String before = notes(service);
      clock.set("2026-11-24T00:01:00Z");
      notesJob(service).wake();
      Await.until(
          "a clock that went back rings", () -> service.gauge("solidus.audit.days.open") == 2);
      assertThat(notes(service)).isEqualTo(before);
      clock.set("2026-11-26T00:02:00Z");
      service.restart();
      Await.until("the clock is right again", () -> service.gauge("solidus.audit.days.open") == 0);
      assertThat(notes(service)).isEqualTo(before);
      assertThat(file()).isEqualTo(before);

      // a crash while the last note was written
      Files.writeString(notesFile(), before.substring(0, before.length() - 40));
      notesJob(service).wake();
      Await.until("the note is whole again", () -> file().equals(before));

      // somebody edits the file
      Files.writeString(notesFile(), before.replace("day 2026-11-25", "day 2026-11-2X"));
      notesJob(service).wake();
      Await.until("the service notices", () -> service.gauge("solidus.audit.touched") == 1);
    }
  }

  /**
   * Somebody restores a copy of the database that is older than the kept notes. Were the days since
   * closed again, each would have two signed notes.
   */
  @Test
  void aRestoredDatabaseClosesNoDayASecondTime() throws Exception {
    try (SanctionsFixture service = start()) {
      add(service, "anna", "before the backup");
      moveTo(service, "2026-11-26T00:01:00Z", "2026-11-25");
      service.stop();
      TestDatabase backup = TestPostgres.copyOf(service.database);
      service.restart();
      add(service, "anna", "after the backup");
      moveTo(service, "2026-11-28T00:01:00Z", "2026-11-27");
      String kept = file();
      service.stop();
      TestPostgres.replace(service.database, backup);
      clock.set("2026-11-29T00:01:00Z");
      service.restart();

      Await.until("the service notices", () -> service.gauge("solidus.audit.touched") == 1);
      notesJob(service).wake();
      Await.until("days stay open", () -> service.gauge("solidus.audit.days.open") == 3);
      assertThat(notes(service)).contains("day 2026-11-25").doesNotContain("day 2026-11-26");
      assertThat(file()).isEqualTo(kept);
      service.restart();
      Await.until("it notices again", () -> service.gauge("solidus.audit.touched") == 1);
      assertThat(notes(service)).doesNotContain("day 2026-11-26");

      // somebody has written down what is lost, and begins a new file after the kept notes
      Path next = dir.resolve("notes-after-the-restore.txt");
      service.restartWith(
          (byte) 1,
          (byte) 2,
          Map.of(
              "solidus.audit.note-key-file",
              dir.resolve("audit.seed"),
              "solidus.audit.notes-file",
              next,
              "solidus.audit.closed-through",
              "2026-11-27"));
      Await.until("the next day is closed", () -> notes(service).contains("day 2026-11-28"));
      Await.until("no day is open", () -> service.gauge("solidus.audit.days.open") == 0);
      assertThat(service.gauge("solidus.audit.touched")).isZero();
      assertThat(notes(service)).doesNotContain("day 2026-11-26").doesNotContain("day 2026-11-27");
      assertThat(Files.readString(next)).isEqualTo(notes(service));
    }
  }

  private void moveTo(SanctionsFixture service, String time, String closedDay) {
    Await.until(
        "all events are sealed",
        () ->
            service
                .database
                .jdbc()
                .sql(
                    "SELECT (SELECT count(*) FROM operator_event) = (SELECT count(*) FROM event_seal)")
                .query(Boolean.class)
                .single());
    clock.set(time);
    notesJob(service).wake();
    Await.until(
        closedDay + " is closed",
        Duration.ofSeconds(30),
        () -> file().contains("day " + closedDay + "\n"));
  }

  private static RepeatedJob notesJob(SanctionsFixture service) {
    return service.bean("dailyNotesJob", RepeatedJob.class);
  }

  private static void add(SanctionsFixture service, String actor, String object) {
    service
        .database
        .jdbc()
        .sql("INSERT INTO operator_event (at, actor, action, subject) VALUES (now(), ?, 'seen', ?)")
        .params(actor, object)
        .update();
  }

  /** Runs a statement past the triggers, as the owner of the tables can. */
  private static void past(SanctionsFixture service, String statement) {
    StringBuilder script = new StringBuilder("DO $$ BEGIN ");
    for (String what : List.of("DISABLE", "ENABLE")) {
      for (String table : List.of("operator_event", "event_seal", "audit_note")) {
        script
            .append("ALTER TABLE ")
            .append(table)
            .append(' ')
            .append(what)
            .append(" TRIGGER ALL; ");
      }
      if (what.equals("DISABLE")) {
        script.append(statement).append("; ");
      }
    }
    service.database.jdbc().sql(script.append("END $$").toString()).update();
  }

  private static Answer events(SanctionsFixture service, String query) {
    return service.rest.get(EVENTS + query, service.as("ada", "auditor"));
  }

  /** Actors and kinds, the oldest first. */
  private static List<String> kinds(SanctionsFixture service, String query) {
    List<String> kinds = new ArrayList<>();
    events(service, query)
        .json()
        .path("events")
        .forEach(event ->
            kinds.addFirst(event.path("actor").asString() + ": " + event.path("kind").asString()));
    return kinds;
  }

  private static String export(SanctionsFixture service) {
    return service.rest.get(EVENTS + "/sealed", service.as("ada", "auditor")).body();
  }

  private static String notes(SanctionsFixture service) {
    return service.rest.get(EVENTS + "/notes", service.as("ada", "auditor")).body();
  }

  private record Verdict(int status, String said) {}

  private Verdict verify(String log, @Nullable String notes)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "python3",
                RepositoryFiles.root().resolve("scripts/audit.py").toString(),
                "verify",
                Files.writeString(dir.resolve("events.jsonl"), log).toString()));
    if (notes != null) {
      String file = Files.writeString(dir.resolve("notes-of-the-auditor.txt"), notes).toString();
      command.addAll(List.of("--notes", file, "--key", key()));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Verdict(process.exitValue(), said);
  }

  private static void assertTouched(Verdict verdict, @Nullable String where) {
    assertThat(verdict.status()).as(verdict.said()).isEqualTo(1);
    if (where != null) {
      assertThat(verdict.said()).contains(where);
    }
  }
}
