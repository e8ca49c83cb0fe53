package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.processes.PrimaryAndStandby;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client of one address over two fail-overs. */
@Tag("process")
class PrimaryAndStandbyTest {

  private static final String DATABASE = "postgres";

  @Test
  void theAddressLeadsToThePrimaryOfTheMoment(@TempDir Path folder) throws SQLException {
    try (PrimaryAndStandby pair = PrimaryAndStandby.start(folder)) {
      execute(pair, "CREATE TABLE t (i int)");
      execute(pair, "INSERT INTO t VALUES (1)");
      PostgresServer first = pair.primary();
      pair.failOverByFencing();
      // the former primary runs on, and nobody reaches it by the address
      assertThat(first.jdbc(DATABASE).sql("SELECT count(*) FROM t").query(Long.class).single())
          .isEqualTo(1);
      execute(pair, "INSERT INTO t VALUES (2)");
      pair.replaceFormerPrimary();
      execute(pair, "INSERT INTO t VALUES (3)");

      pair.standby().stop();
      PostgresServer second = pair.primary();
      second.execute(DATABASE, "SET synchronous_commit = local; INSERT INTO t VALUES (4)");
      pair.failOver();
      assertThat(sum(pair)).as("the row that the standby never had is lost").isEqualTo(1 + 2 + 3);
      pair.replaceFormerPrimary();
      execute(pair, "INSERT INTO t VALUES (5)");
      assertThat(sum(pair)).isEqualTo(1 + 2 + 3 + 5);
    }
  }

  private static void execute(PrimaryAndStandby pair, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(pair.url(DATABASE));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long sum(PrimaryAndStandby pair) throws SQLException {
    try (Connection connection = DriverManager.getConnection(pair.url(DATABASE));
        Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT sum(i) FROM t")) {
      row.next();
      return row.getLong(1);
    }
  }
}
