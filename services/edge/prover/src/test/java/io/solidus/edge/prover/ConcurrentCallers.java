package io.solidus.edge.prover;

import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a call from many threads at the same time. */
final class ConcurrentCallers {
  private ConcurrentCallers() {}

  /** For each caller, "proved" or the name of the error status. */
  static List<String> outcomes(int size, Callable<byte[]> call)
      throws InterruptedException, ExecutionException {
    CountDownLatch start = new CountDownLatch(size);
    List<Future<String>> callers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < size; i++) {
        callers.add(
            threads.submit(() -> {
              start.countDown();
              start.await();
              try {
                call.call();
                return "proved";
              } catch (StatusRuntimeException refused) {
                return refused.getStatus().getCode().name();
              }
            }));
      }
    }
    List<String> outcomes = new ArrayList<>();
    for (Future<String> caller : callers) {
      outcomes.add(caller.get());
    }
    return outcomes;
  }
}
