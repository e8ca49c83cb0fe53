package io.solidus.validator.authority;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Repeats a small job while the context runs. A failure is logged and the next turn comes all the same. */
public final class Periodically implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Periodically.class);
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

  private final String name;
  private final Duration pause;
  private final Runnable job;
  private final Object wake = new Object();
  private volatile boolean running;
  private volatile @Nullable Thread thread;

  public Periodically(String name, Duration pause, Runnable job) {
    this.name = name;
    this.pause = pause;
    this.job = job;
  }

  @Override
  public void start() {
    running = true;
    thread = Thread.ofVirtual().name(name).start(this::run);
  }

  @Override
  public void stop() {
    running = false;
    synchronized (wake) {
      wake.notifyAll();
    }
    Thread worker = thread;
    if (worker != null) {
      try {
        worker.join(STOP_DEADLINE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void run() {
    while (running) {
      try {
        job.run();
      } catch (RuntimeException e) {
        if (running) {
          log.warn("{} failed and will be tried again: {}", name, e.getClass().getSimpleName());
        }
      }
      synchronized (wake) {
        try {
          if (running) {
            wake.wait(pause.toMillis());
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }
}
