package io.solidus.dev.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** Data directories of PostgreSQL: an empty one is made once per JVM and copied from then on. */
final class DataDirectory {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /**
   * What a copy of a running server's directory leaves out; without pg_wal it needs a server to
   * stream from.
   */
  private static final Set<String> CONTENT_LEFT_OUT =
      Set.of("pg_wal", "pg_replslot", "pg_stat_tmp", "pg_subtrans", "pg_notify");

  private static final Set<String> FILES_LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts");

  private static @Nullable Template template;

  /**
   * @param binary the server program
   * @param data of a server that was stopped in order
   */
  private record Template(Path binary, Path data) {}

  private DataDirectory() {}

  /** Makes {@code data} the directory of a new server; returns the server program. */
  static Path create(Path data) {
    Template made = template();
    try {
      copy(made.data(), data, Set.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return made.binary();
  }

  /** Copies the directory of a server that is in backup mode. */
  static void copy(Path from, Path to) throws IOException {
    copy(from, to, CONTENT_LEFT_OUT);
  }

  private static synchronized Template template() {
    if (template == null) {
      try {
        Path parent = Files.createTempDirectory("solidus-postgres");
        Runtime.getRuntime()
            .addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(parent.toFile())));
        Path data = parent.resolve("data");
        template = new Template(initialise(data), data);
      } catch (IOException e) {
        throw new UncheckedIOException("no data directory", e);
      }
    }
    return template;
  }

  /** Lets the embedded distribution unpack itself and make the directory. */
  private static Path initialise(Path data) throws IOException {
    try (EmbeddedPostgres first =
        EmbeddedPostgres.builder()
            .setPort(FreePorts.next())
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPGStartupWait(LIMIT)
            .start()) {
      String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip();
      return Path.of(Files.readString(Path.of("/proc", pid, "cmdline")).split("\0")[0]);
    }
  }

  private static void copy(Path from, Path to, Set<String> contentLeftOut) throws IOException {
    Files.createDirectory(
        to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Path relative = from.relativize(folder);
            if (!folder.equals(from)) {
              Files.createDirectory(
                  to.resolve(relative),
                  PosixFilePermissions.asFileAttribute(Files.getPosixFilePermissions(folder)));
            }
            return contentLeftOut.contains(relative.toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!FILES_LEFT_OUT.contains(file.getFileName().toString())) {
              Files.copy(file, to.resolve(from.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }

          /** Temporary files may go while the copy is made. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }
}
