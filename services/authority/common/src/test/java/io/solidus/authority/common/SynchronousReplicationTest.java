package io.solidus.authority.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.solidus.authority.common.DurableTransactions.NotDurableException;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.processes.PrimaryAndStandby;
import io.solidus.platform.database.DurableMark;
import io.solidus.protocol.RejectionCode;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A commit whose wait for the standby was cancelled never counts as durable; with a real primary
 * and a real standby.
 */
@Tag("process")
class SynchronousReplicationTest {

  private static final long HANG_SECONDS = 300;

  @TempDir Path folder;
  private PrimaryAndStandby pair;
  private HikariDataSource pool;
  private JdbcClient jdbc;
  private TransactionTemplate durably;

  @BeforeEach
  void start() {
    pair = PrimaryAndStandby.start(folder);
    pair.primary()
        .execute("postgres", "CREATE TABLE serials (serial int PRIMARY KEY, core int NOT NULL)");
    pool = pool(pair.primary().url("postgres"));
    jdbc = JdbcClient.create(pool);
    durably = new TransactionTemplate(new DurableTransactions(pool, 1, Duration.ofSeconds(5)));
  }

  @AfterEach
  void stop() {
    pool.close();
    pair.close();
  }

  @Test
  void aCommittedRowIsOnTheStandby() {
    int fresh = durably.execute(t -> insert(1));
    assertThat(fresh).isEqualTo(1);
    assertThat(rows(pair.failOver())).isEqualTo(1);
  }

  @Test
  void aCancelledWaitIsAFailure() {
    pair.standby().stop();
    CompletableFuture<Integer> commit = reserveInBackground(1);
    pair.awaitWaiting();
    assertThat(commit).as("the commit waits").isNotDone();
    pair.cancelWaiting();
    RuntimeException failure = failure(commit);
    assertThat(failure).isInstanceOf(NotDurableException.class);
    assertThat(GrpcReplies.rejection(failure).orElseThrow().code())
        .isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(rows(pair.primary())).as("visible all the same").isEqualTo(1);
    assertThat(rows(pair.failOver())).as("lost with the primary").isZero();
  }

  /** statement_timeout does not end the wait of a commit; the socket timeout of the driver does. */
  @Test
  void aWaitThatTheClientAbortsIsAFailure() {
    pair.standby().stop();
    try (HikariDataSource shortTimeout =
        pool(pair.primary().url("postgres") + "&socketTimeout=2")) {
      TransactionTemplate work =
          new TransactionTemplate(new DurableTransactions(shortTimeout, 1, Duration.ofSeconds(5)));
      RuntimeException failure =
          (RuntimeException)
              catchThrowable(() -> work.execute(t -> insert(JdbcClient.create(shortTimeout), 1)));
      assertThat(GrpcReplies.rejection(failure).orElseThrow().code())
          .isEqualTo(RejectionCode.UNAVAILABLE);
    }
  }

  /** Shows what {@link DurableTransactions} prevents. */
  @Test
  void aPlainTransactionManagerReportsACancelledWaitAsSuccess() {
    pair.standby().stop();
    TransactionTemplate plain = new TransactionTemplate(new JdbcTransactionManager(pool));
    CompletableFuture<Integer> commit =
        CompletableFuture.supplyAsync(() -> plain.execute(t -> insert(1)));
    pair.awaitWaiting();
    pair.cancelWaiting();
    assertThat(commit.join()).isEqualTo(1);
    assertThat(rows(pair.failOver())).isZero();
  }

  @Test
  void withoutAMarkARetrySucceedsForRowsThatAFailoverLoses() {
    cancelledReservation(1);
    int fresh = durably.execute(t -> insert(1));
    assertThat(fresh)
        .as("the row exists, so the commit writes nothing and waits for nothing")
        .isZero();
    assertThat(rows(pair.failOver())).isZero();
  }

  @Test
  void withAMarkARetryWaitsForTheRowsItFound() throws Exception {
    cancelledReservation(1);
    CompletableFuture<Integer> retry = reserveInBackground(1);
    pair.awaitWaiting();
    pair.cancelWaiting();
    assertThat(failure(retry)).as("still not durable").isInstanceOf(NotDurableException.class);

    CompletableFuture<Integer> again = reserveInBackground(1);
    pair.awaitWaiting();
    assertThat(again).isNotDone();
    pair.standby().restart();
    assertThat(again.get(HANG_SECONDS, TimeUnit.SECONDS)).as("the standby is back").isZero();
    assertThat(rows(pair.failOver())).isEqualTo(1);
  }

  @Test
  void aCrashOfThePrimaryDuringTheWaitIsAFailure() {
    pair.standby().stop();
    CompletableFuture<Integer> commit = reserveInBackground(1);
    pair.awaitWaiting();
    pair.primary().kill();
    assertThat(GrpcReplies.rejection(failure(commit)).orElseThrow().code())
        .isEqualTo(RejectionCode.UNAVAILABLE);
    pair.primary().restart();
    assertThat(rows(pair.primary()))
        .as("recovery restores a row that was never acknowledged")
        .isEqualTo(1);
    CompletableFuture<Integer> retry = reserveInBackground(1);
    pair.awaitWaiting();
    assertThat(retry).as("the retry waits").isNotDone();
  }

