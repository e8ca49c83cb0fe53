package io.solidus.loadtest.chaos.run;

import io.solidus.dev.processes.AuthorityProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Class data sharing (AppCDS) for the started processes: one of them writes an archive of its
 * classes when it stops in order, and later ones load that archive, which shortens their start.
 * Without an archive, for example on a class path with folders, they start as before.
 */
final class ClassArchive {

  private final Path arguments;
  private final Path archive;

  /**
   * @param folder for the argument file and the archive
   */
  ClassArchive(Path folder) {
    this.arguments = folder.resolve("jvm.args");
    this.archive = folder.resolve("classes.jsa");
    write("");
  }

  /** The option for the JVM of every process. */
  String option() {
    return "@" + arguments;
  }

  /** Makes the archive; stops a process in order and starts it again, twice. */
  void make(AuthorityProcesses authority, String process) {
    authority.stop(process);
    write("-XX:ArchiveClassesAtExit=" + archive);
    authority.start(process);
    authority.stop(process);
    write(Files.exists(archive) ? "-XX:SharedArchiveFile=" + archive : "");
    authority.start(process);
  }

  private void write(String argument) {
    try {
      Files.writeString(arguments, argument);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
