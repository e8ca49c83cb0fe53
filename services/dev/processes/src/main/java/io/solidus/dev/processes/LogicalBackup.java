package io.solidus.dev.processes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A pg_dump of one database, and its pg_restore. */
public final class LogicalBackup {

  private final Path programs;
  private final Path file;

  private LogicalBackup(Path programs, Path file) {
    this.programs = programs;
    this.file = file;
  }

  /**
   * Dumps a database.
   *
   * @param installation of PostgreSQL, with bin/pg_dump
   */
  public static LogicalBackup take(
      Path installation, PostgresServer server, String database, Path to) {
    LogicalBackup backup = new LogicalBackup(installation.resolve("bin"), to);
    backup.run("pg_dump", server, List.of("--format=custom", "--file=" + to, database));
    return backup;
  }

  public long bytes() {
    return file.toFile().length();
  }

  /** Drops the database with its connections and creates it from the dump. */
  public void restore(PostgresServer server, String database) {
    server.execute("postgres", "DROP DATABASE " + database + " WITH (FORCE)");
    server.createDatabase(database);
    run("pg_restore", server, List.of("--dbname=" + database, "--exit-on-error", file.toString()));
  }

  private void run(String program, PostgresServer server, List<String> options) {
    List<String> command = new ArrayList<>(List.of(programs.resolve(program).toString()));
    command.addAll(
        List.of(
            "--host=127.0.0.1", "--port=" + server.port(), "--username=" + PostgresServer.USER));
    command.addAll(options);
    PostgresTools.run(file.resolveSibling(file.getFileName() + "." + program + ".log"), command);
  }
}
