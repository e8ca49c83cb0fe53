package io.solidus.operator.issuance;

import io.solidus.dev.testkit.TestDatabase;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The tables of a service as its migrations left them. A test class brings them back before each
 * test, where a service and a database for each would take seconds.
 */
public final class PristineTables {
  private static final int ATTEMPTS = 10;

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final List<String> tables;

  /** Remembers the tables as they are now. */
  public PristineTables(TestDatabase database) {
    var source = database.dataSource();
    this.jdbc = JdbcClient.create(source);
    this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
    this.tables =
        jdbc.sql(
                "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'"
                    + " AND tablename <> 'flyway_schema_history' ORDER BY tablename")
            .query(String.class)
            .list();
    execute("CREATE SCHEMA pristine");
    tables.forEach(table -> execute("CREATE TABLE pristine." + table + " AS TABLE " + table));
  }

  /**
   * Brings the rows back and starts the sequences anew, in one transaction. Triggers, which keep
   * rows for good, are switched off in it. Nobody may call the service meanwhile; with its own jobs
   * a lock may cross, and then it is tried again.
   */
  public void restore() {
    for (int left = ATTEMPTS; left > 0; left--) {
      try {
        restoreOnce();
        return;
      } catch (PessimisticLockingFailureException e) {
        if (left == 1) {
          throw e;
        }
      }
    }
  }

  private void restoreOnce() {
    transactions.executeWithoutResult(status -> {
      execute("SET LOCAL session_replication_role = replica");
      execute("LOCK TABLE " + String.join(", ", tables) + " IN ACCESS EXCLUSIVE MODE");
      execute(
          tables.stream()
              .map(table ->
                  "DELETE FROM %1$s; INSERT INTO %1$s OVERRIDING SYSTEM VALUE TABLE pristine.%1$s"
                      .formatted(table))
              .collect(Collectors.joining("; ")));
      execute(
          "DO $$ DECLARE name text; BEGIN FOR name IN SELECT quote_ident(sequencename) FROM"
              + " pg_sequences WHERE schemaname = 'public' LOOP EXECUTE 'ALTER SEQUENCE ' || name"
              + " || ' RESTART'; END LOOP; END $$");
    });
  }

  private void execute(String sql) {
    jdbc.sql(sql).update();
  }
}
