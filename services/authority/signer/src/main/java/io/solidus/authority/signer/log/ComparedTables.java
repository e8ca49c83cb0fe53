package io.solidus.authority.signer.log;

import java.util.HashSet;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables that the sign-log is compared with. A line names a table and its identity: the object
 * id, which PostgreSQL gives to a table once, and the file of its rows, which a TRUNCATE or a
 * rewrite replaces. A table that was dropped and made anew, or restored from a dump, has another
 * line. So has another server or database: two that were made alike have the same object ids. A
 * standby that takes over has the same lines.
 */
final class ComparedTables {

  private static final String LINES =
      """
      SELECT concat_ws(' ', n.nspname || '.' || c.relname, c.oid, c.relfilenode)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relname IN ('serials', 'signed', 'registration') AND c.relkind IN ('r', 'p')
        AND (n.nspname ~ '^shard_[0-9]+$' OR n.nspname IN ('signer', 'issuer'))
      UNION ALL SELECT concat_ws(' ', 'server', s.system_identifier, d.oid)
      FROM pg_catalog.pg_control_system() s, pg_catalog.pg_database d WHERE d.datname = current_database()
      """;

  private final JdbcClient jdbc;

  ComparedTables(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The lines of the tables and of the database. */
  Set<String> lines() {
    return new HashSet<>(jdbc.sql(LINES).query(String.class).list());
  }
}
