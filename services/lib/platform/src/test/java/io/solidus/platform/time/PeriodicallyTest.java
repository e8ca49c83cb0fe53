package io.solidus.platform.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeriodicallyTest {

  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration NEVER = Duration.ofDays(1);
  private static final long PATIENCE_SECONDS = 30;

  private final AtomicInteger turns = new AtomicInteger();
  private Periodically job;

  @AfterEach
  void stop() {
    job.stop();
  }

  @Test
  void comesAgainUntilItIsStopped() throws InterruptedException {
    CountDownLatch some = new CountDownLatch(3);
    job =
        new Periodically(
            "job",
            AT_ONCE,
            () -> {
              turns.incrementAndGet();
              some.countDown();
            });
    job.start();
    assertThat(some.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    job.stop();
    assertThat(job.isRunning()).isFalse();
    int stopped = turns.get();
    Thread.sleep(20 * AT_ONCE.toMillis());
    assertThat(turns).hasValue(stopped);
  }

  @Test
  void aFailureIsFollowedByAPauseOfItsOwn() throws InterruptedException {
    CountDownLatch success = new CountDownLatch(1);
    job =
        new Periodically(
            "job",
            NEVER,
            AT_ONCE,
            () -> {
              if (turns.incrementAndGet() < 4) {
                throw new IllegalStateException("away");
              }
              success.countDown();
            });
    job.start();
    assertThat(success.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    job.stop();
    assertThat(turns).as("after a success it waits").hasValue(4);
  }

  @Test
  void whatDoesNotEndIsInterrupted() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    job =
        new Periodically(
            "job",
            AT_ONCE,
            () -> {
              begun.countDown();
              try {
                Thread.sleep(NEVER);
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    job.start();
    assertThat(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    Periodically.stopAll(List.of(job));
    assertThat(interrupted.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }
}
