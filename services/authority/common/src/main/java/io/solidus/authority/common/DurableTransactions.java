package io.solidus.authority.common;

import io.solidus.platform.database.DurableMark;
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
 * A transaction manager. Its commit returns only when the writes are durable in PostgreSQL, on this
 * server and on the synchronous standbys.
 *
 * <p>It checks the settings of a session before its first transaction, and again when the last
 * check is older than the recheck interval. While a setting is unsafe, no transaction starts in
 * that session. PostgreSQL reports a commit whose wait for a standby was cancelled (by an operator,
 * by statement_timeout, by shutdown) as success with a warning. Here that is a failure. Such a
 * transaction is visible all the same, so a caller that finds its rows later must leave a {@link
 * DurableMark} before it relies on them.
 *
 * <p>While no standby confirms commits, no transaction begins; those under way end ({@link
 * StandbyWatch}). Reads outside of transactions go on.
 */
public final class DurableTransactions extends JdbcTransactionManager {

  private static final long serialVersionUID = 1L;
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final Duration LONGEST_COMMIT = Duration.ofSeconds(10);

  private final int standbys;
  private final long recheckNanos;
  private final transient LongSupplier nanoTime;

  /** When each session was last found safe. Closed sessions disappear by themselves. */
  private final transient Map<Connection, Long> checked = new WeakHashMap<>();

  private final transient StandbyWatch watch;

  private volatile @Nullable String problem;

  /**
   * Makes transactions of a required durability.
   *
   * @param standbys the number of standbys that must have a commit before it counts
   * @param recheck how long the checked settings of a session count as unchanged
   */
  public DurableTransactions(DataSource database, int standbys, Duration recheck) {
    this(database, standbys, recheck, System::nanoTime);
  }

  DurableTransactions(DataSource database, int standbys, Duration recheck, LongSupplier nanoTime) {
    super(database);
    this.standbys = standbys;
    this.recheckNanos = recheck.toNanos();
    this.nanoTime = nanoTime;
    this.watch = new StandbyWatch(SILENCE, LONGEST_COMMIT, nanoTime);
  }

  /**
   * The setting that stops the work of this authority; empty when the last check found all settings
   * safe.
   */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** Whether commits are confirmed by as many standbys as they have to be. */
  public boolean confirmed() {
    return watch.confirmed();
  }

  /**
   * Commits a record that changes nothing, if commits wait for standbys.
   *
   * @throws SQLException when the commit failed or was not confirmed
   */
  void probeStandbys() throws SQLException {
    if (standbys > 0) {
      try (Connection session = obtainDataSource().getConnection()) {
        watch.probe(session);
      }
    }
  }

  /** Ends the waits of commits for a standby that are too long. */
  void endLongWaits() {
    watch.endLongWaits();
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {
    watch.requireConfirmed();
    super.doBegin(transaction, definition);
  }

  /**
   * Checks the settings of a session.
   *
   * @throws PostgresSafety.UnsafeDatabaseException naming the setting
   */
  public void requireSafe() {
    PostgresSafety.require(obtainDataSource(), standbys);
  }

  /** Checks a session by committing a transaction that writes nothing. */
  void checkSession() {
    new TransactionTemplate(this).executeWithoutResult(t -> {});
  }

  /**
   * Checks the settings of the session. A failure closes the transaction that is about to start:
   * its caller gets a TransactionException.
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
   * Commits, and fails on any warning of PostgreSQL.
   *
   * @throws NotDurableException when the transaction is visible, but perhaps on this server alone
   */
  @Override
  protected void doCommit(DefaultTransactionStatus status) {
    Connection session =
        ((JdbcTransactionObjectSupport) status.getTransaction())
            .getConnectionHolder()
            .getConnection();
    try {
      SQLWarning warning = watch.commit(session);
      if (warning != null) {
        // messages are translated and codes differ between versions, but a durable commit never
        // warns
        throw new NotDurableException(
            "PostgreSQL warned when it committed: SQL state " + warning.getSQLState());
      }
    } catch (SQLException e) {
      throw new NotDurableException("whether a commit is durable is not known", e);
    }
  }

  /**
   * A commit took effect on the primary and may be lost with it. Nothing may leave this process
   * because of it.
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
