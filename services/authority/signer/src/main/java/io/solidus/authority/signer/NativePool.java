package io.solidus.authority.signer;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs native calls on a few platform threads, for they pin a virtual one; bounded in threads,
 * queue and time.
 */
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

  /**
   * @throws ProtocolException overloaded or unavailable, or whatever the work throws
   */
  <T> T run(Callable<T> work) {
    return runAll(List.of(work)).getFirst().get();
  }

  /**
   * Side by side, as far as there are threads. One outcome for each, in order: overloaded or
   * unavailable, or whatever the work throws.
   */
  <T> List<Outcome<T>> runAll(List<? extends Callable<T>> works) {
    long end = CallTime.end(deadline);
    List<Outcome<Future<T>>> running = new ArrayList<>(works.size());
    works.forEach(work -> running.add(submit(work)));
    List<Outcome<T>> outcomes = new ArrayList<>(works.size());
    for (Outcome<Future<T>> one : running) {
      outcomes.add(
          switch (one) {
            case Outcome.Done<Future<T>> started -> await(started.value(), end);
            case Outcome.Failed<Future<T>> refused -> Outcome.failed(refused.reason());
          });
    }
    return outcomes;
  }

  int parallelism() {
    return threads.getCorePoolSize();
  }

  int queued() {
    return threads.getQueue().size();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private <T> Outcome<Future<T>> submit(Callable<T> work) {
    try {
      return Outcome.done(threads.submit(work));
    } catch (RejectedExecutionException e) {
      return Outcome.failed(
          new ProtocolException(RejectionCode.OVERLOADED, "too many requests are being verified"));
    }
  }

  private static <T> Outcome<T> await(Future<T> future, long end) {
    try {
      return Outcome.done(future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      return Outcome.failed(
          e.getCause() instanceof RuntimeException cause
              ? cause
              : new IllegalStateException("native work failed", e.getCause()));
    } catch (TimeoutException e) {
      future.cancel(false);
      return Outcome.failed(
          new ProtocolException(RejectionCode.UNAVAILABLE, "verification took too long"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      future.cancel(false);
      return Outcome.failed(new ProtocolException(RejectionCode.UNAVAILABLE, "interrupted"));
    }
  }
}
