package io.solidus.dev.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A base backup of a running PostgreSQL server by the low-level interface (pg_backup_start, copy,
 * pg_backup_stop) that backup tools use, and its restore. The write-ahead log comes from the
 * server's archive, or is streamed from the server.
 */
public final class BaseBackup {

  /** How far a restore replays the write-ahead log. */
  public enum Until {
    /** To the end of the backup. */
    BACKUP("immediate"),
    /** To the end of the log. */
    END("");

    private final String target;

    Until(String target) {
      this.target = target;
    }
  }

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path files;

  private BaseBackup(Path files) {
    this.files = files;
  }

  /**
   * Settings of a server that archives its write-ahead log.
   *
   * @param archive each server archives to the subfolder that has the name of its data directory
   * @param seconds after which a segment is archived at the latest
   */
  public static Map<String, String> archiving(Path archive, int seconds) {
    return Map.of(
        "archive_mode",
        "on",
        "archive_timeout",
        Integer.toString(seconds),
        // a segment appears whole or not at all, and may be archived twice
        "archive_command",
        ("to=\"%s/$(basename \"$PWD\")\" && mkdir -p \"$to\" && cp %%p \"$to/%%f.part\""
                + " && mv \"$to/%%f.part\" \"$to/%%f\"")
            .formatted(archive));
  }

  /**
   * Takes a base backup.
   *
   * @param to a folder that does not exist
   * @param archived whether to wait until the server has archived the log of the backup
   */
  public static BaseBackup take(PostgresServer server, Path to, boolean archived) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('solidus', true)");
      DataDirectory.copy(server.directory(), to, true);
      try (ResultSet row =
          statement.executeQuery("SELECT labelfile FROM pg_backup_stop(" + archived + ")")) {
        row.next();
        Files.writeString(to.resolve("backup_label"), row.getString(1));
      }
      Files.createDirectories(to.resolve(DataDirectory.WAL).resolve("archive_status"));
      Files.deleteIfExists(to.resolve("postmaster.pid"));
      Files.deleteIfExists(to.resolve("postmaster.opts"));
      return new BaseBackup(to);
    } catch (SQLException e) {
      throw new IllegalStateException("no backup could be made", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long bytes() {
    try (Stream<Path> all = Files.walk(files)) {
      return all.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Replaces the data directory of a killed server by this backup and starts the server. The lost
   * directory stays beside it.
   *
   * @param walSurvived whether the volume of the write-ahead log was not lost
   */
  public void restore(PostgresServer server, Path archive, Until until, boolean walSurvived) {
    Path place = server.directory();
    try {
      Path lost = place.resolveSibling(place.getFileName() + "-lost-" + System.nanoTime());
      Files.move(place, lost);
      DataDirectory.copy(files, place, false);
      if (walSurvived) {
        copySegments(lost.resolve(DataDirectory.WAL), place.resolve(DataDirectory.WAL));
      }
      Files.createFile(place.resolve("recovery.signal"));
      Files.writeString(
          place.resolve("postgresql.auto.conf"),
          """

          restore_command = 'cp "%s/%%f" %%p'
          recovery_target = '%s'
          recovery_target_action = 'promote'
          """
              .formatted(archive.resolve(place.getFileName()), until.target),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.restart();
    Await.until("PostgreSQL has restored its backup", LIMIT, () -> writable(server));
  }

  private static boolean writable(PostgresServer server) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
      row.next();
      return !row.getBoolean(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private static void copySegments(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.list(from)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
