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
 * Calls several authorities at the same time. Replies come in the order of arrival, within the
 * deadline of the request. The number of open calls to one authority is bounded: an authority that
 * never answers cannot pile up waiting calls, and gets no further call while the bound is reached.
 * Look-ups have a bound of their own, so that no number of them keeps a payment from an authority.
 */
@Component
public class AuthorityFanOut {
  /**
   * Maximum of open calls to one authority, per concurrent request: two, because the finish rule
   * repeats a call, and as many again for calls whose replies no request waits for.
   */
  private static final int OPEN_PER_REQUEST = 4;

  private final Spans spans;
  private final long timeoutNanos;
  private final OpenCalls submissions;
  private final OpenCalls lookUps;

  @Autowired
  AuthorityFanOut(GatewayProperties properties, Spans spans) {
    this(
        properties.requestTimeout(),
        OPEN_PER_REQUEST * properties.maxConcurrent().submissions(),
        OPEN_PER_REQUEST * properties.maxConcurrent().lookUps(),
        spans);
  }

  /**
   * @param maxOpen bound of open calls to one authority, for look-ups and for all others
   */
  AuthorityFanOut(Duration timeout, int maxOpen) {
    this(timeout, maxOpen, maxOpen, Spans.none());
  }

  private AuthorityFanOut(Duration timeout, int maxSubmissions, int maxLookUps, Spans spans) {
    this.spans = spans;
    this.timeoutNanos = timeout.toNanos();
    this.submissions = new OpenCalls(maxSubmissions, new ConcurrentHashMap<>());
    this.lookUps = new OpenCalls(maxLookUps, new ConcurrentHashMap<>());
  }

  /**
   * Permits for open calls.
   *
   * @param max to one authority
   */
  private record OpenCalls(int max, Map<Integer, Semaphore> permits) {
    Semaphore to(int authority) {
      return permits.computeIfAbsent(authority, any -> new Semaphore(max));
    }
  }

  /** One authority's reply, or the reason for its absence. */
  public sealed interface Reply<T> {
    int authority();

    record Received<T>(int authority, T value) implements Reply<T> {}

    /** The authority did not answer, or not in time. */
    record Missing<T>(int authority, RuntimeException reason) implements Reply<T> {}
  }

  /** The replies to one request; not thread-safe. */
  public final class Replies<T> {
    private final BlockingQueue<Reply<T>> arrived = new LinkedBlockingQueue<>();
    private long deadline = System.nanoTime() + timeoutNanos;
    private final OpenCalls openCalls;
    private int outstanding;

    private Replies(OpenCalls openCalls) {
      this.openCalls = openCalls;
    }

    /** Waits for the next reply; null when there is none left or the deadline has passed. */
    public @Nullable Reply<T> next() {
      if (outstanding == 0) {
        return null;
      }
      try {
        Reply<T> reply =
            arrived.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (reply != null) {
          outstanding--;
        }
        return reply;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }

    /** Moves the deadline forward to {@code grace} from now, unless it is earlier already. */
    public void shortenDeadline(Duration grace) {
      deadline = Math.min(deadline, System.nanoTime() + grace.toNanos());
    }

    /** Sends a further call to each of the authorities, within the same deadline. */
    void call(Collection<Integer> authorities, IntFunction<T> question) {
      authorities.forEach(authority -> call(authority, question));
    }

    /** The number of calls whose replies have not been taken. */
    int outstanding() {
      return outstanding;
    }

    private void call(int authority, IntFunction<T> question) {
      outstanding++;
      Semaphore open = openCalls.to(authority);
      if (!open.tryAcquire()) {
        arrived.add(
            new Reply.Missing<>(
                authority,
                new ProtocolException(RejectionCode.UNAVAILABLE, "too many calls are open")));
        return;
      }
      Thread.ofVirtual()
          .name("authority-" + authority)
          .start(
              Trace.carried(() -> {
                Reply<T> reply =
                    reply(authority, index -> spans.authority(index, () -> question.apply(index)));
                open.release();
                arrived.add(reply);
              }));
    }
  }

  /** Calls each of the authorities; the question must set a deadline of its own. */
  public <T> Replies<T> call(Collection<Integer> authorities, IntFunction<T> question) {
    return call(submissions, authorities, question);
  }

  /** As {@link #call}, within the bound of look-ups. */
  public <T> Replies<T> lookUp(Collection<Integer> authorities, IntFunction<T> question) {
    return call(lookUps, authorities, question);
  }

  private <T> Replies<T> call(
      OpenCalls openCalls, Collection<Integer> authorities, IntFunction<T> question) {
    Replies<T> replies = new Replies<>(openCalls);
    replies.call(authorities, question);
    return replies;
  }

  private static <T> Reply<T> reply(int authority, IntFunction<T> question) {
    try {
      return new Reply.Received<>(authority, question.apply(authority));
    } catch (RuntimeException e) {
      return new Reply.Missing<>(authority, e);
    } catch (Error e) {
      return new Reply.Missing<>(authority, new IllegalStateException(e));
    }
  }
}
