package io.solidus.authority.signer;

import io.solidus.authority.spend.Outcome;
import io.solidus.prover.NativeException;
import io.solidus.prover.NativeExecutor;
import io.solidus.prover.NativeRejections;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Runs native calls of the signer, each within the deadlines of the signer and of the caller. */
final class NativePool implements AutoCloseable {

  private final NativeExecutor executor;
  private final Duration deadline;

  NativePool(int threads, int queue, Duration deadline) {
    this.deadline = deadline;
    this.executor = new NativeExecutor("signer-native", threads, queue);
  }

  /**
   * Runs one call.
   *
   * @throws io.solidus.protocol.ProtocolException overloaded or unavailable, or what the call
   *     throws
   */
  <T> T run(Callable<T> work) {
    try {
      return executor.run(CallDeadline.left(deadline), work);
    } catch (NativeException e) {
      throw refusalOrDefect(e);
    }
  }

  /**
   * Runs calls in parallel, as far as there are threads.
   *
   * @return one outcome for each, in order: a failure is overloaded, unavailable or what the call
   *     throws
   */
  <T> List<Outcome<T>> runAll(List<? extends Callable<T>> works) {
    return executor.runAll(CallDeadline.left(deadline), works).stream()
        .map(NativePool::outcome)
        .toList();
  }

  int parallelism() {
    return executor.threads();
  }

  int queued() {
    return executor.queued();
  }

  @Override
  public void close() {
    executor.close();
  }

  private static <T> Outcome<T> outcome(CompletableFuture<T> ended) {
    return switch (ended.state()) {
      case SUCCESS -> Outcome.done(ended.resultNow());
      default ->
          switch (ended.exceptionNow()) {
            case NativeException e -> Outcome.failed(refusalOrDefect(e));
            case RuntimeException e -> Outcome.failed(e);
            case Throwable e -> Outcome.failed(new IllegalStateException("native work failed", e));
          };
    };
  }

  /**
   * Maps the codes of the executor itself. Any other code reaches here only from work that did not
   * map it, which is a defect that the endpoint must log.
   */
  private static RuntimeException refusalOrDefect(NativeException e) {
    return switch (e.code()) {
      case OVERLOADED, DEADLINE_EXCEEDED, CANCELLED -> NativeRejections.of(e);
      default -> e;
    };
  }
}
