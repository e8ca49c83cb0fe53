package io.solidus.edge.prover.proving;

import io.grpc.Context;
import io.grpc.Deadline;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.NativeExecutor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of sealed requests. Its length is bounded, and so is a request's time, counted from its
 * arrival: the service's own limit or the caller's deadline, whichever ends first. A cancelled
 * request is not started.
 */
final class ProofQueue implements AutoCloseable {
  private final NativeExecutor executor;
  private final Duration limit;

  ProofQueue(int parallelism, int queue, Duration limit) {
    this.limit = limit;
    this.executor = new NativeExecutor("delegated-proof", parallelism, queue);
  }

  int pending() {
    return executor.pending();
  }

  /**
   * @throws NativeException OVERLOADED, DEADLINE_EXCEEDED, CANCELLED, or what the work throws
   */
  byte[] run(Supplier<byte[]> work) {
    Context caller = Context.current();
    return executor.run(
        left(caller.getDeadline()),
        () -> {
          if (caller.isCancelled()) {
            throw new NativeException(NativeErrorCode.CANCELLED, "");
          }
          return work.get();
        });
  }

  private Duration left(@Nullable Deadline deadline) {
    return deadline == null
        ? limit
        : Duration.ofNanos(Math.min(limit.toNanos(), deadline.timeRemaining(TimeUnit.NANOSECONDS)));
  }

  @Override
  public void close() {
    executor.close();
  }
}
