package io.solidus.loadtest.chaos.run;

import io.solidus.dev.processes.AuthorityProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes processes start in a fraction of the time: one of them writes down, when it stops in order,
 * which classes it had, and all that start later read that instead of many jars. A machine or class
 * path that does not allow it starts them as before.
 */
final class ClassArchive {

  private final Path arguments;
  private final Path archive;

  /**
   * @param folder for its two files
   */
  ClassArchive(Path folder) {
    this.arguments = folder.resolve("jvm.args");
    this.archive = folder.resolve("classes.jsa");
    write("");
  }

  /** An option for every process's JVM. */
  String option() {
    return "@" + arguments;
  }

  /** Stops a process in order and starts it again, twice. */
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
