package io.solidus.authority.shard.range;

import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Splits a shard's range in two while payments go on. New rows are written to both shards and old
 * ones copied to the new shard's schema; then one short transaction changes the owner. An
 * interrupted split continues where it stopped when it is started again.
 */
public final class RangeSplit {

  private static final Logger log = LoggerFactory.getLogger(RangeSplit.class);

  /**
   * The lock timeout of the first attempts, which limits how long writers are blocked. PostgreSQL
   * cancels a vacuum for a lock only after a wait of more than a second.
   */
  private static final Duration SHORT_TIMEOUT = Duration.ofMillis(250);

  private static final Duration LONG_TIMEOUT = Duration.ofMillis(1500);
  private static final int SHORT_TRIES = 20;
  private static final int TRIES = 60;
  private static final Duration PAUSE_BETWEEN_TRIES = Duration.ofMillis(100);
  private static final int REPAIRS = 50;

  /**
   * Observes the progress of a split. An observer that throws stops the split, as a crash would.
   */
  public interface Observer {
    /** A step is done. */
    default void reached(SplitStep step) {}

    /**
     * A part of a table is copied or compared.
     *
     * @param rows the rows of the table so far in this step
     */
    default void copied(SplitStep towards, String table, long rows) {}

    /** The change of owner is written and not committed; reservations of the range are waiting. */
    default void cuttingOver() {}
  }

  /**
   * The result of a split.
   *
   * @param pause how long reservations of the shard were blocked; null when an earlier run did that
   */
  public record Result(ShardMap map, int shard, int newShard, @Nullable Duration pause) {}

  private final DataSource database;
  private final Function<DataSource, JdbcTransactionManager> transactions;
  private final NetworkId network;
  private final int authority;
  private final NoteSigner signer;
  private final IntPredicate serves;
  private final Observer observer;

  /**
   * Makes a split.
   *
   * @param transactions makes the transaction manager of the split's one connection; it has to be
   *     durable
   * @param serves whether a shard's process answers: only such a shard gets a range
   * @param signer signs the new map
   */
  public RangeSplit(
      DataSource database,
      Function<DataSource, JdbcTransactionManager> transactions,
      NetworkId network,
      int authority,
      NoteSigner signer,
      IntPredicate serves,
      Observer observer) {
    this.database = database;
    this.transactions = transactions;
    this.network = network;
    this.authority = authority;
    this.signer = signer;
    this.serves = serves;
    this.observer = observer;
  }

