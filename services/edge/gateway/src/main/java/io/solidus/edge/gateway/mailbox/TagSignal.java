package io.solidus.edge.gateway.mailbox;

import io.solidus.edge.gateway.events.EventStreams;
import io.solidus.platform.time.RepeatedJob;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Tells who waits for a tag that there is a message with it. One look at the table serves all who
 * wait, also for messages that another gateway of the same database stored. There are as many as
 * there are streams.
 */
@Component
class TagSignal implements SmartLifecycle {
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

  private final TaggedMail mail;
  private final RepeatedJob looks =
      new RepeatedJob("mailbox-tag-looks", PAUSE, PAUSE_AFTER_FAILURE, this::look);

  /** No monitor, in which a virtual thread would keep its carrier while it waits. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition looked = lock.newCondition();
  private final Map<MailTag, Integer> waiting = new HashMap<>();
  private Map<MailTag, Long> newest = Map.of();

  TagSignal(TaggedMail mail) {
    this.mail = mail;
  }

  /**
   * A stream of one who waits.
   *
   * @param after number of the newest message with the tag that it has; 0 for none
   */
  EventStreams.Source source(MailTag tag, long after) {
    return new EventStreams.Source() {
      private long known = after;

      @Override
      public EventStreams.@Nullable Event next(Duration patience) throws InterruptedException {
        long found = awaitOther(tag, known, patience);
        if (found == known) {
          return null;
        }
        known = found;
        return new EventStreams.Event(found, "tagged", "{}", false);
      }
    };
  }

  /** The newest number when it is another than the known one; otherwise the known one. */
  private long awaitOther(MailTag tag, long known, Duration patience) throws InterruptedException {
    lock.lock();
    try {
      waiting.merge(tag, 1, Integer::sum);
      long left = patience.toNanos();
      long found = Objects.requireNonNullElse(newest.get(tag), known);
      while (left > 0 && found == known) {
        left = looked.awaitNanos(left);
        found = Objects.requireNonNullElse(newest.get(tag), known);
      }
      return found;
    } finally {
      waiting.computeIfPresent(tag, (any, count) -> count == 1 ? null : count - 1);
      lock.unlock();
    }
  }

  private void look() {
    Set<MailTag> wanted = wanted();
    Map<MailTag, Long> found = wanted.isEmpty() ? Map.of() : mail.newest(wanted);
    lock.lock();
    try {
      boolean news = !found.equals(newest);
      newest = found;
      if (news) {
        looked.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private Set<MailTag> wanted() {
    lock.lock();
    try {
      return Set.copyOf(waiting.keySet());
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
