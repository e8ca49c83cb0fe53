package io.solidus.authority.common;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions that are over only when PostgreSQL keeps what they wrote, on this server and on the
 * standbys it waits for.
 *
 * <p>A session is asked for its settings before its first transaction and again when the last
 * answer is older than the recheck interval; while one of them is unsafe, no transaction begins in
 * it. And PostgreSQL answers a commit whose wait for a standby was cancelled (by an operator, by
 * statement_timeout, by shutdown) with success and a warning: here that is a failure. Such a
 * transaction is visible all the same, so whoever finds its rows later must leave a {@link
 * DurableMark} before acting on them.
 */
public final class DurableTransactions extends JdbcTransactionManager {

  private static final long serialVersionUID = 1L;

  private final int standbys;
  private final long recheckNanos;
  private final transient LongSupplier nanoTime;

  /** When each session was last found safe; a session that was closed goes by itself. */
  private final transient Map<Connection, Long> checked = new WeakHashMap<>();

  private volatile @Nullable String problem;

  /**
   * @param standbys on how many standbys a commit must be
   * @param recheck how long a session's settings are taken to be as they were
   */
  public DurableTransactions(DataSource database, int standbys, Duration recheck) {
    this(database, standbys, recheck, System::nanoTime);
  }

  DurableTransactions(DataSource database, int standbys, Duration recheck, LongSupplier nanoTime) {
    super(database);
    this.standbys = standbys;
    this.recheckNanos = recheck.toNanos();
    this.nanoTime = nanoTime;
  }

  /**
   * Which setting stops this authority's work; empty while the last look at a session found none.
   */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /**
   * @throws PostgresSafety.UnsafeDatabaseException naming the setting
   */
  void requireSafe() {
    PostgresSafety.require(obtainDataSource(), standbys);
  }

  /** Opens and commits a transaction that writes nothing, for the look at its session. */
  void look() {
    new TransactionTemplate(this).executeWithoutResult(t -> {});
  }

  /**
   * A failure in here closes the transaction that is about to begin: its caller sees a
   * TransactionException.
   */
  @Override
  protected void prepareTransactionalConnection(
      Connection connection, TransactionDefinition definition) throws SQLException {
    super.prepareTransactionalConnection(connection, definition);
    Connection session = connection.unwrap(Connection.class);
    if (isFresh(session)) {
      return;
    }
    try {
      PostgresSafety.require(connection, standbys);
    } catch (PostgresSafety.UnsafeDatabaseException e) {
      if (problem == null) {
        logger.error("NOTHING IS RESERVED OR SIGNED: " + e.getMessage());
      }
      problem = e.getMessage();
      throw e;
    }
    problem = null;
    synchronized (checked) {
      checked.put(session, nanoTime.getAsLong());
    }
  }

  private boolean isFresh(Connection session) {
    if (problem != null) {
      return false;
    }
    synchronized (checked) {
      Long at = checked.get(session);
      return at != null && nanoTime.getAsLong() - at < recheckNanos;
    }
  }

  /**
   * @throws NotDurableException when the transaction is visible, but perhaps on this server alone
   */
  @Override
  protected void doCommit(DefaultTransactionStatus status) {
    Connection session =
        ((JdbcTransactionObjectSupport) status.getTransaction())
            .getConnectionHolder()
            .getConnection();
    try {
      session.clearWarnings();
      super.doCommit(status);
      SQLWarning warning = session.getWarnings();
      if (warning != null) {
        // messages are translated and codes differ between versions, but a commit that is durable
        // warns of nothing
        throw new NotDurableException(
            "PostgreSQL warned when it committed: SQL state " + warning.getSQLState());
      }
    } catch (SQLException e) {
      throw new NotDurableException("whether a commit is durable is not known", e);
    }
  }

  /**
   * A commit took effect on the primary, and may be lost with it: nothing may leave on the strength
   * of it.
   */
  public static final class NotDurableException extends TransactionSystemException {
    private static final long serialVersionUID = 1L;

    NotDurableException(String message) {
      super(message);
    }

    NotDurableException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
