package io.solidus.dev.processes;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
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
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL that flushes to disk before it acknowledges, and that can be killed, frozen and
 * started again on its files.
 */
public final class DatabaseServer implements AutoCloseable {

  public static final String USER = "postgres";
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Map<String, String> DURABLE =
      Map.of(
          "fsync",
          "on",
          "synchronous_commit",
          "on",
          "full_page_writes",
          "on",
          "max_connections",
          "250");

  private final Path directory;
  private final int port = Ports.next();
  private final @Nullable EmbeddedPostgres server;
  private final List<String> command;

  private DatabaseServer(Path directory, Map<String, String> settings) {
    this.directory = directory;
    Map<String, String> all = new TreeMap<>(DURABLE);
    all.putAll(settings);
    Optional<Path> installation = installation();
    try {
      if (installation.isPresent()) {
        Path bin = installation.get().resolve("bin");
        this.server = null;
        this.command =
            List.of(
                bin.resolve("postgres").toString(),
                "-D",
                directory.toString(),
                "-p",
                Integer.toString(port),
                "-h",
                "127.0.0.1");
        initialize(bin, all);
        restart();
      } else {
        this.server = embedded(all);
        this.command = commandOf(postmaster());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    }
  }

  private EmbeddedPostgres embedded(Map<String, String> settings) throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(directory)
            .setCleanDataDirectory(false)
            .setPort(port)
            .setPGStartupWait(LIMIT);
    Map<String, String> words = new TreeMap<>();
    settings.forEach((key, value) -> {
      if (value.contains(" ")) {
        words.put(key, value);
      } else {
        builder.setServerConfig(key, value);
      }
    });
    // on its command line these would fall apart
    builder.setDataDirectoryCustomizer(folder -> configure(folder.toPath(), words));
    return builder.start();
  }

  private static void configure(Path folder, Map<String, String> settings) {
    StringBuilder lines = new StringBuilder("\n");
    settings.forEach((key, value) -> lines.append(key).append(" = '").append(value).append("'\n"));
    try {
      Files.writeString(folder.resolve("postgresql.conf"), lines, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void initialize(Path bin, Map<String, String> settings) throws IOException {
    List<String> line =
        unprivileged(
            List.of(
                bin.resolve("initdb").toString(),
                "-A",
                "trust",
                "-U",
                USER,
                "-E",
                "UTF8",
                "-D",
                directory.toString()));
    Path said = directory.resolveSibling(directory.getFileName() + "-initdb.log");
    try {
      if (new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start()
              .waitFor()
          != 0) {
        throw new IOException("initdb failed; see " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    Map<String, String> all = new TreeMap<>(settings);
    all.put("unix_socket_directories", "");
    configure(directory, all);
  }

  /** PostgreSQL refuses to run as root; a user namespace makes it somebody else. */
  private static List<String> unprivileged(List<String> command) {
    List<String> line = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      line.addAll(List.of("unshare", "-U"));
    }
    line.addAll(command);
    return line;
  }

  /**
   * The PostgreSQL installation, with a folder bin, that -Dsolidus.postgres names; empty: the one
   * that comes along, which has no tools.
   */
  public static Optional<Path> installation() {
    return Optional.ofNullable(System.getProperty("solidus.postgres")).map(Path::of);
  }

  /**
   * @param settings of postgresql.conf, besides the ones that make it durable
   */
  public static DatabaseServer start(Path directory, Map<String, String> settings) {
    try {
      Files.createDirectories(directory.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new DatabaseServer(directory, settings);
  }

  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  public int port() {
    return port;
  }

  public void createDatabase(String name) {
    execute("postgres", "CREATE DATABASE " + name);
  }

  public void execute(String database, String sql) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(url(database), USER, USER);
  }

  /** Where its files are. */
  public Path directory() {
    return directory;
  }

  /** SIGKILL to the server and all its children, as when a machine loses power. */
  public void kill() {
    Signals.kill(postmaster());
  }

  /** Starts a killed server again on its files and port; crash recovery runs. */
  public void restart() {
    try {
      Files.deleteIfExists(directory.resolve("postmaster.pid"));
      new ProcessBuilder(unprivileged(command))
          .redirectErrorStream(true)
          .redirectOutput(
              directory.resolveSibling(directory.getFileName() + "-restarted.log").toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Await.until("PostgreSQL has recovered", LIMIT, this::answers);
  }

  /** Starts it again if it gave up by itself, as after a full disk, and waits until it answers. */
  public void revive() {
    if (!postmasterAlive()) {
      restart();
    }
    Await.until("PostgreSQL answers again", LIMIT, this::answers);
  }

  public void freeze() {
    Signals.freeze(postmaster());
  }

  public void thaw() {
    Signals.thaw(postmaster());
  }

  /** Binds the server to processors, e.g. "0". */
  public void pin(String processors) {
    Signals.pin(postmaster(), processors);
  }

  public ProcessHandle process() {
    return postmaster();
  }

  @Override
  public void close() {
    try {
      if (server != null) {
        server.close();
      }
    } catch (IOException | RuntimeException e) {
      // it was started again by hand, or is too slow to stop in order
    }
    if (postmasterAlive()) {
      kill();
    }
  }

  private boolean answers() {
    try (Connection connection = connect("postgres")) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private boolean postmasterAlive() {
    return Files.exists(directory.resolve("postmaster.pid"))
        && ProcessHandle.of(postmasterPid()).isPresent();
  }

  private ProcessHandle postmaster() {
    return ProcessHandle.of(postmasterPid())
        .orElseThrow(() -> new IllegalStateException("PostgreSQL is not running"));
  }

  private long postmasterPid() {
    try {
      return Long.parseLong(
          Files.readAllLines(directory.resolve("postmaster.pid")).getFirst().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> commandOf(ProcessHandle process) {
    try {
      return List.of(
          Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline")).split("\0"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
