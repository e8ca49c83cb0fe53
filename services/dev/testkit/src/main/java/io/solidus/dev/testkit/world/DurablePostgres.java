package io.solidus.dev.testkit.world;

import io.solidus.dev.testkit.FreePorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real server with fsync on, on a directory of its own, that can be killed like a machine that
 * lost power.
 */
public final class DurablePostgres implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final Path directory;
  private final int port;
  private final Map<String, String> settings;
  private final EmbeddedPostgres server;
  private List<String> command = List.of();
  private @Nullable Process restarted;

  private DurablePostgres(Path directory, int port, Map<String, String> settings) {
    this.directory = directory;
    this.port = port;
    this.settings = settings;
    this.server = launch();
  }

  public static DurablePostgres start(Path directory) {
    return start(directory, Map.of());
  }

  /**
   * @param settings besides the safe ones, or against them
   */
  public static DurablePostgres start(Path directory, Map<String, String> settings) {
    return new DurablePostgres(directory, FreePorts.next(), settings);
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
  }

  public void createDatabase(String name) {
    execute("postgres", "CREATE DATABASE " + name);
  }

  public void execute(String database, String sql) {
    try (Connection connection = DriverManager.getConnection(url(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** SIGKILL to the postmaster and all its children; nothing gets to write anything more. */
  public void kill() {
    ProcessHandle postmaster = ProcessHandle.of(postmasterPid()).orElseThrow();
    command = commandOf(postmaster);
    List<ProcessHandle> all = postmaster.descendants().toList();
    postmaster.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    awaitExit(postmaster);
    all.forEach(DurablePostgres::awaitExit);
  }

  /**
   * Starts the killed server's own command again, on its directory and port; crash recovery runs.
   */
  public void restart() {
    try {
      Files.deleteIfExists(directory.resolve("postmaster.pid"));
      List<String> line = new ArrayList<>();
      if (System.getProperty("user.name").equals("root")) {
        // PostgreSQL refuses to run as root; a user namespace makes it somebody else
        line.addAll(List.of("unshare", "-U"));
      }
      line.addAll(command);
      restarted =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolveSibling("restarted.log").toFile())
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until("PostgreSQL has recovered", this::answers);
  }

  private boolean answers() {
    try (Connection connection = DriverManager.getConnection(url("postgres"))) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private static List<String> commandOf(ProcessHandle process) {
    try {
      String line = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
      return List.of(line.split("\0"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    Process second = restarted;
    if (second != null) {
      kill();
    }
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EmbeddedPostgres launch() {
    try {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setDataDirectory(directory)
              .setCleanDataDirectory(false)
              .setPort(port)
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setPGStartupWait(START_LIMIT);
      settings.forEach(builder::setServerConfig);
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long postmasterPid() {
    try {
      return Long.parseLong(
          Files.readAllLines(directory.resolve("postmaster.pid")).getFirst().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitExit(ProcessHandle process) {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    if (process.isAlive()) {
      throw new IllegalStateException("a killed process is still there");
    }
  }
}
