package io.solidus.dev.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.util.FileSystemUtils;

/**
 * Class data sharing (AppCDS) for the started processes: one of them writes an archive of its
 * classes when it stops in order, and later ones load that archive, which shortens their start. The
 * JVM ignores the archive for a class path that does not begin with the archive's class path.
 */
final class ClassArchive {

  private final Path archive;
  private boolean assigned;

  ClassArchive() {
    try {
      Path folder = Files.createTempDirectory("solidus-classes");
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(folder.toFile())));
      this.archive = folder.resolve("classes.jsa");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The JVM option of the next process. Empty while another process has still to write the archive,
   * and for a class path with folders, of which there is no archive.
   */
  synchronized Optional<String> option(String[] classPath) {
    if (!Arrays.stream(classPath).allMatch(each -> each.endsWith(".jar"))) {
      return Optional.empty();
    }
    if (Files.exists(archive)) {
      return Optional.of("-XX:SharedArchiveFile=" + archive);
    }
    if (assigned) {
      return Optional.empty();
    }
    assigned = true;
    return Optional.of("-XX:ArchiveClassesAtExit=" + archive);
  }

  /** The next process writes the archive, if none has written it. */
  synchronized void assignNext() {
    assigned = false;
  }
}
