package io.solidus.gateway.committee;

import io.solidus.gateway.GatewayProperties;
import io.solidus.platform.web.Trace;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;

/** Asks several authorities at the same time; answers come in the order of arrival, within the request's deadline. */
@Component
public class FanOut {
  private final long timeoutNanos;

  FanOut(GatewayProperties properties) {
    this.timeoutNanos = properties.requestTimeout().toNanos();
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
    private final long deadline = System.nanoTime() + timeoutNanos;
    private int outstanding;

    /** The next answer; null when all have answered or time is up. */
    public @Nullable Answer<T> next() {
      if (outstanding == 0) {
        return null;
      }
      try {
        Answer<T> answer = arrived.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (answer != null) {
          outstanding--;
        }
        return answer;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return null;
      }
    }

    private void ask(int authority, IntFunction<T> question) {
      outstanding++;
      Optional<String> trace = Trace.current();
      Thread.ofVirtual()
          .name("authority-" + authority)
          .start(
              () -> {
                trace.ifPresent(id -> MDC.put(Trace.MDC_KEY, id));
                arrived.add(answer(authority, question));
              });
    }
  }

  /** Asks each of the authorities; every question carries its own deadline. */
  public <T> Answers<T> ask(Collection<Integer> authorities, IntFunction<T> question) {
    Answers<T> answers = new Answers<>();
    authorities.forEach(authority -> answers.ask(authority, question));
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
