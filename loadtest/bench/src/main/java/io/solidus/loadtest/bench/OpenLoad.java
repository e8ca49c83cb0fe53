package io.solidus.loadtest.bench;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * An open load model: requests arrive as a Poisson process, whether or not earlier ones have been
 * answered, and latency counts from the moment a request was due to the moment it was served.
 *
 * @param <T> a prepared request
 */
final class OpenLoad<T> {

  private static final long ANSWER_LIMIT_SECONDS = 30;
  private static final long SPIN_NANOS = 50_000;

  private final Target<T> target;
  private final SplittableRandom random;

  OpenLoad(Target<T> target, long seed) {
    this.target = target;
    this.random = new SplittableRandom(seed);
  }

  RateStep run(double perSecond, double seconds, Iterator<T> requests) {
    int total = (int) Math.round(perSecond * seconds);
    Running running = new Running(total);
    long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
    for (int i = 0; i < total; i++) {
      due += (long) (-Math.log(1 - random.nextDouble()) / perSecond * 1e9);
      running.late = Math.max(running.late, waitUntil(due));
      target.send(requests.next(), running.answersTo(i, due));
    }
    running.awaitAnswers();
    return running.step(perSecond, seconds);
  }

  private static long waitUntil(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS / 2);
      } else {
        Thread.onSpinWait();
      }
    }
    return System.nanoTime() - due;
  }

  private static final class Running {
    private final long[] latencies;
    private final AtomicInteger signed = new AtomicInteger();
    private final Map<String, AtomicInteger> refused = new ConcurrentHashMap<>();
    private final Semaphore done = new Semaphore(0);
    private final int total;
    private long late;

    Running(int total) {
      this.total = total;
      this.latencies = new long[total];
    }

    Target.Answers answersTo(int index, long due) {
      return new Target.Answers() {
        @Override
        public void served() {
          latencies[index] = System.nanoTime() - due;
          signed.incrementAndGet();
        }

        @Override
        public void refused(String reason) {
          refused.computeIfAbsent(reason, any -> new AtomicInteger()).incrementAndGet();
        }

        @Override
        public void finished() {
          done.release();
        }
      };
    }

    void awaitAnswers() {
      try {
        if (!done.tryAcquire(total, ANSWER_LIMIT_SECONDS, TimeUnit.SECONDS)) {
          throw new IllegalStateException(
              "answers are missing after " + ANSWER_LIMIT_SECONDS + " s");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }

    RateStep step(double perSecond, double seconds) {
      Map<String, Integer> counts = new TreeMap<>();
      refused.forEach((code, count) -> counts.put(code, count.get()));
      Histogram answered = RateStep.histogram();
      Arrays.stream(latencies)
          .filter(nanos -> nanos > 0)
          .map(TimeUnit.NANOSECONDS::toMicros)
          .forEach(answered::recordValue);
      return new RateStep(perSecond, seconds, total, signed.get(), counts, answered, late / 1e6);
    }
  }
}
