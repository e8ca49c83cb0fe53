package io.solidus.operator.console.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Runs calls of services at the same time; each has a deadline of its own. */
public final class Together {
  private Together() {}

  /** The answers, in the order of the calls. */
  public static <T> List<T> all(List<Supplier<T>> calls) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (Supplier<T> call : calls) {
        running.add(threads.submit(call::get));
      }
      List<T> answers = new ArrayList<>();
      for (Future<T> call : running) {
        answers.add(call.get());
      }
      return answers;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the console is stopping", e);
    }
  }
}
