package io.solidus.platform.database;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;

/**
 * Tells failures of the database from defects. The same statement may succeed after an outage. A
 * violated constraint, a trigger that refuses or a wrong statement is a defect: whoever retries it
 * retries for ever.
 */
public final class DatabaseOutages {
  /**
   * Classes of SQLSTATE that Spring has no exception for: no connection, read-only after a
   * failover, no resources, a lock that was not free, an operator's intervention, input and output.
   */
  private static final Set<String> CLASSES = Set.of("08", "25", "53", "55", "57", "58");

  private DatabaseOutages() {}

  /** Whether a failure is one. Needs Spring's JDBC on the class path. */
  public static boolean isOutage(Throwable failure) {
    return switch (failure) {
      case TransientDataAccessException transientFailure -> true;
      case RecoverableDataAccessException anotherConnection -> true;
      case NonTransientDataAccessResourceException noConnection -> true;
      case UncategorizedSQLException other -> CLASSES.contains(stateClass(other.getSQLException()));
      case CannotCreateTransactionException noConnection -> true;
      // a connection that broke within a transaction: the rollback fails, and hides the statement
      case TransactionSystemException noAnswer -> true;
      case TransactionTimedOutException late -> true;
      default -> false;
    };
  }

  private static String stateClass(@Nullable SQLException e) {
    String state = e == null ? null : e.getSQLState();
    return state == null || state.length() < 2 ? "" : state.substring(0, 2);
  }
}
