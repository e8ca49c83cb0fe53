package io.solidus.edge.gateway.mailbox;

import io.solidus.edge.gateway.events.EventStreams;
import io.solidus.platform.time.RepeatedJob;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Tells streams that there is mail: the number of the newest message, and nothing of it. One look a
 * second at the table serves all streams, also for messages that another gateway of the same
 * database stored.
 */
@Component
class MailSignal implements SmartLifecycle {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);
  private static final long NEVER = -1;

  private final MailboxStore store;
  private final RepeatedJob looks =
      new RepeatedJob("mailbox-newest", PAUSE, PAUSE_AFTER_FAILURE, this::look);

  /** No monitor, in which a virtual thread would keep its carrier while it waits. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition looked = lock.newCondition();
  private long newest = NEVER;
  private long lookedAt;

  MailSignal(MailboxStore store) {
    this.store = store;
  }

  /**
   * A stream of one reader.
   *
   * @param after the number up to which it has read
   */
  EventStreams.Source source(long after) {
    return new EventStreams.Source() {
      private long known = after;

      @Override
      public EventStreams.@Nullable Event next(Duration patience) throws InterruptedException {
        long found = awaitOther(known, patience);
        if (found == known) {
          return null;
        }
        known = found;
        return new EventStreams.Event(found, "mail", "{}", false);
      }
    };
  }

  /** The newest number when it is another than the known one; otherwise the known one. */
  private long awaitOther(long known, Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long begun = System.nanoTime();
      long left = patience.toNanos();
      while (left > 0 && !isOther(known, begun)) {
        left = looked.awaitNanos(left);
      }
      return isOther(known, begun) ? newest : known;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A lower number is news too, because the mailbox came back from a backup. It counts only when it
   * was seen after the reader came, who may have read what was posted since the last look.
   */
  private boolean isOther(long known, long begun) {
    return newest > known || (newest != NEVER && newest < known && lookedAt - begun > 0);
  }

  private void look() {
    long at = System.nanoTime();
    long found = store.newest();
    lock.lock();
    try {
      lookedAt = at;
      newest = found;
      looked.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void start() {
    looks.start();
  }

  @Override
  public void stop() {
    looks.stop();
  }

  @Override
  public boolean isRunning() {
    return looks.isRunning();
  }
}
