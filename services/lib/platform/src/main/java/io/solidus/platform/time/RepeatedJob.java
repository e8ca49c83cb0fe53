package io.solidus.platform.time;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.context.SmartLifecycle;

/**
 * Repeats a job in its own virtual thread while the context runs, with a pause after each run. A
 * run that throws is logged, a defect of ours as an error, and repeated.
 */
public final class RepeatedJob implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(RepeatedJob.class);
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(4);
  private static final Duration INTERRUPT_DEADLINE = Duration.ofSeconds(1);

  private final String name;
  private final Supplier<Duration> job;
  private final BackOff backOff;
  private final Semaphore wake = new Semaphore(0);
  private final Semaphore stop = new Semaphore(0);
  private volatile boolean running;
  private volatile @Nullable Thread thread;

  public RepeatedJob(String name, Duration pause, Runnable job) {
    this(name, pause, pause, job);
  }

  /**
   * @param pauseAfterFailure the pause when the job has thrown
   */
  public RepeatedJob(String name, Duration pause, Duration pauseAfterFailure, Runnable job) {
    this(
        name,
        () -> {
          job.run();
          return pause;
        },
        pauseAfterFailure,
        pauseAfterFailure);
  }

  private RepeatedJob(
      String name, Supplier<Duration> job, Duration firstBackOff, Duration longestBackOff) {
    this.name = name;
    this.job = job;
    this.backOff = new BackOff(firstBackOff, longestBackOff);
  }

  /**
   * Makes a job that chooses its pauses.
   *
   * @param job runs once and returns the pause before its next run
   * @param firstBackOff the pause after a failure; doubled with each further one
   */
  public static RepeatedJob selfPaced(
      String name, Supplier<Duration> job, Duration firstBackOff, Duration longestBackOff) {
    return new RepeatedJob(name, job, firstBackOff, longestBackOff);
  }

  @Override
  public void start() {
    wake.drainPermits();
    stop.drainPermits();
    running = true;
    thread = Thread.ofVirtual().name(name).start(this::run);
  }

  /** Ends the current pause, or skips the next one if the job runs. Never shortens a back-off. */
  public void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  @Override
  public void stop() {
    stopAll(List.of(this));
  }

  /** Gives running jobs 4 s in all to end, interrupts the others, and waits 1 s for these. */
  public static void stopAll(Collection<RepeatedJob> all) {
    all.forEach(RepeatedJob::requestStop);
    joinAll(all, STOP_DEADLINE);
    all.forEach(RepeatedJob::interrupt);
    joinAll(all, INTERRUPT_DEADLINE);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void requestStop() {
    running = false;
    stop.release();
    wake.release();
  }

  private void interrupt() {
    Thread worker = thread;
    if (worker != null) {
      worker.interrupt();
    }
  }

  private static void joinAll(Collection<RepeatedJob> all, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    try {
      for (RepeatedJob each : all) {
        Thread worker = each.thread;
        if (worker != null) {
          worker.join(Duration.ofNanos(end - System.nanoTime()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Libraries have their own exceptions for an outage; one of the JDK shows a defect of ours. */
  private static boolean isDefect(RuntimeException e) {
    return Set.of("java.lang", "java.util").contains(e.getClass().getPackageName());
  }

  private void run() {
    backOff.reset();
    try {
      while (running) {
        try {
          Duration pause = job.get();
          backOff.reset();
          if (wake.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
            wake.drainPermits();
          }
        } catch (RuntimeException e) {
          Duration pause = backOff.next();
          if (running) {
            log.atLevel(isDefect(e) ? Level.ERROR : Level.WARN)
                .log(
                    "{} failed and will be tried again in {} ms: {}",
                    name,
                    pause.toMillis(),
                    e.getClass().getSimpleName());
          }
          boolean unused = stop.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