  /**
   * Splits a shard, or finishes its interrupted split at the point chosen before. Running a
   * finished split again changes nothing.
   *
   * @param newShard gets the upper part: the next number on the map
   * @throws IllegalStateException when another split is running or unfinished, or the authority's
   *     state does not allow this one
   * @throws org.springframework.dao.DataAccessException when the database is not available; run it
   *     again
   */
  public Result run(int shard, int newShard, SplitPoint point) {
    try (Connection connection = database.getConnection()) {
      SingleConnectionDataSource only = new SingleConnectionDataSource(connection, true);
      JdbcClient jdbc = JdbcClient.create(only);
      jdbc.sql("SET statement_timeout = '10min'").update();
      jdbc.sql("SET lock_timeout = '5s'").update();
      if (!jdbc.sql("SELECT pg_try_advisory_lock(:key)")
          .param("key", AdvisoryLocks.SPLITTING)
          .query(Boolean.class)
          .single()) {
        throw new IllegalStateException("another split is running");
      }
      try {
        return new Run(jdbc, new TransactionTemplate(transactions.apply(only)))
            .run(shard, newShard, point);
      } finally {
        release(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the authority's database cannot be reached", e);
    }
  }

  /** Resets the connection, because it may return to a pool. */
  private static void release(Connection connection) {
    try (var statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_unlock_all()");
      statement.execute("RESET statement_timeout");
      statement.execute("RESET lock_timeout");
    } catch (SQLException e) {
      log.warn("the connection of the split is closed, and its locks are released");
    }
  }

  /** One run of a split, on one connection. */
  private final class Run {

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final SplitStore splits;
    private final ShardMaps maps;
    private @Nullable Duration pause;

    Run(JdbcClient jdbc, TransactionTemplate transaction) {
      this.jdbc = jdbc;
      this.transaction = transaction;
      this.splits = new SplitStore(jdbc);
      this.maps = new ShardMaps(jdbc, network, authority, signer.publicKey());
    }

    Result run(int shard, int newShard, SplitPoint point) {
      maps.refresh();
      SplitStore.Progress progress =
          splits.of(newShard).orElseGet(() -> plan(shard, newShard, point));
      SplitPlan plan = progress.plan();
      if (plan.shard() != shard) {
        throw new IllegalStateException(
            "shard " + newShard + " was made from shard " + plan.shard());
      }
      SerialNumber copiedTo = progress.copiedTo();
      for (SplitStep step = progress.step(); step != SplitStep.DONE; step = step.next()) {
        take(step.next(), plan, copiedTo);
        copiedTo = null;
        log.info(
            "split of shard {} into {} and {}: {}",
            plan.shard(),
            plan.shard(),
            plan.newShard(),
            step.next());
        observer.reached(step.next());
      }
      maps.refresh();
      return new Result(maps.newest().map(), plan.shard(), plan.newShard(), pause);
    }

    private SplitStore.Progress plan(int shard, int newShard, SplitPoint point) {
      splits
          .unfinished()
          .ifPresent(other -> {
            throw new IllegalStateException(
                "the split of shard "
                    + other.shard()
                    + " into "
                    + other.newShard()
                    + " has to be finished first");
          });
      ShardMap base = maps.newest().map();
      if (newShard != base.shards()) {
        throw new IllegalStateException("the next new shard is " + base.shards());
      }
      if (shard < 0
          || shard >= base.shards()
          || OwnershipRow.read(jdbc, ShardSchema.name(shard)).isEmpty()) {
        throw new IllegalStateException("shard " + shard + " owns nothing yet");
      }
      FieldElement at = point.of(base.ranges().get(shard), jdbc, ShardSchema.name(shard));
      ShardMap next = base.split(shard, at);
      SplitPlan plan = new SplitPlan(shard, newShard, base.version(), next.ranges().get(newShard));
      splits.plan(plan);
      observer.reached(SplitStep.PLANNED);
      return new SplitStore.Progress(plan, SplitStep.PLANNED, null);
    }

    private void take(SplitStep step, SplitPlan plan, @Nullable SerialNumber copiedTo) {
      switch (step) {
        case PLANNED -> throw new IllegalStateException("a split is planned once");
        case SCHEMA_READY -> {
          ShardSchema.migrate(database, plan.newShard());
          splits.reached(plan, step);
        }
        case SERIALS_CAPTURED -> writeTwice(plan, MovedTable.SERIALS, step);
        case SERIALS_COPIED -> copy(plan, MovedTable.SERIALS, step, copiedTo);
        case CORES_CAPTURED -> writeTwice(plan, MovedTable.CORES, step);
        case CORES_COPIED -> copy(plan, MovedTable.CORES, step, copiedTo);
        case LATER_ANSWERS_CAPTURED -> writeTwice(plan, MovedTable.LATER_ANSWERS, step);
        case LATER_ANSWERS_COPIED -> copy(plan, MovedTable.LATER_ANSWERS, step, copiedTo);
        case VERIFIED -> {
          for (MovedTable table : MovedTable.values()) {
            verify(plan, table);
          }
          splits.reached(plan, step);
        }
        case SWITCHED -> changeOwner(plan);
        case DONE ->
            retryOnLock(() -> {
              triggers(plan).forEach(DualWriteTriggers::remove);
              splits.reached(plan, step);
            });
      }
    }

    private void writeTwice(SplitPlan plan, MovedTable table, SplitStep step) {
      retryOnLock(() -> {
        new DualWriteTriggers(jdbc, plan, table).add();
        splits.reached(plan, step);
      });
    }

    private void copy(
        SplitPlan plan, MovedTable table, SplitStep step, @Nullable SerialNumber copiedTo) {
      RowCopy rows = new RowCopy(jdbc, plan, table);
      long copied = 0;
      SerialNumber last = copiedTo;
      for (var end = rows.windowAfter(last); end.isPresent(); end = rows.windowAfter(last)) {
        SerialNumber after = last;
        SerialNumber to = end.get();
        Integer fresh =
            transaction.execute(t -> {
              int count = rows.copy(after, to);
              splits.copiedTo(plan, to);
              return count;
            });
        copied += fresh == null ? 0 : fresh;
        last = to;
        observer.copied(step, table.table(), copied);
      }
      splits.reached(plan, step);
    }

    private void verify(SplitPlan plan, MovedTable table) {
      RowCopy rows = new RowCopy(jdbc, plan, table);
      if (rows.outsideOfRange() > 0) {
        throw new IllegalStateException(
            "schema " + plan.to() + " holds rows that do not belong to the range");
      }
      long windows = 0;
      SerialNumber last = null;
      for (var end = rows.windowAfter(last); end.isPresent(); end = rows.windowAfter(last)) {
        verify(rows, table, last, end.get());
        last = end.get();
        observer.copied(SplitStep.VERIFIED, table.table(), ++windows);
      }
      if (rows.differing(last, null) > 0) {
        throw new IllegalStateException(
            "schema "
                + plan.to()
                + " holds "
                + table.table()
                + " that "
                + plan.from()
                + " does not");
      }
    }

    /**
     * Compares a window and repairs it: a row whose writer rolled back after the copy had skipped
     * it is copied now.
     */
    private void verify(
        RowCopy rows, MovedTable table, @Nullable SerialNumber after, SerialNumber to) {
      for (int i = 0; rows.differing(after, to) > 0; i++) {
        if (i == REPAIRS) {
          throw new IllegalStateException(
              "the copy of " + table.table() + " differs from what it was made of");
        }
        pauseBetweenTries();
        transaction.executeWithoutResult(t -> rows.copy(after, to));
      }
    }

    private void changeOwner(SplitPlan plan) {
      if (!serves.test(plan.newShard())) {
        throw new IllegalStateException(
            "shard "
                + plan.newShard()
                + " does not answer yet; start it, then run the split again to finish it");
      }
      maps.refresh();
      ShardMap base = maps.newest().map();
      if (!plan.fits(base)) {
        throw new IllegalStateException(
            "the split cannot go on: there is a newer shard map with other ranges");
      }
      Cutover cutover = new Cutover(jdbc, network, signer);
      pause =
          retryOnLock(() -> {
            cutover.run(plan, base, triggers(plan));
            observer.cuttingOver();
          });
      log.info(
          "reservations of shard {} were blocked for {} ms at most",
          plan.shard(),
          pause.toMillis());
    }

    private List<DualWriteTriggers> triggers(SplitPlan plan) {
      return Stream.of(MovedTable.values())
          .map(table -> new DualWriteTriggers(jdbc, plan, table))
          .toList();
    }

    /**
     * Runs a transaction that takes a lock which writers need. Its lock timeout is short, so that
     * few writers queue behind it. It then retries.
     *
     * @return the duration of the successful attempt, including its commit
     */
    private Duration retryOnLock(Runnable work) {
      for (int i = 1; ; i++) {
        Duration wait = i <= SHORT_TRIES ? SHORT_TIMEOUT : LONG_TIMEOUT;
        long start = System.nanoTime();
        try {
          transaction.executeWithoutResult(t -> {
            jdbc.sql("SET LOCAL lock_timeout = '" + wait.toMillis() + "ms'").update();
            work.run();
          });
          return Duration.ofNanos(System.nanoTime() - start);
        } catch (PessimisticLockingFailureException e) {
          if (i == TRIES) {
            throw e;
          }
          pauseBetweenTries();
        }
      }
    }
  }

  private static void pauseBetweenTries() {
    try {
      Thread.sleep(PAUSE_BETWEEN_TRIES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the split was interrupted; run it again to finish it", e);
    }
  }
}
