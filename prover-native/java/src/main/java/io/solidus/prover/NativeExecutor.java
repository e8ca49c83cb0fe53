package io.solidus.prover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs native calls on a fixed number of platform threads, because a native call pins the virtual
 * thread that makes it. The threads, the queue and the wait are bounded.
 */
public final class NativeExecutor implements AutoCloseable {

  private final ThreadPoolExecutor pool;

  /**
   * @param name prefix of the threads' names
   * @param queue how many calls may wait for a thread
   */
  public NativeExecutor(String name, int threads, int queue) {
    this.pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queue),
            Thread.ofPlatform().daemon().name(name + "-", 0).factory());
  }

  /**
   * Runs one call and waits for it.
   *
   * @param limit for waiting and running together
   * @throws NativeException OVERLOADED, DEADLINE_EXCEEDED or CANCELLED
   * @throws RuntimeException that the call throws; a checked exception as IllegalStateException
   */
  public <T> T run(Duration limit, Callable<T> call) {
    return start(limit, call, NativeExecutor::releaseNothing).await();
  }

  /**
   * Runs calls in parallel, as far as there are threads, and waits for all of them.
   *
   * @return one result for each call, in order; each fails as {@link #run} does
   */
  public <T> List<CompletableFuture<T>> runAll(Duration limit, List<? extends Callable<T>> calls) {
    List<Task<T>> tasks = new ArrayList<>(calls.size());
    calls.forEach(call -> tasks.add(start(limit, call, NativeExecutor::releaseNothing)));
    tasks.forEach(Task::awaitQuietly);
    return tasks.stream().map(task -> task.result).toList();
  }

  /**
   * Runs one call without waiting for it. The result fails with DEADLINE_EXCEEDED after {@code
   * limit}, even if the call still runs; a call that waits then leaves the queue.
   *
   * @param release runs once, when the call has ended or will never start
   */
  public <T> CompletableFuture<T> submit(Duration limit, Callable<T> call, Runnable release) {
    Task<T> task = start(limit, call, release);
    if (!task.result.isDone()) {
      CompletableFuture.delayedExecutor(limit.toNanos(), TimeUnit.NANOSECONDS)
          .execute(() -> task.forget(NativeErrorCode.DEADLINE_EXCEEDED));
    }
    return task.result;
  }

  public int threads() {
    return pool.getCorePoolSize();
  }

  /** Calls that wait for a thread. */
  public int queued() {
    return pool.getQueue().size();
  }

  /** Calls that wait or run. */
  public int pending() {
    return pool.getQueue().size() + pool.getActiveCount();
  }

  /** Refuses new and waiting calls. A running call ends by itself. */
  @Override
  public void close() {
    pool.shutdownNow().forEach(waiting -> ((Task<?>) waiting).drop(NativeErrorCode.CANCELLED));
  }

  private static void releaseNothing() {}

  private <T> Task<T> start(Duration limit, Callable<T> call, Runnable release) {
    Task<T> task = new Task<>(call, release, System.nanoTime() + limit.toNanos());
    try {
      pool.execute(task);
    } catch (RejectedExecutionException e) {
      task.drop(pool.isShutdown() ? NativeErrorCode.CANCELLED : NativeErrorCode.OVERLOADED);
    }
    return task;
  }

  private final class Task<T> implements Runnable {
    private final Callable<T> call;
    private final Runnable release;
    private final long expiry;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private final CompletableFuture<T> result = new CompletableFuture<>();

    Task(Callable<T> call, Runnable release, long expiry) {
      this.call = call;
      this.release = release;
      this.expiry = expiry;
    }

    @Override
    public void run() {
      if (nanosLeft() <= 0) {
        drop(NativeErrorCode.DEADLINE_EXCEEDED);
      } else if (claimed.compareAndSet(false, true)) {
        try {
          result.complete(call.call());
        } catch (Throwable e) {
          result.completeExceptionally(e);
        } finally {
          release.run();
        }
      }
    }

    /** Ends a call that has not started. */
    void drop(NativeErrorCode code) {
      if (claimed.compareAndSet(false, true)) {
        release.run();
      }
      fail(code);
    }

    void fail(NativeErrorCode code) {
      if (!result.isDone()) {
        result.completeExceptionally(new NativeException(code, ""));
      }
    }

    T await() {
      awaitQuietly();
      try {
        return result.get();
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case NativeException refused -> throw NativeException.seenFromHere(refused);
          case RuntimeException failed -> throw failed;
          case null, default -> throw new IllegalStateException("a native call failed", e);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NativeException(NativeErrorCode.CANCELLED, "");
      }
    }

    /** Waits for the result, which fails when the time is over or the thread is interrupted. */
    void awaitQuietly() {
      try {
        result.get(Math.max(0, nanosLeft()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        forget(NativeErrorCode.DEADLINE_EXCEEDED);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        forget(NativeErrorCode.CANCELLED);
      } catch (ExecutionException e) {
        // the result holds it
      }
    }

    /** Frees the place of a call that has not started. */
    void forget(NativeErrorCode code) {
      if (result.isDone()) {
        return;
      }
      if (pool.remove(this)) {
        drop(code);
      } else {
        fail(code);
      }
    }

    private long nanosLeft() {
      return expiry - System.nanoTime();
    }
  }
}
