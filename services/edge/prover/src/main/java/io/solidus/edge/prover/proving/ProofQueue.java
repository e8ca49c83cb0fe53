package io.solidus.edge.prover.proving;

import io.grpc.Context;
import io.grpc.Deadline;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where requests wait, still sealed. Bounded in number and in time: the time is the service's own
 * limit or the caller's deadline, whichever ends first, counted from arrival. What nobody waits for
 * any more is not started.
 */
final class ProofQueue implements AutoCloseable {
  private final ThreadPoolExecutor pool;
  private final Duration limit;

  ProofQueue(int parallelism, int queue, Duration limit) {
    this.limit = limit;
    this.pool =
        new ThreadPoolExecutor(
            parallelism,
            parallelism,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queue),
            task -> Thread.ofPlatform().daemon().name("delegated-proof").unstarted(task));
  }

  int pending() {
    return pool.getQueue().size() + pool.getActiveCount();
  }

  /**
   * Runs the work when its turn comes.
   *
   * @throws NativeException OVERLOADED, DEADLINE_EXCEEDED, CANCELLED, or what the work throws
   */
  byte[] run(Supplier<byte[]> work) {
    Context caller = Context.current();
    long expiry = System.nanoTime() + nanosLeft(caller.getDeadline());
    Future<byte[]> result = submit(() -> started(caller, expiry, work));
    try {
      return result.get(expiry - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      forget(result);
      throw new NativeException(NativeErrorCode.DEADLINE_EXCEEDED, "");
    } catch (InterruptedException e) {
      forget(result);
      Thread.currentThread().interrupt();
      throw new NativeException(NativeErrorCode.CANCELLED, "");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("a proof failed", e);
    }
  }

  private Future<byte[]> submit(Callable<byte[]> task) {
    try {
      return pool.submit(task);
    } catch (RejectedExecutionException e) {
      throw new NativeException(
          pool.isShutdown() ? NativeErrorCode.CANCELLED : NativeErrorCode.OVERLOADED, "");
    }
  }

  private static byte[] started(Context caller, long expiry, Supplier<byte[]> work) {
    if (caller.isCancelled()) {
      throw new NativeException(NativeErrorCode.CANCELLED, "");
    }
    if (System.nanoTime() - expiry >= 0) {
      throw new NativeException(NativeErrorCode.DEADLINE_EXCEEDED, "");
    }
    return work.get();
  }

  /** Frees the place of work that has not started; what has started ends on its own. */
  private void forget(Future<byte[]> result) {
    result.cancel(false);
    pool.purge();
  }

  private long nanosLeft(@Nullable Deadline deadline) {
    return deadline == null
        ? limit.toNanos()
        : Math.min(limit.toNanos(), deadline.timeRemaining(TimeUnit.NANOSECONDS));
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
