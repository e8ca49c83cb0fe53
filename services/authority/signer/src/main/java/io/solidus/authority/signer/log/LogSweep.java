package io.solidus.authority.signer.log;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the records before the checkpoint once more while the signer signs: a start that trusted
 * the checkpoint did not look at them, and rows may have changed since they were compared. It reads
 * one batch after the other and rests between them. A sweep that a restart interrupted goes on
 * where it was.
 */
final class LogSweep implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(LogSweep.class);

  /** The rest after a batch is this many times as long as the batch took. */
  private static final int REST = 9;

  private static final Duration LONGEST_REST = Duration.ofMinutes(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(15);
  private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

  /** Records between two moves of the sweep's mark. */
  private static final long RECORDS_PER_MARK = 50_000;

  /** Requires that the tables hold records. */
  private final Consumer<List<SignRecord>> requireHeld;

  private final SignLogFile file;
  private final AuditCheckpoint checkpoint;
  private final Mark to;
  private final Consumer<LogDamagedException> damaged;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /**
   * Starts the sweep.
   *
   * @param from where it goes on
   * @param to the mark that the start trusted
   * @param damaged is told what does not agree
   */
  LogSweep(
      SignLogFile file,
      AuditCheckpoint checkpoint,
      Mark from,
      Mark to,
      Consumer<List<SignRecord>> requireHeld,
      Consumer<LogDamagedException> damaged) {
    this.file = file;
    this.checkpoint = checkpoint;
    this.to = to;
    this.requireHeld = requireHeld;
    this.damaged = damaged;
    this.thread = Thread.ofPlatform().name("sign-log-sweep").daemon().start(() -> run(from));
  }

  /** Stops without an interrupt, which would close the file that the writer appends to. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(STOP_DEADLINE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Mark from) {
    log.info(
        "records {} to {} of the sign-log are compared again while the signer signs",
        from.at().sequence() + 1,
        to.at().sequence());
    Mark at = from;
    Mark stored = from;
    try {
      while (at.offset() < to.offset()) {
        long start = System.nanoTime();
        at = sweepWithRetries(at);
        if (at.at().sequence() - stored.at().sequence() >= RECORDS_PER_MARK) {
          checkpoint.sweptTo(at);
          stored = at;
        }
        if (at.offset() < to.offset()) {
          pause(Duration.ofNanos(REST * (System.nanoTime() - start)));
        }
      }
      checkpoint.sweptAll();
      log.info("all {} records agree with the tables", to.at().sequence());
    } catch (LogDamagedException e) {
      damaged.accept(e);
    } catch (InterruptedException e) {
      checkpoint.sweptTo(at);
    }
  }

  private Mark sweepWithRetries(Mark at) throws InterruptedException {
    while (true) {
      try {
        List<SignRecord> batch = new ArrayList<>(LogAudit.BATCH);
        Mark after =
            file.reread(at, to.offset(), LogAudit.BATCH, (record, position) -> batch.add(record));
        requireHeld.accept(batch);
        return after;
      } catch (LogDamagedException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        requireOpen();
        log.warn("records cannot be compared again yet: {}", e.getClass().getSimpleName());
        pause(PAUSE_AFTER_FAILURE);
      }
    }
  }

  private void pause(Duration pause) throws InterruptedException {
    long nanos = Math.min(pause.toNanos(), LONGEST_REST.toNanos());
    if (closed.await(nanos, TimeUnit.NANOSECONDS)) {
      throw new InterruptedException("the sign-log is closed");
    }
  }

  private void requireOpen() throws InterruptedException {
    pause(Duration.ZERO);
  }
}
