package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.processes.Await;
import io.solidus.dev.testkit.RepositoryFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The attack of the audit on the audit log: whoever owns the tables changes, removes, truncates.
 */
@Tag("process")
class AuditLogTest {
  private static final int EVENTS = 5;

  @TempDir private Path dir;

  @Test
  void namesTheFirstRowThatWasTouched() throws Exception {
    try (IssuanceFixture desk = new IssuanceFixture(WalletAndCommittee.SHARED, dir, false)) {
      for (int i = 1; i <= EVENTS; i++) {
        add(desk, "mint approved", i);
      }
      Await.until("all events are sealed", () -> desk.count("event_seal") == EVENTS);
      String whole = export(desk);
      Verdict intact = verify(whole, "--rows-only");
      assertThat(intact.status()).as(intact.said()).isZero();
      String head = intact.said().substring(intact.said().lastIndexOf(' ') + 1).strip();

      sql(desk, "UPDATE operator_event SET actor = 'nobody' WHERE sequence = 3");
      assertTouched(verify(export(desk)), "position 3: the row was changed");
      sql(desk, "UPDATE operator_event SET actor = 'anna' WHERE sequence = 3");
      assertThat(verify(export(desk), "--head", head).status()).isZero();

      sql(desk, "DELETE FROM operator_event WHERE sequence = 4");
      assertTouched(verify(export(desk)), "position 4: the row was removed");
      sql(desk, "TRUNCATE operator_event");
      assertTouched(verify(export(desk)), "position 1: the row was removed");
      sql(desk, "TRUNCATE operator_event, event_seal");
      assertTouched(verify(export(desk), "--head", head), "no row has the hash that was noted");
    }
  }

  /** Seals of earlier releases are over the JSON of the whole row as PostgreSQL wrote it. */
  @Test
  void sealsWithoutAVersionStayVerifiable() throws Exception {
    try (IssuanceFixture desk = new IssuanceFixture(WalletAndCommittee.SHARED, dir, false)) {
      desk.database
          .jdbc()
          .sql(
              """
              DO $$ DECLARE former operator_event; BEGIN
                SET LOCAL TIME ZONE 'UTC';
                INSERT INTO operator_event (at, actor, action, subject)
                  VALUES (now(), 'anna', 'mint "approved" é', 'm1') RETURNING * INTO former;
                INSERT INTO event_seal (position, sequence, hash) VALUES (1, former.sequence,
                  sha256(decode(repeat('00', 32), 'hex') || convert_to(row_to_json(former)::text, 'UTF8')));
              END $$
              """)
          .update();
      add(desk, "mint approved", 2);
      Await.until("the new event is sealed", () -> desk.count("event_seal") == 2);
      Verdict intact = verify(export(desk), "--rows-only");
      assertThat(intact.status()).as(intact.said()).isZero();
      assertThat(export(desk)).contains("\\\"v\\\":2");

      desk.database.jdbc().sql("ALTER TABLE operator_event ADD COLUMN bank text").update();
      assertThat(verify(export(desk), "--rows-only").status()).isZero();
      sql(desk, "UPDATE operator_event SET subject = 'm3' WHERE subject = 'm1'");
      assertTouched(verify(export(desk)), "position 1: the row was changed");
      sql(desk, "UPDATE operator_event SET subject = 'm1' WHERE subject = 'm3'");
      sql(desk, "UPDATE event_seal SET version = 2 WHERE position = 1");
      assertTouched(verify(export(desk)), "position 1: the row was changed");
    }
  }

  private static void add(IssuanceFixture desk, String action, int subject) {
    desk.database
        .jdbc()
        .sql("INSERT INTO operator_event (at, actor, action, subject) VALUES (now(), ?, ?, ?)")
        .params("anna", action, Integer.toString(subject))
        .update();
  }

  /** Runs a statement past the triggers, as the owner of the tables can. */
  private static void sql(IssuanceFixture desk, String statement) {
    desk.database
        .jdbc()
        .sql(
            """
            DO $$ BEGIN
              ALTER TABLE operator_event DISABLE TRIGGER ALL;
              ALTER TABLE event_seal DISABLE TRIGGER ALL;
              %s;
              ALTER TABLE operator_event ENABLE TRIGGER ALL;
              ALTER TABLE event_seal ENABLE TRIGGER ALL;
            END $$
            """
                .formatted(statement))
        .update();
  }

  private static String export(IssuanceFixture desk) {
    return desk.rest.get("/admin/v1/issuance/events/sealed", desk.as("ada", "auditor")).body();
  }

  private record Verdict(int status, String said) {}

  private Verdict verify(String log, String... options) throws IOException, InterruptedException {
    Path file = Files.writeString(dir.resolve("audit.jsonl"), log);
    ProcessBuilder command =
        new ProcessBuilder(
            "python3",
            RepositoryFiles.root().resolve("scripts/audit.py").toString(),
            "verify",
            file.toString());
    command.command().addAll(List.of(options));
    Process process = command.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Verdict(process.exitValue(), said);
  }

  private static void assertTouched(Verdict verdict, String where) {
    assertThat(verdict.status()).isEqualTo(1);
    assertThat(verdict.said()).contains(where);
  }
}
