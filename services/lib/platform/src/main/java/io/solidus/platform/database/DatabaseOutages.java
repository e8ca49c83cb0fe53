package io.solidus.platform.database;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
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
   * Classes of SQLSTATE of outages: no connection, a transaction that lost against another one, no
   * resources, an operator's intervention, input and output.
   */
  private static final Set<String> CLASSES = Set.of("08", "40", "53", "57", "58");

  /** Read-only after a failover, an idle transaction that was ended, an object or lock in use. */
  private static final Set<String> STATES = Set.of("25006", "25P03", "55006", "55P03");

  private static final int CLASS = 2;

  private DatabaseOutages() {}

  /** Whether a failure is one. Needs Spring's JDBC on the class path. */
  public static boolean isOutage(Throwable failure) {
    return switch (failure) {
      case CannotGetJdbcConnectionException noConnection -> true;
      case CannotCreateTransactionException noConnection -> true;
      case TransactionTimedOutException late -> true;
      case TransientDataAccessException transientFailure -> allows(failure, true);
      case RecoverableDataAccessException anotherConnection -> allows(failure, true);
      case NonTransientDataAccessResourceException noResource -> allows(failure, true);
      case UncategorizedSQLException other -> allows(failure, false);
      // A connection that broke within a transaction: the rollback fails, and hides the statement.
      // A trigger that refuses at the commit comes as the same exception, with a state.
      case TransactionSystemException noAnswer -> allows(failure, true);
      default -> false;
    };
  }

  private static boolean allows(Throwable failure, boolean withoutState) {
    String state = state(failure);
    if (state == null) {
      return withoutState;
    }
    return STATES.contains(state)
        || (state.length() >= CLASS && CLASSES.contains(state.substring(0, CLASS)));
  }

  /** The first SQLSTATE among the causes, which say more than Spring's exceptions. */
  private static @Nullable String state(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
    }
    return null;
  }
}
