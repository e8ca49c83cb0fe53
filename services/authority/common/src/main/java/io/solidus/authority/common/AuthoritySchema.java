package io.solidus.authority.common;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Creates and migrates the schema that all processes of an authority share; any of them may start
 * first.
 */
public final class AuthoritySchema {

  public static final String NAME = "authority";

  /**
   * The key of an advisory lock that nothing else uses. Flyway's own lock does not cover the
   * creation of the schema.
   */
  private static final long LOCK = 0x736f6c6964757301L;

  private AuthoritySchema() {}

  /** The schema belongs to the database's owner, whichever process of the authority is first. */
  public static void migrate(DataSource database) {
    migrate(new OwnerConnections(database), NAME, "classpath:db/validator/authority");
  }

  static void migrate(DataSource database, String schema, String location) {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + LOCK + ")");
      try {
        Flyway.configure()
            .dataSource(database)
            .schemas(schema)
            .defaultSchema(schema)
            .locations(location)
            .load()
            .migrate();
      } finally {
        statement.execute("SELECT pg_advisory_unlock(" + LOCK + ")");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the schema " + schema + " cannot be migrated", e);
    }
  }
}
