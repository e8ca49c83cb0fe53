package io.solidus.dev.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A base backup of a running PostgreSQL by its low-level interface (pg_backup_start, copy,
 * pg_backup_stop), as backup tools make it, and its restore in place of a server that was lost. The
 * write-ahead log comes from the server's archive.
 */
public final class DatabaseBackup {

  /** How far a restore goes on along the write-ahead log. */
  public enum Until {
    /** The backup and nothing more. */
    BACKUP("immediate"),
    /** To the end of what there is. */
    END("");

    private final String target;

    Until(String target) {
      this.target = target;
    }
  }

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String WAL = "pg_wal";

  private final Path files;

  private DatabaseBackup(Path files) {
    this.files = files;
  }

  /**
   * Settings of a server that archives its write-ahead log; a segment leaves after so many seconds
   * at the latest.
   */
  public static Map<String, String> archiving(Path archive, int seconds) {
    return Map.of(
        "archive_mode",
        "on",
        "archive_timeout",
        Integer.toString(seconds),
        // whole or not at all, and the same segment again does no harm
        "archive_command",
        "cp %p " + archive + "/%f.part && mv " + archive + "/%f.part " + archive + "/%f");
  }

  /**
   * @param to a folder that does not exist
   */
  public static DatabaseBackup take(DatabaseServer server, Path to) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('drill', true)");
      copy(server.directory(), to, true);
      try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop()")) {
        row.next();
        Files.writeString(to.resolve("backup_label"), row.getString(1));
      }
      Files.createDirectories(to.resolve(WAL).resolve("archive_status"));
      Files.deleteIfExists(to.resolve("postmaster.pid"));
      Files.deleteIfExists(to.resolve("postmaster.opts"));
      return new DatabaseBackup(to);
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
   * Puts it in the place of the server's files, which were lost, and starts the server on it. What
   * is left of the lost files stays beside.
   *
   * @param server killed
   * @param walSurvived whether the volume of the write-ahead log was not lost
   */
  public void restore(DatabaseServer server, Path archive, Until until, boolean walSurvived) {
    Path place = server.directory();
    try {
      Path lost = place.resolveSibling(place.getFileName() + "-lost-" + System.nanoTime());
      Files.move(place, lost);
      copy(files, place, false);
      if (walSurvived) {
        segments(lost.resolve(WAL), place.resolve(WAL));
      }
      Files.createFile(place.resolve("recovery.signal"));
      Files.writeString(
          place.resolve("postgresql.auto.conf"),
          "\nrestore_command = 'cp "
              + archive
              + "/%f %p'\nrecovery_target = '"
              + until.target
              + "'\nrecovery_target_action = 'promote'\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.restart();
    Await.until("PostgreSQL has restored its backup", LIMIT, () -> writable(server));
  }

  private static boolean writable(DatabaseServer server) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
      row.next();
      return !row.getBoolean(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private static void segments(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.list(from)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /**
   * @param live whether the files are in use: some go while they are copied, and the write-ahead
   *     log is left out
   */
  private static void copy(Path from, Path to, boolean live) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (live && folder.getFileName().toString().equals(WAL)) {
              Files.copy(
                  folder, to.resolve(from.relativize(folder)), StandardCopyOption.COPY_ATTRIBUTES);
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.copy(
                folder, to.resolve(from.relativize(folder)), StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try {
              Files.copy(
                  file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            } catch (NoSuchFileException gone) {
              require(live, gone);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            require(live && e instanceof NoSuchFileException, e);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void require(boolean allowed, IOException e) throws IOException {
    if (!allowed) {
      throw e;
    }
  }
}
