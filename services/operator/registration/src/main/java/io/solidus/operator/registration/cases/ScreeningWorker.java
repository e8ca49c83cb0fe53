package io.solidus.operator.registration.cases;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Has waiting cases screened in the background. */
final class ScreeningWorker implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ScreeningWorker.class);
  private static final int BATCH = 20;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

  private final CaseScreeningService desk;
  private final Duration idle;
  private volatile boolean running;
  private volatile Thread worker = Thread.ofVirtual().unstarted(this::run);

  ScreeningWorker(CaseScreeningService desk, Duration idle) {
    this.desk = desk;
    this.idle = idle;
  }

  @Override
  public void start() {
    running = true;
    worker = Thread.ofVirtual().name("screening-worker").start(this::run);
  }

  @Override
  public void stop() {
    running = false;
    worker.interrupt();
    try {
      worker.join(STOP_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void run() {
    while (running) {
      try {
        if (!desk.screenDue(BATCH)) {
          Thread.sleep(idle);
        }
      } catch (InterruptedException e) {
        return;
      } catch (DataAccessException | TransactionException e) {
        LOG.warn("screening waits for the database: {}", e.getClass().getSimpleName());
        pause();
      } catch (RuntimeException e) {
        LOG.error("screening failed: {}", e.getClass().getName());
        pause();
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(idle);
    } catch (InterruptedException e) {
      running = false;
      Thread.currentThread().interrupt();
    }
  }
}
