package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.platform.database.Migrations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A database as in production: one role owns it and migrates, another one is the service's and owns
 * nothing.
 */
public final class TwoRoles {
  private static final String PASSWORD = "password of a test";

  private final TestDatabase database;
  private final String name;
  private String schema = "public";

  private TwoRoles(TestDatabase database) {
    this.database = database;
    this.name = database.url().substring(database.url().lastIndexOf('/') + 1);
  }

  /** Makes the two roles and gives the database to the owner. */
  public static TwoRoles of(TestDatabase database) {
    TwoRoles roles = new TwoRoles(database);
    for (String role : List.of(roles.owner(), roles.role())) {
      database.jdbc().sql("CREATE ROLE " + role + " LOGIN PASSWORD '" + PASSWORD + "'").update();
    }
    database.jdbc().sql("ALTER DATABASE " + roles.name + " OWNER TO " + roles.owner()).update();
    return roles;
  }

  /** A new database with both roles, whose tables are up to date. */
  public static TwoRoles migrated(TestDatabase database, String service) {
    TwoRoles roles = of(database);
    roles.migrate(service);
    return roles;
  }

  public String owner() {
    return "owner_of_" + name;
  }

  /** The service's role. */
  public String role() {
    return "service_of_" + name;
  }

  /** Brings a service's tables up to date as the owner. */
  public void migrate(String service) {
    Map<String, Object> properties = new LinkedHashMap<>(as(owner()).springProperties());
    properties.put("solidus.migrations.role", role());
    Migrations.migrate(service, properties);
    schema =
        database
            .jdbc()
            .sql("SELECT schemaname FROM pg_tables WHERE tablename = 'flyway_schema_history'")
            .query(String.class)
            .single();
  }

  /** The properties of a service that works as its role. */
  public Map<String, Object> serviceProperties() {
    Map<String, Object> properties = new LinkedHashMap<>(as(role()).springProperties());
    properties.put("spring.flyway.enabled", false);
    return properties;
  }

  /** A session with what the service's own password allows. */
  public JdbcClient asService() {
    return new TestDatabase(database.url() + "?currentSchema=" + schema, role(), PASSWORD).jdbc();
  }

  /** A session that may do anything, in the schema of the service's tables. */
  public JdbcClient superuser() {
    return new TestDatabase(
            database.url() + "?currentSchema=" + schema, database.user(), database.password())
        .jdbc();
  }

  /** The same database with another login. */
  public TestDatabase as(String role) {
    return new TestDatabase(database.url(), role, PASSWORD);
  }

  /** Fails unless PostgreSQL refuses each statement for want of a right. */
  public void refuses(String... attacks) {
    JdbcClient session = asService();
    for (String attack : attacks) {
      assertThatThrownBy(() -> session.sql(attack).update(), attack)
          .rootCause()
          .hasMessageMatching("(?s).*(permission denied|must be (able to|owner|a member)).*");
    }
  }

  /** What no service's role may do, whatever the service. */
  public void refusesWhatOwnersDo(String... tables) {
    for (String table : tables) {
      refuses(
          "TRUNCATE " + table + " CASCADE",
          "DROP TABLE " + table + " CASCADE",
          "ALTER TABLE " + table + " DISABLE TRIGGER ALL",
          "ALTER TABLE " + table + " ADD COLUMN more text",
          "ALTER TABLE " + table + " OWNER TO " + role(),
          "CREATE TRIGGER quiet BEFORE UPDATE ON "
              + table
              + " FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
          // PostgreSQL finds it before the real one, in triggers too
          "CREATE TEMPORARY TABLE " + table + " (sequence bigint)");
    }
    refuses(
        "SET session_replication_role = replica",
        "SET ROLE " + owner(),
        "CREATE SCHEMA mine",
        "CREATE FUNCTION public.lower(bytea) RETURNS text LANGUAGE sql AS 'SELECT $$x$$'",
        "UPDATE flyway_schema_history SET checksum = 0");
  }
}
