package io.solidus.loadtest.bench;

import io.grpc.Status;
import io.solidus.wire.v1.SubmitReply;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * An open load model: requests arrive as a Poisson process, whether or not earlier ones have been
 * answered, and latency counts from the moment a request was due. Each goes to every authority, and
 * is answered when {@code quorum} of them have signed.
 */
final class OpenLoad {

  private static final long ANSWER_LIMIT_SECONDS = 30;
  private static final long SPIN_NANOS = 50_000;

  private final List<AuthorityClient> targets;
  private final int quorum;
  private final SplittableRandom random;

  OpenLoad(List<AuthorityClient> targets, int quorum, long seed) {
    this.targets = targets;
    this.quorum = quorum;
    this.random = new SplittableRandom(seed);
  }

  RateStep run(double perSecond, double seconds, Iterator<EncodedTransfer> transfers) {
    int total = (int) Math.round(perSecond * seconds);
    Running running = new Running(total);
    long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
    for (int i = 0; i < total; i++) {
      due += (long) (-Math.log(1 - random.nextDouble()) / perSecond * 1e9);
      running.late = Math.max(running.late, waitUntil(due));
      running.send(i, transfers.next(), due);
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

  private final class Running {
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

    void send(int index, EncodedTransfer transfer, long due) {
      AtomicInteger missing = new AtomicInteger(quorum);
      AtomicInteger outstanding = new AtomicInteger(targets.size());
      for (AuthorityClient target : targets) {
        target.submit(
            transfer.lead(),
            transfer.request(),
            (reply, status) -> {
              if (reply != null && reply.hasSigned()) {
                if (missing.decrementAndGet() == 0) {
                  latencies[index] = System.nanoTime() - due;
                  signed.incrementAndGet();
                }
              } else {
                refused
                    .computeIfAbsent(reason(reply, status), r -> new AtomicInteger())
                    .incrementAndGet();
              }
              if (outstanding.decrementAndGet() == 0) {
                done.release();
              }
            });
      }
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

    private String reason(@Nullable SubmitReply reply, Status status) {
      return reply == null ? status.getCode().name() : reply.getRejected().getCode();
    }
  }
}
