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
 * The bounded queue of sealed requests. Each request has a deadline: the service's limit from its
 * arrival on, or the caller's deadline if that is earlier. A cancelled request is not started.
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
   * Runs the work when its turn comes.
   *
   * @throws NativeException OVERLOADED, DEADLINE_EXCEEDED, CANCELLED, or an exception of the work
   */
  byte[] run(Supplier<byte[]> work) {
    Context caller = Context.current();
    return executor.run(
        remaining(caller.getDeadline()),
        () -> {
          if (caller.isCancelled()) {
            throw new NativeException(NativeErrorCode.CANCELLED, "");
          }
          return work.get();
        });
  }

  private Duration remaining(@Nullable Deadline deadline) {
    return deadline == null
        ? limit
        : Duration.ofNanos(Math.min(limit.toNanos(), deadline.timeRemaining(TimeUnit.NANOSECONDS)));
  }

  @Override
  public void close() {
    executor.close();
  }
}
