package io.solidus.dev.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A PostgreSQL process on a data directory of its own that reads all its settings from files, so
 * that ALTER SYSTEM and a reload change them while it runs. fsync and synchronous_commit are on.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String USER = "postgres";
  private static final String SETTINGS =
      """
      listen_addresses = '127.0.0.1'
      unix_socket_directories = ''
      fsync = on
      full_page_writes = on
      synchronous_commit = on
      shared_buffers = 32MB
      max_connections = 100
      wal_keep_size = 256MB
      wal_retrieve_retry_interval = 200ms
      wal_receiver_status_interval = 1s
      """;

  private final Path binary;
  private final Path data;
  private final int port;
  private @Nullable Process process;

  private PostgresServer(Path binary, Path data, int port) {
    this.binary = binary;
    this.data = data;
    this.port = port;
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
  }

  /** A new, running server whose data lie in {@code data}. */
  public static PostgresServer create(Path data) {
    PostgresServer server = new PostgresServer(DataDirectory.create(data), data, FreePorts.next());
    server.configure(SETTINGS);
    server.start();
    return server;
  }

  /** A server of the same distribution on a copy of a data directory, not yet started. */
  PostgresServer on(Path copy) {
    return new PostgresServer(binary, copy, FreePorts.next());
  }

  public int port() {
    return port;
  }

  Path data() {
    return data;
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + USER;
  }

  public DataSource dataSource(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url(database));
    return source;
  }

  public JdbcClient jdbc(String database) {
    return JdbcClient.create(dataSource(database));
  }

  /** Autocommit, on a connection of its own: also for what no transaction may hold. */
  public void execute(String database, String sql) {
    try (Connection connection = DriverManager.getConnection(url(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /**
   * Changes a setting of the running server; back when every new session sees it. An empty list of
   * names has the value {@code ''}.
   */
  public void set(String setting, String value) {
    execute("postgres", "ALTER SYSTEM SET " + setting + " = '" + value + "'");
    execute("postgres", "SELECT pg_reload_conf()");
    await(
        setting + " = " + value,
        () ->
            jdbc("postgres")
                .sql("SELECT current_setting(?)")
                .param(setting)
                .query(String.class)
                .single()
                .equals(value));
  }

  void configure(String settings) {
    try {
      Files.writeString(data.resolve("postgresql.conf"), settings, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Back when it answers; nothing to do for one that runs. */
  public synchronized void start() {
    if (process != null) {
      return;
    }
    List<String> line = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      // PostgreSQL refuses to run as root; a user namespace makes it somebody else
      line.addAll(List.of("unshare", "-U"));
    }
    line.addAll(List.of(binary.toString(), "-D", data.toString(), "-p", Integer.toString(port)));
    try {
      Files.deleteIfExists(data.resolve("postmaster.pid"));
      process =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await("PostgreSQL answers; its log is " + log(), this::answers);
  }

  /** An orderly stop that disconnects whoever is connected. */
  public synchronized void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      new ProcessBuilder("kill", "-INT", Long.toString(running.pid())).start().waitFor();
      if (!running.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("PostgreSQL does not stop");
      }
      process = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * SIGKILL to the postmaster and all its children: nothing gets to write, or to send, anything
   * more.
   */
  public synchronized void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    List<ProcessHandle> all = new ArrayList<>(running.descendants().toList());
    running.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    await(
        "PostgreSQL is dead",
        () -> !running.isAlive() && all.stream().noneMatch(ProcessHandle::isAlive));
    process = null;
  }

  @Override
  public void close() {
    kill();
  }

  private Path log() {
    return data.resolveSibling(data.getFileName() + ".log");
  }

  private boolean answers() {
    try (Connection connection = DriverManager.getConnection(url("postgres"))) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /** A state that another process reaches; its deadline is generous, for it decides no test. */
  static void await(String what, BooleanSupplier reached) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException("did not happen: " + what);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