  /**
   * Attack: payments are tried all the time while the standby is away. Without the watch every
   * attempt leaves a backend behind that nobody ends.
   */
  @Test
  void nothingBeginsWithoutAStandbyAndNoBackendIsStuck() throws Exception {
    try (Watched watched = new Watched()) {
      watched.probe();
      watched.work.executeWithoutResult(t -> watched.insert(1));
      pair.standby().stop();

      CompletableFuture<?> inFlight =
          CompletableFuture.runAsync(
              () -> watched.work.executeWithoutResult(t -> watched.insert(2)),
              Thread::startVirtualThread);
      CompletableFuture<?> probe =
          CompletableFuture.runAsync(watched::probe, Thread::startVirtualThread);
      awaitWaiting(2);
      watched.now.addAndGet(Duration.ofSeconds(6).toNanos());
      for (int attempt = 3; attempt < 40; attempt++) {
        int serial = attempt;
        Throwable refused =
            catchThrowable(() -> watched.work.executeWithoutResult(t -> watched.insert(serial)));
        assertThat(refused).isInstanceOf(StandbyWatch.UnconfirmedException.class);
        assertThat(GrpcReplies.rejection((RuntimeException) refused).orElseThrow().code())
            .isEqualTo(RejectionCode.UNAVAILABLE);
      }
      assertThat(waiting()).as("backends that wait: the first commit and the probe").isEqualTo(2);
      assertThat(jdbc.sql("SELECT count(*) FROM serials").query(Long.class).single())
          .as("reads live on")
          .isEqualTo(1);

      watched.now.addAndGet(Duration.ofSeconds(5).toNanos());
      watched.transactions.endLongWaits();
      assertThat(failure(inFlight)).isInstanceOf(NotDurableException.class);
      assertThat(catchThrowable(probe::join)).isNotNull();
      assertThat(waiting()).as("no backend is left behind").isZero();
      assertThat(catchThrowable(() -> watched.work.executeWithoutResult(t -> watched.insert(50))))
          .isInstanceOf(StandbyWatch.UnconfirmedException.class);

      pair.standby().restart();
      watched.probe();
      watched.work.executeWithoutResult(t -> watched.insert(51));
      assertThat(rows(pair.failOver())).as("1, 2 and 51").isEqualTo(3);
    }
  }

  /** Shows what the watch prevents: a client that gives up leaves its backend behind. */
  @Test
  void withoutTheWatchEveryAttemptLeavesABackendBehind() {
    pair.standby().stop();
    try (HikariDataSource shortTimeout =
        pool(pair.primary().url("postgres") + "&socketTimeout=1")) {
      TransactionTemplate work =
          new TransactionTemplate(new DurableTransactions(shortTimeout, 1, Duration.ofSeconds(5)));
      for (int serial = 1; serial <= 3; serial++) {
        int one = serial;
        assertThat(
                catchThrowable(() ->
                    work.executeWithoutResult(t -> insert(JdbcClient.create(shortTimeout), one))))
            .isNotNull();
      }
      assertThat(waiting()).isEqualTo(3);
    }
  }

  private long waiting() {
    return pair.primary()
        .jdbc("postgres")
        .sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        .query(Long.class)
        .single();
  }

  private void awaitWaiting(int backends) {
    Await.until(backends + " backends wait", () -> waiting() == backends);
  }

  /** Transactions whose standby is watched, on a clock of the test's. */
  private final class Watched implements AutoCloseable {
    private final AtomicLong now = new AtomicLong(System.nanoTime());
    private final HikariDataSource sessions = pool(pair.primary().url("postgres"));
    private final DurableTransactions transactions =
        new DurableTransactions(sessions, 1, Duration.ofHours(1), now::get);
    private final TransactionTemplate work = new TransactionTemplate(transactions);

    int insert(int serial) {
      return SynchronousReplicationTest.insert(JdbcClient.create(sessions), serial);
    }

    void probe() {
      try {
        transactions.probeStandbys();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      sessions.close();
    }
  }

  @Test
  void aMarkNeedsATransaction() {
    assertThat(catchThrowable(() -> DurableMark.leave(jdbc)))
        .isInstanceOf(IllegalStateException.class);
  }

  private void cancelledReservation(int serial) {
    pair.standby().stop();
    CompletableFuture<Integer> commit = reserveInBackground(serial);
    pair.awaitWaiting();
    pair.cancelWaiting();
    assertThat(failure(commit)).isInstanceOf(NotDurableException.class);
  }

  /** Reserves as a shard does; returns how many rows were new. */
  private CompletableFuture<Integer> reserveInBackground(int serial) {
    return CompletableFuture.supplyAsync(() ->
        durably.execute(t -> {
          int fresh = insert(serial);
          if (fresh == 0) {
            DurableMark.leave(jdbc);
          }
          return fresh;
        }));
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  private int insert(int serial) {
    return insert(jdbc, serial);
  }

  private static int insert(JdbcClient jdbc, int serial) {
    return jdbc.sql("INSERT INTO serials VALUES (?, 7) ON CONFLICT DO NOTHING")
        .param(serial)
        .update();
  }

  private static long rows(PostgresServer server) {
    return server.jdbc("postgres").sql("SELECT count(*) FROM serials").query(Long.class).single();
  }

  private static RuntimeException failure(CompletableFuture<?> commit) {
    Throwable thrown = catchThrowable(() -> commit.get(HANG_SECONDS, TimeUnit.SECONDS));
    assertThat(thrown).isInstanceOf(ExecutionException.class);
    return (RuntimeException) Objects.requireNonNull(thrown.getCause());
  }
}
