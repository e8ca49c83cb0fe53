package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RepositoryFiles;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.TwoRoles;
import io.solidus.operator.sanctions.list.Samples;
import io.solidus.platform.database.Migrations;
import io.solidus.platform.database.OwnerOfTables;
import io.solidus.platform.production.ProductionRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.env.MockEnvironment;

/** The tables have another owner than the role that the service works as. */
@Tag("process")
class OwnerOfTablesTest {
  private static final MockEnvironment PRODUCTION =
      new MockEnvironment().withProperty("solidus.profile", "production");

  @TempDir private Path directory;

  @Test
  void theServicesRoleCanNeitherDropTriggersNorEmptyTables() throws Exception {
    try (SanctionsFixture service = SanctionsFixture.startWithTwoRoles(directory)) {
      works(service);
      TwoRoles roles = Objects.requireNonNull(service.roles);
      roles.refusesWhatOwnersDo(
          "operator_event", "event_seal", "audit_note", "proposal", "sanctioned_address");
      roles.refuses(
          "DELETE FROM operator_event",
          "UPDATE operator_event SET actor = 'nobody'",
          "DELETE FROM audit_note",
          "UPDATE event_seal SET hash = hash",
          "DELETE FROM proposal",
          "DROP TRIGGER proposal_is_final ON proposal",
          "ALTER TABLE proposal DROP CONSTRAINT proposal_of_two_persons",
          "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS"
              + " 'BEGIN RETURN OLD; END'");
      // it may update proposals, and the trigger that it cannot drop says which
      assertThatThrownBy(() -> roles.asService().sql("UPDATE proposal SET payload = '{}'").update())
          .hasMessageContaining("ERROR");
      assertThatCode(() -> new OwnerOfTables(roles.asService(), PRODUCTION))
          .doesNotThrowAnyException();
    }
  }

  private static void works(SanctionsFixture service) throws Exception {
    assertThat(service.upload("un", Samples.un()).status()).isEqualTo(201);
    service.list("0a".repeat(32));
    assertThat(service.publishCheckpoint().status()).isEqualTo(201);
    assertThat(
            service
                .database
                .jdbc()
                .sql("SELECT count(*) FROM operator_event")
                .query(Long.class)
                .single())
        .isPositive();
  }

  @Test
  void productionRefusesARoleThatCanChangeWhatTriggersKeep() {
    TestDatabase database = TestPostgres.newDatabase();
    TwoRoles roles = TwoRoles.migrated(database, "sanctions");
    refusedInProduction(database, "is a superuser");
    refusedInProduction(roles.as(roles.owner()), "acts as the owner of tables");
    for (List<String> right :
        List.of(
            List.of("TRUNCATE ON proposal", "may truncate tables"),
            List.of("TRIGGER ON proposal", "may trigger tables"),
            List.of("CREATE ON SCHEMA public", "may create objects in the schema public"),
            List.of("SET ON PARAMETER session_replication_role", "session_replication_role"),
            List.of(roles.owner(), "acts as the owner of functions"),
            List.of("pg_execute_server_program", "pg_execute_server_program"))) {
      database.jdbc().sql("GRANT " + right.get(0) + " TO " + roles.role()).update();
      refusedInProduction(roles.as(roles.role()), right.get(1));
      database.jdbc().sql("REVOKE " + right.get(0) + " FROM " + roles.role()).update();
    }
    database.jdbc().sql("GRANT TEMPORARY ON DATABASE " + name(database) + " TO PUBLIC").update();
    refusedInProduction(roles.as(roles.role()), "may create temporary tables in the database");
    assertThatCode(() -> new OwnerOfTables(roles.asService(), new MockEnvironment()))
        .as("a developer's database")
        .doesNotThrowAnyException();

    // the next migration takes away what was granted by hand, and refuses what it cannot take away
    roles.migrate("sanctions");
    assertThatCode(() -> new OwnerOfTables(roles.asService(), PRODUCTION))
        .doesNotThrowAnyException();
    database.jdbc().sql("GRANT " + roles.owner() + " TO " + roles.role()).update();
    assertThatThrownBy(() -> roles.migrate("sanctions"))
        .hasMessageContaining("nothing would be gained");
  }

  private static void refusedInProduction(TestDatabase login, String why) {
    assertThatThrownBy(() -> new OwnerOfTables(login.jdbc(), PRODUCTION))
        .isInstanceOf(ProductionRefusedException.class)
        .hasMessageContaining("OWNED_TABLES")
        .hasMessageContaining(why);
  }

  /** The service's role owned everything until now, as in releases before this one. */
  @Test
  void theTablesOfARunningServiceGetAnotherOwner() throws Exception {
    try (SanctionsFixture service = SanctionsFixture.startWithTwoRoles(directory)) {
      TwoRoles roles = Objects.requireNonNull(service.roles);
      service.stop();
      service
          .database
          .jdbc()
          .sql("REASSIGN OWNED BY " + roles.owner() + " TO " + roles.role())
          .update();
      Map<String, Object> former = new HashMap<>(roles.serviceProperties());
      former.put("spring.flyway.enabled", true);
      service.restartWith((byte) 1, (byte) 2, former);
      works(service);
      refusedInProduction(roles.as(roles.role()), "acts as the owner of tables");

      // as where PostgreSQL 14 or an older one made the cluster
      for (String sql :
          List.of(
              "ALTER SCHEMA public OWNER TO " + service.database.user(),
              "GRANT CREATE ON SCHEMA public TO PUBLIC")) {
        service.database.jdbc().sql(sql).update();
      }
      handOver(service.database, roles);
      service.list("0b".repeat(32));
      service.restart();
      service.list("0d".repeat(32));

      roles.migrate("sanctions");
      service.restartWith((byte) 1, (byte) 2, Map.of());
      service.list("0c".repeat(32));
      roles.refusesWhatOwnersDo("operator_event", "proposal");
      assertThatCode(() -> new OwnerOfTables(roles.asService(), PRODUCTION))
          .doesNotThrowAnyException();
      assertThatCode(() ->
              roles.as(roles.owner()).jdbc().sql("CREATE TABLE of_the_next_release ()").update())
          .doesNotThrowAnyException();
    }
  }

  private static void handOver(TestDatabase database, TwoRoles roles) throws Exception {
    String script =
        Files.readString(RepositoryFiles.root().resolve("scripts/hand-over-tables.sql"))
            .replaceAll("(?m)^--.*$", "")
            .replace(":\"owner\"", roles.owner())
            .replace(":\"service\"", roles.role())
            .replace(":\"schema\"", "public")
            .replace(":\"DBNAME\"", name(database));
    try (var connection = database.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(script);
    }
  }

  private static String name(TestDatabase database) {
    return database.url().substring(database.url().lastIndexOf('/') + 1);
  }

  @Test
  void aServiceIsNamed() {
    assertThatThrownBy(() -> Migrations.main(new String[] {"--spring.datasource.url=jdbc:x"}))
        .hasMessageContaining("--solidus.migrations.service=NAME");
  }
}
