package io.solidus.authority.replica;

import io.solidus.protocol.MailQuery;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Queries that wait for a processor. Whoever is the oldest is answered together with all that wait
 * for the same bucket, because reading its tables costs most and is needed once. Nobody waits for
 * others to come: on an idle machine a query is answered alone and at once, and the longer the
 * queue, the cheaper is each query.
 */
final class AnswerQueue {
  /** The most queries of one reading. */
  static final int MOST = 64;

  private final int parallelism;
  private final Duration patience;
  private final Function<List<MailQuery>, List<Outcome>> reading;
  private final ThreadFactory threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiting> queue = new ArrayDeque<>();
  private int working;

  /** An answer, or why there is none. */
  record Outcome(byte @Nullable [] answer, @Nullable ProtocolException refusal) {
    static Outcome of(byte[] answer) {
      return new Outcome(answer, null);
    }

    static Outcome refused(ProtocolException refusal) {
      return new Outcome(null, refusal);
    }
  }

  private record Waiting(MailQuery query, CompletableFuture<Outcome> outcome) {}

  /**
   * @param parallelism readings at the same time
   * @param patience for which a query waits for its reading to begin, and then for its end
   * @param reading answers queries for one bucket, in their order; it does not throw
   */
  AnswerQueue(
      int parallelism, Duration patience, Function<List<MailQuery>, List<Outcome>> reading) {
    this(
        parallelism,
        patience,
        reading,
        Thread.ofPlatform().daemon().name("replica-answers").factory());
  }

  /** With threads of one's own. */
  AnswerQueue(
      int parallelism,
      Duration patience,
      Function<List<MailQuery>, List<Outcome>> reading,
      ThreadFactory threads) {
    this.threads = threads;
    this.parallelism = parallelism;
    this.patience = patience;
    this.reading = reading;
  }

  /**
   * Waits for the answer to a query.
   *
   * @throws ProtocolException overloaded when its turn does not come in time; what the reading says
   */
  byte[] answer(MailQuery query) {
    Waiting mine = new Waiting(query, new CompletableFuture<>());
    enqueue(mine);
    Outcome outcome;
    try {
      outcome = await(mine);
    } catch (TimeoutException e) {
      throw new ProtocolException(RejectionCode.OVERLOADED, Replica.BUSY);
    } catch (ExecutionException e) {
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "the query cannot be answered", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "the replica is stopping");
    }
    if (outcome.answer() == null) {
      throw outcome.refusal() != null
          ? outcome.refusal()
          : new ProtocolException(RejectionCode.UNAVAILABLE, "the query has no answer");
    }
    return outcome.answer();
  }

  /** Queries whose reading has not begun. */
  int waiting() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  private Outcome await(Waiting mine)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return mine.outcome().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      if (isWithdrawn(mine)) {
        throw e;
      }
      return mine.outcome().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void enqueue(Waiting mine) {
    boolean begin;
    lock.lock();
    try {
      queue.addLast(mine);
      begin = working < parallelism;
      if (begin) {
        working++;
      }
    } finally {
      lock.unlock();
    }
    if (begin) {
      begin(mine);
    }
  }

  private void begin(Waiting mine) {
    try {
      threads.newThread(this::work).start();
    } catch (RuntimeException | Error e) {
      // no memory for a thread: the place is free for the next query
      List<Waiting> deserted = new ArrayList<>();
      lock.lock();
      try {
        working--;
        queue.remove(mine);
        if (working == 0) {
          // they came while this thread held the place, and nobody would take them
          deserted.addAll(queue);
          queue.clear();
        }
      } finally {
        lock.unlock();
      }
      deserted.forEach(each -> each.outcome().completeExceptionally(e));
      throw e;
    }
  }

  /** Whether its reading has not begun, and now does not. */
  private boolean isWithdrawn(Waiting mine) {
    lock.lock();
    try {
      return queue.remove(mine);
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    for (List<Waiting> next = next(); !next.isEmpty(); next = next()) {
      try {
        List<Outcome> outcomes = reading.apply(next.stream().map(Waiting::query).toList());
        for (int i = 0; i < next.size(); i++) {
          next.get(i).outcome().complete(outcomes.get(i));
        }
      } catch (RuntimeException | Error e) {
        // this thread goes on: nobody would take its place
        next.forEach(each -> each.outcome().completeExceptionally(e));
      }
    }
  }

  /**
   * The oldest query and those of its bucket; none when the queue is empty and this thread ends.
   */
  private List<Waiting> next() {
    lock.lock();
    try {
      List<Waiting> taken = new ArrayList<>();
      if (queue.isEmpty()) {
        working--;
        return taken;
      }
      int bucket = queue.getFirst().query().bucket().number();
      Iterator<Waiting> each = queue.iterator();
      while (each.hasNext() && taken.size() < MOST) {
        Waiting one = each.next();
        if (one.query().bucket().number() == bucket) {
          taken.add(one);
          each.remove();
        }
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
