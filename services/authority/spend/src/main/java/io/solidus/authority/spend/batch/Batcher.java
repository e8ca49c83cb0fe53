package io.solidus.authority.spend.batch;

import io.solidus.authority.spend.BatchWork;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue and a few workers that take from it in batches. An idle worker starts a single
 * request at once. While all workers are busy, requests gather, and the next free worker takes all
 * of them, up to the batch limit. So batches grow with the load and no request waits for a batch to
 * fill. Submitting never blocks.
 */
public final class Batcher<I, O> implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Batcher.class);
  private static final Duration SHORTEST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

  private final String name;
  private final BatchLimits limits;
  private final BatchWork<I, O> work;
  private final BatchObserver observer;
  private final CheckPermits permits;
  private final LongSupplier nanoTime;
  private final WaitEstimate estimate;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Deque<Request> queue = new ArrayDeque<>();
  private final List<Thread> workers = new ArrayList<>();
  private boolean closed;

  /**
   * Starts the workers.
   *
   * @param name of the workers' threads
   * @param permits that the workers acquire; the work may release them before it ends
   */
  public Batcher(
      String name,
      BatchLimits limits,
      BatchWork<I, O> work,
      CheckPermits permits,
      BatchObserver observer) {
    this(name, limits, work, permits, observer, System::nanoTime);
  }

  Batcher(
      String name,
      BatchLimits limits,
      BatchWork<I, O> work,
      CheckPermits permits,
      BatchObserver observer,
      LongSupplier nanoTime) {
    this.name = name;
    this.limits = limits;
    this.work = work;
    this.permits = permits;
    this.observer = observer;
    this.nanoTime = nanoTime;
    this.estimate = new WaitEstimate(limits.workers(), limits.maxBatch());
    for (int i = 0; i < limits.workers(); i++) {
      workers.add(Thread.ofPlatform().name(name + "-" + i).daemon().start(this::work));
    }
  }

  private final class Request {
    private final I input;
    private final BooleanSupplier abandoned;
    private final Consumer<Outcome<O>> answer;
    private final long arrival = nanoTime.getAsLong();

    Request(I input, BooleanSupplier abandoned, Consumer<Outcome<O>> answer) {
      this.input = input;
      this.abandoned = abandoned;
      this.answer = answer;
    }

    void answer(Outcome<O> outcome) {
      try {
        answer.accept(outcome);
      } catch (RuntimeException e) {
        log.warn("an answer did not reach its caller: {}", e.getClass().getSimpleName());
      }
    }
  }

  /**
   * Queues a request.
   *
   * @param abandoned whether the caller has cancelled; evaluated when a worker takes the request
   * @param answer called once by a worker, unless this method throws
   * @throws OverloadedException when the queue is full or the wait would be too long; nothing was
   *     done for the request
   * @throws ProtocolException unavailable after {@link #close}
   */
  public void submit(I input, BooleanSupplier abandoned, Consumer<Outcome<O>> answer) {
    lock.lock();
    try {
      if (closed) {
        throw closing();
      }
      long wait = estimate.nanosBehind(queue.size());
      if (queue.size() >= limits.queue() || wait > limits.maxWait().toNanos()) {
        observer.refused();
        throw new OverloadedException(retryAfter(wait), "too many requests are waiting");
      }
      queue.add(new Request(input, abandoned, answer));
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Requests that no worker has taken yet. */
  public int waiting() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Accepts nothing more, lets the workers finish what waits within the limit, and rejects the
   * rest.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    boolean finished = joinWorkers(System.nanoTime() + limits.stop().toNanos());
    List<Request> left = new ArrayList<>();
    lock.lock();
    try {
      left.addAll(queue);
      queue.clear();
    } finally {
      lock.unlock();
    }
    left.forEach(request -> request.answer(Outcome.failed(closing())));
    if (!finished) {
      log.warn("{}: batches were still in work when the time limit for stopping was over", name);
      workers.forEach(Thread::interrupt);
    }
  }

  private boolean joinWorkers(long end) {
    try {
      for (Thread worker : workers) {
        long left = end - System.nanoTime();
        if (!worker.join(Duration.ofNanos(Math.max(1, left)))) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void work() {
    int previous = 0;
    while (previous >= 0) {
      permits.acquire();
      try {
        previous = workOnNext(previous > 1);
      } finally {
        permits.release();
      }
    }
  }

  /**
   * Takes and works on the next batch.
   *
   * @return the size of the batch, or -1 when there is no other
   */
  private int workOnNext(boolean underLoad) {
    List<Request> taken = take(underLoad);
    if (taken.isEmpty()) {
      return -1;
    }
    List<Request> batch = wanted(taken);
    if (!batch.isEmpty()) {
      new Run(batch).run();
    }
    return batch.size();
  }

  /** The next batch; empty only after {@link #close}. */
  private List<Request> take(boolean underLoad) {
    lock.lock();
    try {
      boolean lingers = underLoad;
      while (queue.isEmpty() || lingers) {
        if (!queue.isEmpty()) {
          linger();
          lingers = false; // another worker may have taken everything meanwhile
        } else if (closed) {
          return List.of();
        } else {
          arrived.awaitUninterruptibly();
        }
      }
      List<Request> batch = new ArrayList<>();
      while (!queue.isEmpty() && batch.size() < limits.maxBatch()) {
        batch.add(queue.remove());
      }
      if (!queue.isEmpty()) {
        arrived.signal();
      }
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void linger() {
    long left = limits.maxLinger().toNanos();
    try {
      while (left > 0 && queue.size() < limits.maxBatch() && !closed) {
        left = arrived.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Request> wanted(List<Request> taken) {
    List<Request> wanted = new ArrayList<>();
    long now = nanoTime.getAsLong();
    for (Request request : taken) {
      if (request.abandoned.getAsBoolean()) {
        observer.abandoned();
        request.answer(
            Outcome.failed(
                new ProtocolException(RejectionCode.UNAVAILABLE, "the caller has cancelled")));
      } else {
        observer.waited(now - request.arrival);
        wanted.add(request);
      }
    }
    return wanted;
  }

  private static Duration retryAfter(long waitNanos) {
    Duration wait = Duration.ofNanos(waitNanos);
    if (wait.compareTo(SHORTEST_RETRY) < 0) {
      return SHORTEST_RETRY;
    }
    return wait.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : wait;
  }

  private static ProtocolException closing() {
    return new ProtocolException(RejectionCode.UNAVAILABLE, "this shard is stopping");
  }

  /** One batch, run by one worker. */
  private final class Run {
    private final List<Request> batch;
    private final boolean[] answered;

    Run(List<Request> batch) {
      this.batch = batch;
      this.answered = new boolean[batch.size()];
    }

    void run() {
      observer.started(batch.size());
      long start = nanoTime.getAsLong();
      RuntimeException missing =
          new IllegalStateException("a batch left a request without an answer");
      try {
        work.run(batch.stream().map(request -> request.input).toList(), this::answer);
      } catch (RuntimeException e) {
        missing = e;
      } catch (Error e) {
        log.error("a batch ended in {}", e.getClass().getName());
        missing = new IllegalStateException("a batch ended in an error");
      }
      estimate.learn(batch.size(), nanoTime.getAsLong() - start);
      for (int i = 0; i < batch.size(); i++) {
        answer(i, Outcome.failed(missing));
      }
    }

    private void answer(int index, Outcome<O> outcome) {
      if (!answered[index]) {
        answered[index] = true;
        batch.get(index).answer(outcome);
      }
    }
  }
}
