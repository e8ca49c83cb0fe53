package io.solidus.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NativeExecutorTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final CountDownLatch held = new CountDownLatch(1);
  private final NativeExecutor executor = new NativeExecutor("test", 1, 1);

  @AfterEach
  void release() {
    held.countDown();
    executor.close();
  }

  @Test
  void runsOnAPlatformThread() {
    assertThat(executor.run(LONG, () -> Thread.currentThread().isVirtual())).isFalse();
  }

  @Test
  void throwsTheExceptionOfTheCall() {
    assertThatThrownBy(() ->
            executor.run(
                LONG,
                () -> {
                  throw new IllegalArgumentException("bad");
                }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bad");
    assertThatThrownBy(() ->
            executor.run(
                LONG,
                () -> {
                  throw new java.io.IOException("gone");
                }))
        .isInstanceOf(IllegalStateException.class)
        .rootCause()
        .hasMessage("gone");
  }

  @Test
  void refusesCallsWhenTheQueueIsFull() {
    occupy();
    CompletableFuture<Integer> waiting = executor.submit(LONG, () -> 1, () -> {});
    AtomicInteger released = new AtomicInteger();
    CompletableFuture<Integer> refused = executor.submit(LONG, () -> 2, released::incrementAndGet);
    assertThat(code(refused)).isEqualTo(NativeErrorCode.OVERLOADED);
    assertThat(released).hasValue(1);
    held.countDown();
    assertThat(waiting.join()).isEqualTo(1);
  }

  @Test
  void doesNotStartACallAfterItsDeadline() throws Exception {
    occupy();
    AtomicInteger started = new AtomicInteger();
    Callable<Integer> call = started::incrementAndGet;
    assertThat(catchThrowableOfType(NativeException.class, () -> executor.run(SHORT, call)).code())
        .isEqualTo(NativeErrorCode.DEADLINE_EXCEEDED);
    assertThat(executor.queued()).as("its place in the queue is free again").isZero();
    AtomicInteger released = new AtomicInteger();
    CompletableFuture<Integer> late = executor.submit(SHORT, call, released::incrementAndGet);
    assertThat(code(late)).isEqualTo(NativeErrorCode.DEADLINE_EXCEEDED);
    assertThat(executor.queued()).as("its place in the queue is free again").isZero();
    held.countDown();
    assertThat(executor.run(LONG, () -> 7)).isEqualTo(7);
    assertThat(started).hasValue(0);
    assertThat(released).hasValue(1);
  }

  @Test
  void closingCancelsWaitingCalls() {
    occupy();
    AtomicInteger released = new AtomicInteger();
    CompletableFuture<Integer> waiting = executor.submit(LONG, () -> 1, released::incrementAndGet);
    executor.close();
    assertThat(code(waiting)).isEqualTo(NativeErrorCode.CANCELLED);
    assertThat(released).hasValue(1);
    assertThat(
            catchThrowableOfType(NativeException.class, () -> executor.run(LONG, () -> 1)).code())
        .isEqualTo(NativeErrorCode.CANCELLED);
  }

  @Test
  void runsManyCallsAndKeepsTheirOrder() {
    try (NativeExecutor two = new NativeExecutor("test", 2, 8)) {
      List<Callable<Integer>> calls =
          List.of(
              () -> 1,
              () -> {
                throw new NativeException(NativeErrorCode.PROOF_INVALID, "");
              },
              () -> 3);
      List<CompletableFuture<Integer>> ended = two.runAll(LONG, calls);
      assertThat(ended.get(0).join()).isEqualTo(1);
      assertThat(code(ended.get(1))).isEqualTo(NativeErrorCode.PROOF_INVALID);
      assertThat(ended.get(2).join()).isEqualTo(3);
    }
  }

  /** Keeps the only thread busy until {@link #held} opens. */
  private void occupy() {
    CountDownLatch running = new CountDownLatch(1);
    CompletableFuture<Boolean> occupying =
        executor.submit(
            LONG,
            () -> {
              running.countDown();
              return held.await(1, TimeUnit.MINUTES);
            },
            () -> {});
    try {
      assertThat(running.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(occupying).isNotDone();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static NativeErrorCode code(CompletableFuture<?> failed) {
    return catchThrowableOfType(java.util.concurrent.CompletionException.class, () -> failed.join())
                .getCause()
            instanceof NativeException e
        ? e.code()
        : NativeErrorCode.OK;
  }
}
