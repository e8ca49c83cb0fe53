package io.solidus.dev.processes;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * Data directories of PostgreSQL. An empty one is made once per JVM, or once for all JVMs that get
 * the same folder with {@code -Dsolidus.postgres.template}; each new one is a copy.
 */
final class DataDirectory {

  /** The folder of the write-ahead log. */
  static final String WAL = "pg_wal";

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private static @Nullable Template template;

  /**
   * An initialised data directory.
   *
   * @param program the server program that made it
   */
  private record Template(Path program, Path directory) {}

  private DataDirectory() {}

  /** Whether a folder holds the data of a server. */
  static boolean exists(Path directory) {
    return Files.exists(directory.resolve("PG_VERSION"));
  }

  /** Makes an empty data directory; the folder may exist if it is empty. */
  static void create(Path directory) {
    try {
      Files.createDirectories(directory.toAbsolutePath().getParent());
      copy(template().directory(), directory, false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server program. */
  static Path program() {
    return template().program();
  }

  /**
   * Copies a data directory with the modes and times of its files.
   *
   * @param live whether a server uses it; files may disappear meanwhile, and the write-ahead log is
   *     left out
   */
  static void copy(Path from, Path to, boolean live) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(folder));
            if (!Files.isDirectory(target)) {
              Files.copy(folder, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
            return live && folder.getFileName().toString().equals(WAL)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try {
              Files.copy(
                  file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
              return FileVisitResult.CONTINUE;
            } catch (NoSuchFileException e) {
              return visitFileFailed(file, e);
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (live && e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }

  private static synchronized Template template() {
    if (template == null) {
      try {
        String kept = System.getProperty("solidus.postgres.template");
        template = kept == null ? temporary() : kept(Files.createDirectories(Path.of(kept)));
      } catch (IOException e) {
        throw new UncheckedIOException("no data directory could be made", e);
      }
    }
    return template;
  }

  private static Template temporary() throws IOException {
    Path folder = Files.createTempDirectory("solidus-postgres");
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(folder.toFile())));
    return make(folder);
  }

  /** The template in a folder that outlives this JVM; one JVM at a time may make it there. */
  private static Template kept(Path folder) throws IOException {
    Path program = folder.resolve("program");
    if (Files.exists(program)) {
      return new Template(Path.of(Files.readString(program)), folder.resolve("data"));
    }
    Template made = make(folder);
    Files.writeString(program, made.program().toString());
    return made;
  }

  private static Template make(Path folder) throws IOException {
    Path directory = folder.resolve("data");
    Optional<Path> installation = PostgresServer.installation();
    Path program =
        installation.isPresent()
            ? initialise(installation.get().resolve("bin"), directory)
            : initialiseEmbedded(directory);
    return new Template(program, directory);
  }

  private static Path initialise(Path bin, Path directory) {
    PostgresTools.run(
        directory.resolveSibling("initdb.log"),
        PostgresTools.unprivileged(
            List.of(
                bin.resolve("initdb").toString(),
                "-A",
                "trust",
                "-U",
                PostgresServer.USER,
                "-E",
                "UTF8",
                "-D",
                directory.toString())));
    return bin.resolve("postgres");
  }

  /** The embedded distribution unpacks itself and makes the directory when it starts. */
  private static Path initialiseEmbedded(Path directory) throws IOException {
    try (EmbeddedPostgres first =
        EmbeddedPostgres.builder()
            .setPort(Ports.next())
            .setDataDirectory(directory)
            .setCleanDataDirectory(false)
            .setPGStartupWait(LIMIT)
            .start()) {
      String pid = Files.readAllLines(directory.resolve("postmaster.pid")).getFirst().strip();
      return Path.of(Files.readString(Path.of("/proc", pid, "cmdline")).split("\0", -1)[0]);
    }
  }
}
