package io.solidus.dev.testkit;

import io.solidus.dev.processes.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** One durable PostgreSQL server per test JVM, with a database for each test class. */
public final class TestPostgres {
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static @Nullable PostgresServer server;

  private TestPostgres() {}

  /** An empty database on the shared server. */
  public static TestDatabase newDatabase() {
    return create("");
  }

  /** A copy of a database, as the restore of a backup makes it; no session may use the original. */
  public static TestDatabase copyOf(TestDatabase database) {
    return create(" TEMPLATE " + name(database));
  }

  /**
   * Replaces a database by another one, as a restore or a failover with data loss does. Sessions of
   * both end; new ones reach the other database.
   */
  public static void replace(TestDatabase live, TestDatabase by) {
    for (TestDatabase each : List.of(live, by)) {
      execute("ALTER DATABASE " + name(each) + " WITH ALLOW_CONNECTIONS false");
      execute(
          "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '"
              + name(each)
              + "'");
    }
    execute("ALTER DATABASE " + name(live) + " RENAME TO " + name(live) + "_before");
    execute("ALTER DATABASE " + name(by) + " RENAME TO " + name(live));
    execute("ALTER DATABASE " + name(live) + " WITH ALLOW_CONNECTIONS true");
  }

  private static String name(TestDatabase database) {
    return database.url().substring(database.url().lastIndexOf('/') + 1);
  }

  private static TestDatabase create(String from) {
    String name = "test_" + NEXT.incrementAndGet();
    execute("CREATE DATABASE " + name + from);
    return new TestDatabase(
        "jdbc:postgresql://127.0.0.1:" + server().port() + "/" + name,
        PostgresServer.USER,
        PostgresServer.USER);
  }

  private static void execute(String sql) {
    server().execute("postgres", sql);
  }

  private static synchronized PostgresServer server() {
    if (server == null) {
      try {
        Path folder = Files.createTempDirectory("solidus-test-postgres");
        PostgresServer started = PostgresServer.start(folder.resolve("data"), Map.of());
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(() -> {
                  started.stop();
                  FileSystemUtils.deleteRecursively(folder.toFile());
                }));
        server = started;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return server;
  }
}
