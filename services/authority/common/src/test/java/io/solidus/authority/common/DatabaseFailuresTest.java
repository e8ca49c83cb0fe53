package io.solidus.authority.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;

/** What a caller hears when the database refuses a statement. */
@Tag("process")
class DatabaseFailuresTest {

  private final TestDatabase database = TestPostgres.newDatabase();
  private final JdbcClient jdbc = database.jdbc();

  @BeforeEach
  void table() {
    jdbc.sql("CREATE TABLE kept (number integer PRIMARY KEY CHECK (number > 0))").update();
    jdbc.sql(
            """
            CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'rows of % are never changed', TG_TABLE_NAME; END $$
            """)
        .update();
    jdbc.sql(
            "CREATE TRIGGER kept_is_final BEFORE UPDATE ON kept FOR EACH ROW EXECUTE FUNCTION refuse_change()")
        .update();
    jdbc.sql("INSERT INTO kept VALUES (1)").update();
  }

  /** A wallet would retry a defect for ever, and nobody would hear of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO kept VALUES (1)",
        "INSERT INTO kept VALUES (0)",
        "INSERT INTO kept VALUES (NULL)",
        "UPDATE kept SET number = 2",
        "SELECT nothing FROM nowhere",
        "SELECT 1 / 0"
      })
  void aDefectIsNoOutage(String statement) {
    assertThat(GrpcReplies.rejection(failure(statement))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT pg_terminate_backend(pg_backend_pid())",
        "SET statement_timeout = 1; SELECT pg_sleep(5)"
      })
  void anOutageIsRetried(String statement) {
    assertUnavailable(failure(statement));
  }

  @Test
  void noConnectionIsAnOutage() {
    assertUnavailable(new DataAccessResourceFailureException("no connection"));
    assertUnavailable(
        new UncategorizedSQLException("reserve", null, new SQLException("read-only", "25006")));
    assertThat(
            GrpcReplies.rejection(
                new UncategorizedSQLException("reserve", null, new SQLException("no state"))))
        .isEmpty();
  }

  @Test
  void aTransactionThatEndedOtherwiseIsADefect() {
    assertThat(GrpcReplies.rejection(new UnexpectedRollbackException("a caller went on")))
        .isEmpty();
    assertThat(
            GrpcReplies.rejection(
                new TransactionSystemException("commit", new SQLException("refused", "P0001"))))
        .isEmpty();
    assertUnavailable(new TransactionSystemException("rollback", new SQLException("closed")));
  }

  private static void assertUnavailable(RuntimeException failure) {
    assertThat(GrpcReplies.rejection(failure).map(ProtocolException::code))
        .as("%s", failure)
        .contains(RejectionCode.UNAVAILABLE);
  }

  private DataAccessException failure(String statement) {
    return catchThrowableOfType(DataAccessException.class, () -> jdbc.sql(statement).update());
  }
}
