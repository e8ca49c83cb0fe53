package io.solidus.platform.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.TransientDataAccessResourceException;

@ExtendWith(OutputCaptureExtension.class)
class RepeatedJobTest {
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration NEVER = Duration.ofDays(1);
  private static final long HANG_GUARD_MINUTES = 5;

  private final AtomicInteger runs = new AtomicInteger();
  private @Nullable RepeatedJob started;

  private RepeatedJob start(RepeatedJob job) {
    started = job;
    job.start();
    return job;
  }

  @AfterEach
  void stop() {
    if (started != null) {
      started.stop();
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(HANG_GUARD_MINUTES, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void runsAgainUntilItIsStopped() throws InterruptedException {
    CountDownLatch three = new CountDownLatch(3);
    RepeatedJob job =
        start(
            new RepeatedJob(
                "job",
                AT_ONCE,
                () -> {
                  runs.incrementAndGet();
                  three.countDown();
                }));
    await(three);
    job.stop();
    assertThat(job.isRunning()).isFalse();
    int stopped = runs.get();
    Thread.sleep(20 * AT_ONCE.toMillis());
    assertThat(runs).hasValue(stopped);
  }

  @Test
  void aFailureIsLoggedAndFollowedByItsOwnPause(CapturedOutput log) throws InterruptedException {
    CountDownLatch success = new CountDownLatch(1);
    RepeatedJob job =
        start(
            new RepeatedJob(
                "sample",
                NEVER,
                AT_ONCE,
                () -> {
                  if (runs.incrementAndGet() < 4) {
                    throw new IllegalStateException("secret");
                  }
                  success.countDown();
                }));
    await(success);
    job.stop();
    assertThat(runs).as("it waits after a success").hasValue(4);
    assertThat(log)
        .contains("sample failed and will be tried again in 1 ms: IllegalStateException")
        .doesNotContain("secret");
  }

  @Test
  void onlyADefectIsAnErrorInTheLog(CapturedOutput log) throws InterruptedException {
    CountDownLatch success = new CountDownLatch(1);
    RepeatedJob job =
        start(
            new RepeatedJob(
                "sample",
                NEVER,
                AT_ONCE,
                () -> {
                  switch (runs.incrementAndGet()) {
                    case 1 -> throw new TransientDataAccessResourceException("outage");
                    case 2 -> throw new IllegalStateException("defect");
                    default -> success.countDown();
                  }
                }));
    await(success);
    job.stop();
    assertThat(log.getOut().lines().filter(line -> line.contains("sample failed")))
        .satisfiesExactly(
            outage -> assertThat(outage).contains("WARN").contains("TransientDataAccess"),
            defect -> assertThat(defect).contains("ERROR").contains("IllegalState"));
  }

  @Test
  void aSelfPacedJobBacksOffLongerAfterEachFailure(CapturedOutput log) throws InterruptedException {
    CountDownLatch success = new CountDownLatch(2);
    RepeatedJob job =
        start(
            RepeatedJob.selfPaced(
                "sample",
                () -> {
                  if (runs.incrementAndGet() % 5 > 0) {
                    throw new IllegalStateException();
                  }
                  success.countDown();
                  return Duration.ZERO;
                },
                Duration.ofMillis(1),
                Duration.ofMillis(4)));
    await(success);
    job.stop();
    assertThat(log.getOut().lines().filter(line -> line.contains("sample failed")).limit(8))
        .map(line -> line.replaceAll(".* in (.*) ms: .*", "$1"))
        .containsExactly("1", "2", "4", "4", "1", "2", "4", "4");
  }

  @Test
  void wakingEndsAPause() throws InterruptedException {
    BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
    RepeatedJob job =
        start(
            RepeatedJob.selfPaced(
                "job",
                () -> {
                  seen.add(runs.incrementAndGet());
                  return NEVER;
                },
                NEVER,
                NEVER));
    for (int i = 1; i <= 3; i++) {
      assertThat(seen.poll(HANG_GUARD_MINUTES, TimeUnit.MINUTES)).isEqualTo(i);
      job.wake();
    }
  }

  @Test
  void wakingDoesNotEndABackOff() throws InterruptedException {
    CountDownLatch failing = new CountDownLatch(1);
    RepeatedJob job =
        start(
            RepeatedJob.selfPaced(
                "job",
                () -> {
                  runs.incrementAndGet();
                  failing.countDown();
                  throw new IllegalStateException();
                },
                NEVER,
                NEVER));
    await(failing);
    job.wake();
    Thread.sleep(20 * AT_ONCE.toMillis());
    job.stop();
    assertThat(runs).hasValue(1);
  }

  @Test
  void aJobThatDoesNotEndIsInterrupted() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    RepeatedJob job =
        start(
            new RepeatedJob(
                "job",
                AT_ONCE,
                () -> {
                  begun.countDown();
                  try {
                    Thread.sleep(NEVER);
                  } catch (InterruptedException e) {
                    interrupted.countDown();
                  }
                }));
    await(begun);
    RepeatedJob.stopAll(List.of(job));
    await(interrupted);
  }

  @Test
  void startsAgainAfterAStop() throws InterruptedException {
    CountDownLatch two = new CountDownLatch(2);
    RepeatedJob job = start(new RepeatedJob("job", NEVER, two::countDown));
    while (two.getCount() > 1) {
      Thread.sleep(AT_ONCE);
    }
    job.stop();
    job.start();
    await(two);
  }
}
