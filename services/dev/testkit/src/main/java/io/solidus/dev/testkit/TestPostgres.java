package io.solidus.dev.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL server per test JVM, as durable as a production one: the embedded distribution
 * switches fsync and synchronous_commit off by default, here both are on.
 */
public final class TestPostgres {
  private static final String USER = "postgres";
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static @Nullable EmbeddedPostgres server;

  private TestPostgres() {}

  /** An empty database on the shared server. */
  public static TestDatabase newDatabase() {
    return create("");
  }

  /**
   * What a backup of a database would be restored to; nobody may be connected to the one that is
   * copied.
   */
  public static TestDatabase copyOf(TestDatabase database) {
    return create(" TEMPLATE " + name(database));
  }

  /**
   * Puts one database in another's place, as a restore or a failover that forgets does; sessions
   * end and find the other one.
   */
  public static void replace(TestDatabase live, TestDatabase by) {
    try (Connection connection = server().getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (TestDatabase each : List.of(live, by)) {
        statement.execute("ALTER DATABASE " + name(each) + " WITH ALLOW_CONNECTIONS false");
        statement.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '"
                + name(each)
                + "'");
      }
      statement.execute("ALTER DATABASE " + name(live) + " RENAME TO " + name(live) + "_before");
      statement.execute("ALTER DATABASE " + name(by) + " RENAME TO " + name(live));
      statement.execute("ALTER DATABASE " + name(live) + " WITH ALLOW_CONNECTIONS true");
    } catch (SQLException e) {
      throw new IllegalStateException("the database was not replaced", e);
    }
  }

  private static String name(TestDatabase database) {
    return database.url().substring(database.url().lastIndexOf('/') + 1);
  }

  private static TestDatabase create(String from) {
    EmbeddedPostgres postgres = server();
    String name = "test_" + NEXT.incrementAndGet();
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name + from);
    } catch (SQLException e) {
      throw new IllegalStateException("no test database", e);
    }
    String url = "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/" + name;
    return new TestDatabase(url, USER, USER);
  }

  /** A server that the test may stop or configure; the caller closes it. */
  public static EmbeddedPostgres.Builder builder() {
    return EmbeddedPostgres.builder()
        .setPort(FreePorts.next())
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("full_page_writes", "on")
        .setServerConfig("max_connections", "200")
        .setPGStartupWait(Duration.ofSeconds(60));
  }

  private static synchronized EmbeddedPostgres server() {
    if (server == null) {
      try {
        EmbeddedPostgres started = builder().start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(started)));
        server = started;
      } catch (IOException e) {
        throw new UncheckedIOException("the test database server does not start", e);
      }
    }
    return server;
  }

  private static void close(EmbeddedPostgres postgres) {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
