package io.solidus.dev.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs PostgreSQL's programs. */
final class PostgresTools {

  private static final long LIMIT_SECONDS = 300;

  private PostgresTools() {}

  /** PostgreSQL refuses to run as root; in a user namespace root is another user. */
  static List<String> unprivileged(List<String> command) {
    List<String> line = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      line.addAll(List.of("unshare", "-U"));
    }
    line.addAll(command);
    return line;
  }

  /**
   * Runs a program to its end.
   *
   * @param log gets its output
   * @throws IllegalStateException when it fails or takes more than five minutes
   */
  static void run(Path log, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      if (process.isAlive() || process.exitValue() != 0) {
        throw new IllegalStateException(command + " failed; see " + log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
