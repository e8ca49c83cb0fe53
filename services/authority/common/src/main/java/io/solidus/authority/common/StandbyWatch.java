package io.solidus.authority.common;

import io.solidus.platform.database.DurableMark;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Knows whether a standby confirms commits at present, and ends the wait of a commit that none
 * confirms.
 *
 * <p>PostgreSQL does not look for a client while a commit waits for a standby. A client that gives
 * up leaves a backend behind that keeps its locks and its slot until the standby is back; the next
 * attempt leaves another. So no transaction begins while commits are not confirmed, and a wait is
 * ended by a cancellation, which leaves no backend behind.
 */
final class StandbyWatch {

  private static final Logger log = LoggerFactory.getLogger(StandbyWatch.class);

  /** Probes are made every second. */
  static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private final long silenceNanos;
  private final long commitNanos;
  private final Set<Commit> commits = ConcurrentHashMap.newKeySet();

  /** Whether probes are made at all; without them nothing is known and nothing is refused. */
  private volatile boolean probing;

  private volatile long confirmedAt;
  private volatile boolean refusing;

  /**
   * Makes a watch.
   *
   * @param silence without a confirmed commit after which no transaction begins
   * @param commit the longest wait of a commit
   */
  StandbyWatch(Duration silence, Duration commit, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.silenceNanos = silence.toNanos();
    this.commitNanos = commit.toNanos();
  }

  /** Whether a commit was confirmed lately. */
  boolean confirmed() {
    return !probing || nanoTime.getAsLong() - confirmedAt < silenceNanos;
  }

  /**
   * Requires that a commit was confirmed lately.
   *
   * @throws UnconfirmedException before a connection is taken; the call may be repeated later
   */
  void requireConfirmed() {
    if (!confirmed()) {
      if (!refusing) {
        refusing = true;
        log.error("NOTHING IS RESERVED OR SIGNED: no standby confirms commits");
      }
      throw new UnconfirmedException();
    }
  }

  /**
   * Commits a record that changes nothing, which waits for the standbys as every other commit does.
   * While none answers, one backend waits, never more.
   *
   * @param session in which nothing else runs
   * @throws SQLException when the commit failed or was not confirmed
   */
  void probe(Connection session) throws SQLException {
    if (!probing) {
      confirmedAt = nanoTime.getAsLong();
      probing = true;
    }
    boolean autoCommit = session.getAutoCommit();
    session.setAutoCommit(false);
    try (Statement mark = session.createStatement()) {
      mark.execute(DurableMark.SQL);
      SQLWarning warning = commit(session);
      if (warning != null) {
        throw new SQLException("a commit is not confirmed", warning.getSQLState());
      }
    } finally {
      session.setAutoCommit(autoCommit);
    }
    confirmedAt = nanoTime.getAsLong();
    if (refusing) {
      refusing = false;
      log.info("standbys confirm commits again");
    }
  }

  /**
   * Commits, as a statement, because JDBC cancels statements only.
   *
   * @return what PostgreSQL warned of; null for a durable commit
   */
  @Nullable SQLWarning commit(Connection session) throws SQLException {
    try (Statement statement = session.createStatement()) {
      Commit commit = new Commit(statement, nanoTime.getAsLong());
      commits.add(commit);
      try {
        statement.execute("COMMIT");
        return statement.getWarnings();
      } finally {
        commits.remove(commit);
        commit.end();
      }
    }
  }

  /** Ends the waits that are too long: these commits answer with a warning, as not durable. */
  void endLongWaits() {
    long now = nanoTime.getAsLong();
    for (Commit commit : commits) {
      if (now - commit.since > commitNanos) {
        commit.cancel();
      }
    }
  }

  /** A commit under way. */
  private static final class Commit {
    private final Statement statement;
    private final long since;
    private boolean over;

    Commit(Statement statement, long since) {
      this.statement = statement;
      this.since = since;
    }

    /** Afterwards no cancellation is sent: the session goes to other work. */
    synchronized void end() {
      over = true;
    }

    synchronized void cancel() {
      if (over) {
        return;
      }
      try {
        log.warn("the wait of a commit for a standby is ended");
        statement.cancel();
      } catch (SQLException e) {
        log.warn("the wait of a commit could not be ended: SQL state {}", e.getSQLState());
      }
    }
  }

  /** No transaction begins, because none could commit. */
  static final class UnconfirmedException extends CannotCreateTransactionException {
    private static final long serialVersionUID = 1L;

    UnconfirmedException() {
      super("no standby confirms commits");
    }
  }
}
