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
 * A stand-in for PostgreSQL with, in some worlds, a synchronous standby. A transaction happens at
 * one instant and appends one record to the write-ahead log; it is answered when that record is
 * flushed and on the standby. A crash keeps what was flushed and, of the rest, a prefix of the
 * seed's choice; a failover keeps what the standby has.
 *
 * <p>Its rows are visible before they are durable, which PostgreSQL allows only after a cancelled
 * wait: a harder world than the real one.
 */
final class Database {

  /**
   * What a transaction found and what it writes.
   *
   * @param change null when it only read, in which case it is answered at once
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

  /** Changes that were there before the world began. */
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

  /** Counts the times that something visible may have been lost. */
  int life() {
    return life;
  }

  boolean hasStandby() {
    return standby;
  }

  /** What the database shows now, to the harness as well. */
  Tables tables() {
    return tables;
  }

  /** A statement that only reads. */
  <T> T read(Function<Tables, T> query) {
    requireUp();
    return query.apply(tables);
  }

  /**
   * A transaction; {@code done} gets its value when it is durable, or a failure that leaves open
   * whether it happened.
   */
  <T> void transact(Function<Tables, Result<T>> work, Consumer<Outcome<T>> done) {
    if (!up || world.fault(0.01)) {
      done.accept(Outcome.failed(unavailable("the database is away")));
      return;
    }
    Result<T> result;
    try {
      result = work.apply(tables);
    } catch (ProtocolException rolledBack) {
      done.accept(Outcome.failed(rolledBack));
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
                        : Outcome.failed(unavailable("nobody knows whether it was committed")))));
    if (standby && world.fault(world.agenda().now() < replicationResumes ? 0.3 : 0.05)) {
      cancelWait(waiters.getLast());
    }
  }

  /** The wait for the standby ends early: the rows are there, and perhaps here only. */
  private void cancelWait(Waiter waiter) {
    int now = life;
    world
        .agenda()
        .in(
            world.dice().between(1, 6),
            () -> {
              if (life == now && waiters.remove(waiter)) {
                world.saw(Happening.WAIT_CANCELLED);
                waiter.answer().accept(world.mutated(Mutation.CANCELLED_WAIT_IS_DURABLE));
              }
            });
  }

  /** The server stops and comes back with what its disk holds. */
  void crash(int ticks) {
    world.saw(Happening.DATABASE_CRASHED);
    int onStandby = replicated;
    loseAllButFirst(world.dice().between(flushed, log.size()));
    replicated = onStandby;
    settle(log.size());
    up = false;
    int now = life;
    world.agenda().in(ticks, () -> up |= life == now);
  }

  /** The standby takes over; what is not on it is lost, and nobody was told that it was durable. */
  void failOver() {
    world.saw(Happening.FAILED_OVER);
    loseAllButFirst(replicated);
    up = true;
  }

  /** A standby takes over that lacks what was acknowledged; true when something was really lost. */
  boolean failOverToStale() {
    int kept =
        world
            .dice()
            .between(Math.max(established, acknowledged - world.dice().between(1, 6)), log.size());
    boolean lost = kept < acknowledged;
    loseAllButFirst(kept);
    acknowledged = Math.min(acknowledged, kept);
    up = true;
    return lost;
  }

  /** The standby gets nothing for a while. */
  void stallReplication(int ticks) {
    replicationResumes = Math.max(replicationResumes, world.agenda().now() + ticks);
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
        .agenda()
        .in(
            world.dice().between(0, flush),
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
    long delay = Math.max(world.dice().between(0, 3), replicationResumes - world.agenda().now());
    world
        .agenda()
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
      throw unavailable("the database is away");
    }
  }

  static ProtocolException unavailable(String detail) {
    return new ProtocolException(RejectionCode.UNAVAILABLE, detail);
  }
}
