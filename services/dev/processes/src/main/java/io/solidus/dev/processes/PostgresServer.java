package io.solidus.dev.processes;

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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A PostgreSQL server in a process of its own. It flushes each commit to disk, and can be killed,
 * frozen and started again on its directory and port. It reads its settings from files, so ALTER
 * SYSTEM and a reload change them while it runs.
 */
public final class PostgresServer implements AutoCloseable {

  public static final String USER = "postgres";

  private static final String MAINTENANCE_DATABASE = "postgres";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "listen_addresses",
          "127.0.0.1",
          "unix_socket_directories",
          "",
          "fsync",
          "on",
          "synchronous_commit",
          "on",
          "full_page_writes",
          "on",
          "max_connections",
          "250",
          "timezone",
          "GMT");

  /** Included at the end of postgresql.conf. */
  private static final String SETTINGS_FILE = "solidus.conf";

  private final Path directory;
  private final int port;
  private final @Nullable FaultyMachine machine;
  private final Thread stopAtExit = new Thread(this::stop);
  private @Nullable Process process;

  private PostgresServer(Path directory, int port, @Nullable FaultyMachine machine) {
    this.directory = directory;
    this.port = port;
    this.machine = machine;
  }

  /** Starts a durable server on a free port. */
  public static PostgresServer start(Path directory) {
    return start(directory, Map.of());
  }

  /** Starts a server on a free port; settings win over the durable defaults. */
  public static PostgresServer start(Path directory, Map<String, String> settings) {
    return start(directory, Ports.next(), settings);
  }

  /**
   * Starts a server and returns when it answers.
   *
   * @param directory of its data; initialised if it holds none
   * @param settings of postgresql.conf; they win over the durable defaults
   * @throws IllegalStateException when it does not start; DIRECTORY.log says why
   */
  public static PostgresServer start(Path directory, int port, Map<String, String> settings) {
    return start(directory, port, settings, null);
  }

  /** Starts a server on a free port and on a machine that can lose power. */
  public static PostgresServer start(
      Path directory, Map<String, String> settings, FaultyMachine machine) {
    return start(directory, Ports.next(), settings, machine);
  }

  private static PostgresServer start(
      Path directory, int port, Map<String, String> settings, @Nullable FaultyMachine machine) {
    if (!DataDirectory.exists(directory)) {
      DataDirectory.create(directory);
    }
    PostgresServer server = new PostgresServer(directory, port, machine);
    server.configure(settings);
    Runtime.getRuntime().addShutdownHook(server.stopAtExit);
    server.restart();
    return server;
  }

  /**
   * The PostgreSQL installation that {@code -Dsolidus.postgres} names, with its programs in the
   * folder bin. Empty means the embedded distribution, which has no pg_dump.
   */
  public static Optional<Path> installation() {
    return Optional.ofNullable(System.getProperty("solidus.postgres")).map(Path::of);
  }

  /** The JDBC address of a database, with the user's name. */
  public String url(String database) {
    return url(port, database);
  }

  static String url(int port, String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + USER;
  }

  public int port() {
    return port;
  }

  /** The data directory. */
  public Path directory() {
    return directory;
  }

  public DataSource dataSource(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url(database));
    return source;
  }

  public JdbcClient jdbc(String database) {
    return JdbcClient.create(dataSource(database));
  }

  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database));
  }

  public void createDatabase(String name) {
    execute(MAINTENANCE_DATABASE, "CREATE DATABASE " + name);
  }

  /** Creates the database if it does not exist. */
  public void ensureDatabase(String name) {
    boolean exists =
        jdbc(MAINTENANCE_DATABASE)
            .sql("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = ?)")
            .param(name)
            .query(Boolean.class)
            .single();
    if (!exists) {
      createDatabase(name);
    }
  }

  /** Executes a statement in autocommit mode on a connection of its own. */
  public void execute(String database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /**
   * Changes a setting of the running server; returns when every new session sees it.
   *
   * @param value {@code ''} for an empty list of names
   */
  public void set(String setting, String value) {
    execute(MAINTENANCE_DATABASE, "ALTER SYSTEM SET " + setting + " = '" + value + "'");
    execute(MAINTENANCE_DATABASE, "SELECT pg_reload_conf()");
    Await.until(setting + " = " + value, LIMIT, () -> setting(setting).equals(value));
  }

  /**
   * Starts the server again on its directory and port after it was killed or stopped. Crash
   * recovery runs. A running server is left as it is.
   */
  public synchronized void restart() {
    if (alive()) {
      return;
    }
    List<String> command =
        PostgresTools.unprivileged(
            List.of(
                DataDirectory.program().toString(),
                "-D",
                directory.toString(),
                "-p",
                Integer.toString(port)));
    try {
      Files.deleteIfExists(directory.resolve("postmaster.pid"));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
      if (machine != null) {
        builder.environment().putAll(machine.environment());
      }
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until("PostgreSQL answers; see " + log(), LIMIT, () -> !alive() || answers());
    if (!alive()) {
      throw new IllegalStateException("PostgreSQL does not start; see " + log());
    }
  }

  /** Starts the server again if it stopped by itself, as after a full disk, and waits for it. */
  public void revive() {
    restart();
    Await.until("PostgreSQL answers again", LIMIT, this::answers);
  }

  /** Ends all sessions and stops the server in order; kills it if that takes too long. */
  public synchronized void stop() {
    Process running = process;
    if (running == null || !alive()) {
      return;
    }
    Signals.interrupt(running.toHandle());
    try {
      if (!running.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      kill();
    }
  }

  /** SIGKILL to the server and all its children: nothing is written or sent after it. */
  public synchronized void kill() {
    if (alive()) {
      Signals.kill(process());
    }
  }

  /**
   * Kills the server and leaves only what it had fsynced; {@link #restart} starts it on that.
   *
   * @throws IllegalStateException when it does not run on such a machine
   */
  public synchronized FaultyMachine.Loss losePower() {
    FaultyMachine faulty = machine;
    if (faulty == null) {
      throw new IllegalStateException(directory + " is not on a machine that can lose power");
    }
    if (alive()) {
      // it starts no other process between the kills
      freeze();
    }
    kill();
    return faulty.losePower(directory);
  }

  public void freeze() {
    Signals.freeze(process());
  }

  public void thaw() {
    Signals.thaw(process());
  }

  /** Binds the server to processors, e.g. "0". */
  public void pin(String processors) {
    Signals.pin(process(), processors);
  }

  /** The server's first process. */
  public synchronized ProcessHandle process() {
    Process running = process;
    if (running == null) {
      throw new IllegalStateException("PostgreSQL is not running");
    }
    return running.toHandle();
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(stopAtExit);
    } catch (IllegalStateException e) {
      // the JVM is ending
    }
  }

  /** Not {@link Process#isAlive}, which lags behind a kill until the exit status has been read. */
  private synchronized boolean alive() {
    Process started = process;
    return started != null && started.toHandle().isAlive();
  }

  private boolean answers() {
    try (Connection connection = connect(MAINTENANCE_DATABASE)) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private String setting(String name) {
    return jdbc(MAINTENANCE_DATABASE)
        .sql("SELECT current_setting(?)")
        .param(name)
        .query(String.class)
        .single();
  }

  private Path log() {
    return directory.resolveSibling(directory.getFileName() + ".log");
  }

  private void configure(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(DEFAULTS);
    all.putAll(settings);
    List<String> lines = new ArrayList<>();
    all.forEach((name, value) -> lines.add(name + " = '" + value + "'"));
    Path main = directory.resolve("postgresql.conf");
    String include = "include_if_exists = '" + SETTINGS_FILE + "'";
    try {
      Files.write(directory.resolve(SETTINGS_FILE), lines);
      if (!Files.readString(main).contains(include)) {
        Files.writeString(main, "\n" + include + "\n", StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
