package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for PostgreSQL, in some worlds with a synchronous standby. A transaction takes effect
 * at one instant and appends one record to the write-ahead log. It is acknowledged when that record
 * is flushed and on the standby. A crash keeps what was flushed and a prefix of the rest that the
 * seed chooses. A failover keeps what the standby has.
 *
 * <p>Rows are visible before they are durable, which PostgreSQL allows only after a cancelled wait:
 * this is harder than reality.
 */
final class Database {

  /**
   * The result of a transaction and what it writes.
   *
   * @param change null for a transaction that only read, which is answered at once
   */
  record Result<T>(T value, @Nullable Consumer<Tables> change) {}

  private record Waiter(int record, Consumer<Boolean> answer) {}

  private final World world;
  private final boolean standby;
  private final List<Consumer<Tables>> log = new ArrayList<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private final RangeMap firstMap;
  private Tables tables;
  private boolean up = true;
  private int life;
  private int established;
  private int flushed;
  private int replicated;
  private int acknowledged;
  private long replicationResumes;

  Database(World world, boolean standby, RangeMap firstMap) {
    this.world = world;
    this.standby = standby;
    this.firstMap = firstMap;
    this.tables = new Tables(firstMap);
  }

  /** Applies a change that exists before the simulation starts. */
  void establish(Consumer<Tables> change) {
    log.add(change);
    change.accept(tables);
    established = log.size();
    flushed = established;
    replicated = established;
    acknowledged = established;
  }

  boolean up() {
    return up;
  }

  /** Counts how often visible changes may have been lost. */
  int life() {
    return life;
  }

  boolean hasStandby() {
    return standby;
  }

  /** The visible state, also for the test harness. */
  Tables tables() {
    return tables;
  }

  /** Runs a statement that only reads. */
  <T> T read(Function<Tables, T> query) {
    requireUp();
    return query.apply(tables);
  }

  /**
   * Runs a transaction. {@code done} receives its value when it is durable, or a failure that
   * leaves open whether it took effect.
   */
  <T> void transact(Function<Tables, Result<T>> work, Consumer<Outcome<T>> done) {
    if (!up || world.fault(0.01)) {
      done.accept(Outcome.failed(unavailable("the database is not available")));
      return;
    }
    Result<T> result;
    try {
      result = work.apply(tables);
    } catch (ProtocolException e) {
      done.accept(Outcome.failed(e));
      return;
    }
    if (result.change() == null) {
      done.accept(Outcome.done(result.value()));
      return;
    }
    log.add(result.change());
    result.change().accept(tables);
    int record = log.size();
    settle(record);
    if (isAnswered(record)) {
      done.accept(Outcome.done(result.value()));
      return;
    }
    waiters.add(
        new Waiter(
            record,
            durable ->
                done.accept(
                    durable
                        ? Outcome.done(result.value())
                        : Outcome.failed(unavailable("whether it was committed is not known")))));
    if (standby && world.fault(world.events().now() < replicationResumes ? 0.3 : 0.05)) {
      cancelWait(waiters.getLast());
    }
  }

  /** Ends the wait for the standby early: the rows are visible, and perhaps on the primary only. */
  private void cancelWait(Waiter waiter) {
    int now = life;
    world
        .events()
        .in(
            world.random().between(1, 6),
            () -> {
              if (life == now && waiters.remove(waiter)) {
                world.cover(CoveragePoint.WAIT_CANCELLED);
                waiter.answer().accept(world.mutated(Mutation.CANCELLED_WAIT_IS_DURABLE));
              }
            });
  }

  /** Stops the server; it restarts with what its disk holds. */
  void crash(int ticks) {
    world.cover(CoveragePoint.DATABASE_CRASHED);
    int onStandby = replicated;
    loseAllButFirst(world.random().between(flushed, log.size()));
    replicated = onStandby;
    settle(log.size());
    up = false;
    int now = life;
    world.events().in(ticks, () -> up |= life == now);
  }

  /** Promotes the standby. What is not on it is lost, and none of that was acknowledged. */
  void failOver() {
    world.cover(CoveragePoint.FAILED_OVER);
    loseAllButFirst(replicated);
    up = true;
  }

  /**
   * Promotes a standby that lacks acknowledged changes; true when an acknowledged change was lost.
   */
  boolean failOverToStale() {
    int kept =
        world
            .random()
            .between(
                Math.max(established, acknowledged - world.random().between(1, 6)), log.size());
    boolean lost = kept < acknowledged;
    loseAllButFirst(kept);
    acknowledged = Math.min(acknowledged, kept);
    up = true;
    return lost;
  }

  /** Stops replication for some ticks. */
  void stallReplication(int ticks) {
    replicationResumes = Math.max(replicationResumes, world.events().now() + ticks);
  }

  private void loseAllButFirst(int kept) {
    life++;
    log.subList(kept, log.size()).clear();
    tables = new Tables(firstMap);
    log.forEach(change -> change.accept(tables));
    flushed = kept;
    replicated = kept;
    List<Waiter> unanswered = List.copyOf(waiters);
    waiters.clear();
    unanswered.forEach(waiter -> waiter.answer().accept(false));
  }

  private void settle(int record) {
    int now = life;
    int flush = world.mutated(Mutation.COMMIT_NOT_DURABLE) ? 60 : 2;
    world
        .events()
        .in(
            world.random().between(0, flush),
            () -> {
              if (life == now) {
                flushed = Math.max(flushed, record);
                replicate(record);
                answerWaiters();
              }
            });
  }

  private void replicate(int record) {
    if (!standby) {
      replicated = flushed;
      return;
    }
    int now = life;
    long delay = Math.max(world.random().between(0, 3), replicationResumes - world.events().now());
    world
        .events()
        .in(
            delay,
            () -> {
              if (life == now) {
                replicated = Math.max(replicated, record);
                answerWaiters();
              }
            });
  }

  private boolean isAnswered(int record) {
    if (world.mutated(Mutation.COMMIT_NOT_DURABLE)) {
      return true;
    }
    boolean durable =
        flushed >= record && (replicated >= record || world.mutated(Mutation.STANDBY_NOT_AWAITED));
    if (durable) {
      acknowledged = Math.max(acknowledged, record);
    }
    return durable;
  }

  private void answerWaiters() {
    List<Waiter> answered = new ArrayList<>();
    for (Iterator<Waiter> all = waiters.iterator(); all.hasNext(); ) {
      Waiter waiter = all.next();
      if (isAnswered(waiter.record())) {
        all.remove();
        answered.add(waiter);
      }
    }
    answered.forEach(waiter -> waiter.answer().accept(true));
  }

  private void requireUp() {
    if (!up || world.fault(0.005)) {
      throw unavailable("the database is not available");
    }
  }

  static ProtocolException unavailable(String detail) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, detail);
  }
}
