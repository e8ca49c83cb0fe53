package io.solidus.dev.processes;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** pg_dump and pg_restore of one database, of the same installation as the server. */
public final class LogicalBackup {

  private static final long LIMIT_SECONDS = 300;

  private final Path tools;
  private final Path file;

  private LogicalBackup(Path tools, Path file) {
    this.tools = tools;
    this.file = file;
  }

  /**
   * @param installation of PostgreSQL, with bin/pg_dump
   */
  public static LogicalBackup take(
      Path installation, DatabaseServer server, String database, Path to) {
    LogicalBackup backup = new LogicalBackup(installation.resolve("bin"), to);
    backup.run("pg_dump", server, List.of("--format=custom", "--file=" + to, database));
    return backup;
  }

  public long bytes() {
    return file.toFile().length();
  }

  /** Drops the database, connections and all, and makes it anew. */
  public void restore(DatabaseServer server, String database) {
    server.execute("postgres", "DROP DATABASE " + database + " WITH (FORCE)");
    server.createDatabase(database);
    run("pg_restore", server, List.of("--dbname=" + database, "--exit-on-error", file.toString()));
  }

  private void run(String tool, DatabaseServer server, List<String> options) {
    List<String> command = new ArrayList<>(List.of(tools.resolve(tool).toString()));
    command.addAll(
        List.of(
            "--host=127.0.0.1", "--port=" + server.port(), "--username=" + DatabaseServer.USER));
    command.addAll(options);
    File said = file.resolveSibling(file.getFileName() + "." + tool + ".log").toFile();
    try {
      Process process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said).start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      if (process.isAlive() || process.exitValue() != 0) {
        throw new IllegalStateException(tool + " failed; see " + said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
