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
import java.util.function.Supplier;
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
 * Splits a shard's range in two while payments go on. New rows are captured and old ones copied to
 * the new shard's schema; then one short transaction changes the owner. Whatever stops it, it goes
 * on where it was when it is started again.
 */
public final class RangeSplit {

  private static final Logger log = LoggerFactory.getLogger(RangeSplit.class);

  /**
   * How long writers may be held up by one try for a lock. Only a wait of more than a second makes
   * PostgreSQL stop a vacuum for it.
   */
  private static final Duration BRIEF = Duration.ofMillis(250);

  private static final Duration LONGER = Duration.ofMillis(1500);
  private static final int BRIEF_TRIES = 20;
  private static final int TRIES = 60;
  private static final Duration PAUSE_BETWEEN_TRIES = Duration.ofMillis(100);
  private static final int REPAIRS = 50;

  /** Sees how a split goes on; one that throws stops it, as a crash would. */
  public interface Watcher {
    default void reached(SplitStep step) {}

    /**
     * @param rows of the table copied or compared so far by this step
     */
    default void passed(SplitStep towards, String table, long rows) {}

    /**
     * The new owner is written down and nothing is committed yet; reservations of the range wait.
     */
    default void switching() {}
  }

  /**
   * @param pause how long reservations of the shard were held up; null when an earlier run of the
   *     split did that
   */
  public record Result(ShardMap map, int shard, int newShard, @Nullable Duration pause) {}

  private final DataSource database;
  private final Function<DataSource, JdbcTransactionManager> transactions;
  private final NetworkId network;
  private final int authority;
  private final NoteSigner signer;
  private final IntPredicate serves;
  private final Watcher watcher;

  /**
   * @param transactions of the split's one connection: those that are over only when PostgreSQL
   *     keeps what they wrote
   * @param serves whether a shard's process answers: a range is given to no shard that does not
   * @param signer signs the new map
   */
  public RangeSplit(
      DataSource database,
      Function<DataSource, JdbcTransactionManager> transactions,
      NetworkId network,
      int authority,
      NoteSigner signer,
      IntPredicate serves,
      Watcher watcher) {
    this.database = database;
    this.transactions = transactions;
    this.network = network;
    this.authority = authority;
    this.signer = signer;
    this.serves = serves;
    this.watcher = watcher;
  }

