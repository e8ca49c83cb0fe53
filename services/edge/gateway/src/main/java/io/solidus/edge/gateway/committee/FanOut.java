package io.solidus.edge.gateway.committee;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.tracing.Spans;
import io.solidus.platform.tracing.Trace;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Asks several authorities at the same time; answers come in the order of arrival, within the
 * request's deadline. The calls to one authority that may be open are bounded: one that never
 * answers keeps what waits for it from growing, and is not asked meanwhile.
 */
@Component
public class FanOut {
  /**
   * Open calls to one authority, in requests worked on at a time: twice for the finish rule, and as
   * many that nobody waits for any more.
   */
  private static final int OPEN_PER_REQUEST = 4;

  private final Spans spans;
  private final long timeoutNanos;
  private final int maxOpen;
  private final Map<Integer, Semaphore> places = new ConcurrentHashMap<>();

  @Autowired
  FanOut(GatewayProperties properties, Spans spans) {
    this(properties.requestTimeout(), OPEN_PER_REQUEST * properties.maxConcurrent(), spans);
  }

  /**
   * @param maxOpen calls to one authority
   */
  FanOut(Duration timeout, int maxOpen) {
    this(timeout, maxOpen, Spans.none());
  }

  private FanOut(Duration timeout, int maxOpen, Spans spans) {
    this.spans = spans;
    this.timeoutNanos = timeout.toNanos();
    this.maxOpen = maxOpen;
  }

  /** One authority's answer, or why there is none. */
  public sealed interface Answer<T> {
    int authority();

    /** It answered. */
    record Given<T>(int authority, T value) implements Answer<T> {}

    /** It did not, or not in time. */
    record Missing<T>(int authority, RuntimeException reason) implements Answer<T> {}
  }

  /** The answers of one question. */
  public final class Answers<T> {
    private final BlockingQueue<Answer<T>> arrived = new LinkedBlockingQueue<>();
    private long deadline = System.nanoTime() + timeoutNanos;
    private int outstanding;

    /** The next answer; null when all have answered or time is up. */
    public @Nullable Answer<T> next() {
      if (outstanding == 0) {
        return null;
      }
      try {
        Answer<T> answer =
            arrived.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (answer != null) {
          outstanding--;
        }
        return answer;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return null;
      }
    }

    /** Enough have answered: the others have only this long. */
    public void enough(Duration grace) {
      deadline = Math.min(deadline, System.nanoTime() + grace.toNanos());
    }

    /** Asks more, within the same deadline. */
    void ask(Collection<Integer> authorities, IntFunction<T> question) {
      authorities.forEach(authority -> ask(authority, question));
    }

    /** How many have been asked and not been heard. */
    int outstanding() {
      return outstanding;
    }

    private void ask(int authority, IntFunction<T> question) {
      outstanding++;
      Semaphore open = places.computeIfAbsent(authority, any -> new Semaphore(maxOpen));
      if (!open.tryAcquire()) {
        arrived.add(
            new Answer.Missing<>(
                authority,
                new ProtocolException(RejectionCode.UNAVAILABLE, "too many calls are open")));
        return;
      }
      Thread.ofVirtual()
          .name("authority-" + authority)
          .start(
              Trace.carried(() -> {
                Answer<T> answer =
                    answer(authority, index -> spans.authority(index, () -> question.apply(index)));
                open.release();
                arrived.add(answer);
              }));
    }
  }

  /** Asks each of the authorities; every question carries its own deadline. */
  public <T> Answers<T> ask(Collection<Integer> authorities, IntFunction<T> question) {
    Answers<T> answers = new Answers<>();
    answers.ask(authorities, question);
    return answers;
  }

  private static <T> Answer<T> answer(int authority, IntFunction<T> question) {
    try {
      return new Answer.Given<>(authority, question.apply(authority));
    } catch (RuntimeException failure) {
      return new Answer.Missing<>(authority, failure);
    } catch (Error failure) {
      return new Answer.Missing<>(authority, new IllegalStateException(failure));
    }
  }
}
