package io.solidus.platform.time;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Repeats a small job while the context runs. A failure is logged and the next turn comes all the
 * same.
 */
public final class Periodically implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Periodically.class);
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

  private final String name;
  private final Duration pause;
  private final Duration pauseAfterFailure;
  private final Runnable job;
  private final Object wake = new Object();
  private volatile boolean running;
  private volatile @Nullable Thread thread;

  public Periodically(String name, Duration pause, Runnable job) {
    this(name, pause, pause, job);
  }

  /**
   * @param pauseAfterFailure when the job has thrown
   */
  public Periodically(String name, Duration pause, Duration pauseAfterFailure, Runnable job) {
    this.name = name;
    this.pause = pause;
    this.pauseAfterFailure = pauseAfterFailure;
    this.job = job;
  }

  @Override
  public void start() {
    running = true;
    thread = Thread.ofVirtual().name(name).start(this::run);
  }

  @Override
  public void stop() {
    stopAll(List.of(this));
  }

  /** Lets what is under way finish for 5 s altogether, then interrupts it. */
  public static void stopAll(Collection<Periodically> all) {
    all.forEach(Periodically::leave);
    long end = System.nanoTime() + STOP_DEADLINE.toNanos();
    all.forEach(each -> each.join(Duration.ofNanos(end - System.nanoTime())));
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void leave() {
    running = false;
    synchronized (wake) {
      wake.notifyAll();
    }
  }

  private void join(Duration limit) {
    Thread worker = thread;
    if (worker == null) {
      return;
    }
    try {
      if (!worker.join(limit)) {
        worker.interrupt();
      }
    } catch (InterruptedException e) {
      worker.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (running) {
      Duration next = turn();
      synchronized (wake) {
        try {
          if (running) {
            wake.wait(next.toMillis());
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private Duration turn() {
    try {
      job.run();
      return pause;
    } catch (RuntimeException e) {
      if (running) {
        log.warn("{} failed and will be tried again: {}", name, e.getClass().getSimpleName());
      }
      return pauseAfterFailure;
    }
  }
}
