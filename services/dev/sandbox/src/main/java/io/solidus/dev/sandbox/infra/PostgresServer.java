package io.solidus.dev.sandbox.infra;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A PostgreSQL server that keeps its data between starts and is as durable as a production one: the
 * embedded distribution switches fsync and synchronous_commit off by default, here both are on.
 */
public final class PostgresServer implements AutoCloseable {
  public static final String USER = "postgres";

  private final EmbeddedPostgres postgres;

  private PostgresServer(EmbeddedPostgres postgres) {
    this.postgres = postgres;
  }

  /**
   * Starts the server on {@code port} with its files under {@code dataDirectory}.
   *
   * @throws IOException when it cannot be started, for example because the port is taken
   */
  public static PostgresServer start(Path dataDirectory, int port) throws IOException {
    Files.createDirectories(dataDirectory.getParent());
    return new PostgresServer(
        EmbeddedPostgres.builder()
            .setDataDirectory(dataDirectory)
            .setCleanDataDirectory(false)
            .setPort(port)
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", "250")
            .setServerConfig("shared_buffers", "64MB")
            .setPGStartupWait(Duration.ofSeconds(60))
            .start());
  }

  /** The JDBC address of a database of this server. */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/" + database;
  }

  /**
   * Creates the database when it does not exist. {@code name} is one of the sandbox's own
   * constants.
   */
  public void ensureDatabase(String name) throws SQLException {
    if (!name.matches("[a-z][a-z0-9_]{0,30}")) {
      throw new IllegalArgumentException("not a database name of the sandbox");
    }
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      try (var found =
          statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + name + "'")) {
        if (found.next()) {
          return;
        }
      }
      statement.execute("CREATE DATABASE " + name);
    }
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }
}
