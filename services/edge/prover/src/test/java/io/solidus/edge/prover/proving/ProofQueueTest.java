package io.solidus.edge.prover.proving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Context;
import io.grpc.Status;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProofQueueTest {
  private static final byte[] PROOF = {1};
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final CountDownLatch free = new CountDownLatch(1);
  private final AtomicInteger started = new AtomicInteger();
  private final ProofQueue queue = new ProofQueue(1, 1, Duration.ofSeconds(30));

  @AfterEach
  void stop() {
    free.countDown();
    callers.shutdownNow();
    clock.shutdownNow();
    queue.close();
  }

  @Test
  void runsWorkAndThrowsItsFailure() {
    assertThat(queue.run(() -> PROOF)).isEqualTo(PROOF);
    assertCode(
        NativeErrorCode.WITNESS_INVALID,
        () -> {
          throw new NativeException(NativeErrorCode.WITNESS_INVALID, "");
        });
  }

  @Test
  void refusesWorkWhenTheQueueIsFull() throws Exception {
    occupy();
    Future<byte[]> waiting = callers.submit(() -> queue.run(this::counted));
    await(2);
    assertCode(NativeErrorCode.OVERLOADED, this::counted);
    free.countDown();
    assertThat(waiting.get()).isEqualTo(PROOF);
    assertThat(started.get()).isEqualTo(1);
  }

  @Test
  void lateOrCancelledWorkIsNotStartedAndLeavesTheQueue() throws Exception {
    occupy();
    Context late = Context.current().withDeadlineAfter(100, TimeUnit.MILLISECONDS, clock);
    Context.CancellableContext never = Context.current().withCancellation();
    assertThatExceptionOfType(NativeException.class)
        .isThrownBy(() -> late.call(() -> queue.run(this::counted)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(NativeErrorCode.DEADLINE_EXCEEDED));
    assertThat(queue.pending()).as("the place is free").isEqualTo(1);
    Future<byte[]> abandoned = callers.submit(never.wrap(() -> queue.run(this::counted)));
    await(2);
    never.cancel(Status.CANCELLED.asException());
    free.countDown();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(abandoned::get)
        .havingCause()
        .isInstanceOfSatisfying(
            NativeException.class,
            cause -> assertThat(cause.code()).isEqualTo(NativeErrorCode.CANCELLED));
    assertThat(started.get()).isZero();
  }

  @Test
  void theServicesLimitHoldsWithoutADeadline() throws Exception {
    try (ProofQueue brief = new ProofQueue(1, 1, Duration.ofMillis(100))) {
      assertThatExceptionOfType(NativeException.class)
          .isThrownBy(() -> brief.run(this::block))
          .satisfies(e -> assertThat(e.code()).isEqualTo(NativeErrorCode.DEADLINE_EXCEEDED));
    }
  }

  @Test
  void aClosedQueueRefusesWork() {
    queue.close();
    assertCode(NativeErrorCode.CANCELLED, this::counted);
  }

  private void occupy() throws InterruptedException {
    callers.execute(() -> queue.run(this::block));
    await(1);
  }

  private void await(int pending) throws InterruptedException {
    while (queue.pending() < pending) {
      Thread.sleep(5);
    }
  }

  private byte[] block() {
    try {
      free.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return PROOF;
  }

  private byte[] counted() {
    started.incrementAndGet();
    return PROOF;
  }

  private void assertCode(NativeErrorCode code, Supplier<byte[]> work) {
    assertThatExceptionOfType(NativeException.class)
        .isThrownBy(() -> queue.run(work))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }
}
