package io.solidus.validator.signer;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs native calls on a few platform threads, for they pin a virtual one; bounded in threads, queue and time. */
final class NativePool implements AutoCloseable {

  private final ThreadPoolExecutor threads;
  private final Duration deadline;

  NativePool(int parallelism, int queue, Duration deadline) {
    this.deadline = deadline;
    this.threads =
        new ThreadPoolExecutor(
            parallelism,
            parallelism,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queue),
            Thread.ofPlatform().name("signer-native-", 0).daemon().factory());
  }

  /** @throws ProtocolException overloaded or unavailable, or whatever the work throws */
  <T> T run(Callable<T> work) {
    Future<T> future;
    try {
      future = threads.submit(work);
    } catch (RejectedExecutionException e) {
      throw new ProtocolException(RejectionCode.OVERLOADED, "too many requests are being verified");
    }
    try {
      return future.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("native work failed", e.getCause());
    } catch (TimeoutException e) {
      future.cancel(false);
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "verification took too long");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      future.cancel(false);
      throw new ProtocolException(RejectionCode.UNAVAILABLE, "interrupted");
    }
  }

  int queued() {
    return threads.getQueue().size();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