  /**
   * Splits a shard, or finishes its split that was stopped; the cut is then the one chosen before.
   * Once the split is done, to run it again changes nothing.
   *
   * @param newShard who gets the upper part: the next number on the map
   * @throws IllegalStateException when another split is running or unfinished, or the authority's
   *     state does not allow this one
   * @throws org.springframework.dao.DataAccessException when the database is away; run it again
   */
  public Result run(int shard, int newShard, Cut cut) {
    try (Connection connection = database.getConnection()) {
      SingleConnectionDataSource only = new SingleConnectionDataSource(connection, true);
      JdbcClient jdbc = JdbcClient.create(only);
      jdbc.sql("SET statement_timeout = '10min'").update();
      jdbc.sql("SET lock_timeout = '5s'").update();
      if (!jdbc.sql("SELECT pg_try_advisory_lock(:key)")
          .param("key", Locks.SPLITTING)
          .query(Boolean.class)
          .single()) {
        throw new IllegalStateException("another split is running");
      }
      try {
        return new Run(jdbc, new TransactionTemplate(transactions.apply(only)))
            .run(shard, newShard, cut);
      } finally {
        release(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the authority's database cannot be reached", e);
    }
  }

  /** A connection that goes back to a pool must not keep what a split set. */
  private static void release(Connection connection) {
    try (var statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_unlock_all()");
      statement.execute("RESET statement_timeout");
      statement.execute("RESET lock_timeout");
    } catch (SQLException e) {
      log.warn("the split's connection broke; its locks went with it");
    }
  }

  /** One connection, one run. */
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

    Result run(int shard, int newShard, Cut cut) {
      maps.refresh();
      SplitStore.Progress progress =
          splits.of(newShard).orElseGet(() -> plan(shard, newShard, cut));
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
        watcher.reached(step.next());
      }
      maps.refresh();
      return new Result(maps.newest().map(), plan.shard(), plan.newShard(), pause);
    }

    private SplitStore.Progress plan(int shard, int newShard, Cut cut) {
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
      FieldElement at = cut.of(base.ranges().get(shard), jdbc, ShardSchema.name(shard));
      ShardMap next = base.split(shard, at);
      SplitPlan plan = new SplitPlan(shard, newShard, base.version(), next.ranges().get(newShard));
      splits.plan(plan);
      watcher.reached(SplitStep.PLANNED);
      return new SplitStore.Progress(plan, SplitStep.PLANNED, null);
    }

    private void take(SplitStep step, SplitPlan plan, @Nullable SerialNumber copiedTo) {
      switch (step) {
        case PLANNED -> throw new IllegalStateException("a split is planned once");
        case SCHEMA_READY -> {
          ShardSchema.migrate(database, plan.newShard());
          splits.reached(plan, step);
        }
        case SERIALS_CAPTURED -> capture(plan, MovedTable.SERIALS, step);
        case SERIALS_COPIED -> copy(plan, MovedTable.SERIALS, step, copiedTo);
        case CORES_CAPTURED -> capture(plan, MovedTable.CORES, step);
        case CORES_COPIED -> copy(plan, MovedTable.CORES, step, copiedTo);
        case VERIFIED -> {
          verify(plan, MovedTable.SERIALS);
          verify(plan, MovedTable.CORES);
          splits.reached(plan, step);
        }
        case SWITCHED -> changeOwner(plan);
        case DONE ->
            patiently(() -> {
              captures(plan).forEach(Capture::end);
              splits.reached(plan, step);
              return step;
            });
      }
    }

    private void capture(SplitPlan plan, MovedTable table, SplitStep step) {
      patiently(() -> {
        new Capture(jdbc, plan, table).begin();
        splits.reached(plan, step);
        return step;
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
        watcher.passed(step, table.table(), copied);
      }
      splits.reached(plan, step);
    }

    private void verify(SplitPlan plan, MovedTable table) {
      RowCopy rows = new RowCopy(jdbc, plan, table);
      if (rows.strangers() > 0) {
        throw new IllegalStateException(
            "schema " + plan.to() + " holds rows that do not belong to the range");
      }
      long windows = 0;
      SerialNumber last = null;
      for (var end = rows.windowAfter(last); end.isPresent(); end = rows.windowAfter(last)) {
        verify(rows, table, last, end.get());
        last = end.get();
        watcher.passed(SplitStep.VERIFIED, table.table(), ++windows);
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

    /** A row whose writer rolled back after the copy had left it to him is copied now. */
    private void verify(
        RowCopy rows, MovedTable table, @Nullable SerialNumber after, SerialNumber to) {
      for (int i = 0; rows.differing(after, to) > 0; i++) {
        if (i == REPAIRS) {
          throw new IllegalStateException(
              "the copy of " + table.table() + " differs from what it was made of");
        }
        rest();
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
      if (base.version() != plan.baseVersion()) {
        throw new IllegalStateException("the split cannot go on: there is a newer shard map");
      }
      Switch moment = new Switch(jdbc, network, signer);
      pause =
          patiently(() -> {
            moment.run(plan, base, captures(plan));
            watcher.switching();
            return plan;
          });
      log.info(
          "reservations of shard {} were held up for {} ms at most",
          plan.shard(),
          pause.toMillis());
    }

    private List<Capture> captures(SplitPlan plan) {
      return List.of(
          new Capture(jdbc, plan, MovedTable.SERIALS), new Capture(jdbc, plan, MovedTable.CORES));
    }

    /**
     * In a transaction that takes a lock writers need: gives up soon, so that nobody queues behind
     * it for long, and tries again.
     *
     * @return how long the try that succeeded took, from its beginning to the end of its commit
     */
    private Duration patiently(Supplier<Object> work) {
      for (int i = 1; ; i++) {
        Duration wait = i <= BRIEF_TRIES ? BRIEF : LONGER;
        long start = System.nanoTime();
        try {
          transaction.executeWithoutResult(t -> {
            jdbc.sql("SET LOCAL lock_timeout = '" + wait.toMillis() + "ms'").update();
            work.get();
          });
          return Duration.ofNanos(System.nanoTime() - start);
        } catch (PessimisticLockingFailureException busy) {
          if (i == TRIES) {
            throw busy;
          }
          rest();
        }
      }
    }
  }

  private static void rest() {
    try {
      Thread.sleep(PAUSE_BETWEEN_TRIES);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the split was stopped; run it again to finish it", stopped);
    }
  }
}
