package io.solidus.edge.gateway.proofs;

import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.platform.limits.LruMap;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The first answers to requests that have an Idempotency-Key, in the memory of this process. A
 * repetition gets the first answer, also one that comes while the first request is still worked on.
 * A failure is no answer: the next repetition is worked on again.
 *
 * @param <A> the answer
 */
final class FirstAnswers<A> {
  private final LruMap<Digest32, First<A>> firsts;
  private final Duration kept;
  private final Duration patience;

  /** A request that was the first with its key; one is equal to itself alone. */
  private static final class First<A> {
    private final Digest32 body;
    private final long begunNanos = System.nanoTime();
    private final CompletableFuture<A> answer = new CompletableFuture<>();

    First(Digest32 body) {
      this.body = body;
    }
  }

  /**
   * Makes an empty store.
   *
   * @param capacity answers that are kept at most; the least recently used goes first
   * @param kept how long an answer is repeated
   * @param patience how long a repetition waits for the first request
   */
  FirstAnswers(int capacity, Duration kept, Duration patience) {
    this.firsts = new LruMap<>(capacity);
    this.kept = kept;
    this.patience = patience;
  }

  /**
   * The answer of the first request with this key.
   *
   * @param body digest of the request
   * @param work makes the answer
   * @throws ProtocolException idempotency-mismatch when the first request was another one,
   *     unavailable when it takes too long, or what the work throws
   */
  A answer(IdempotencyKey key, Digest32 body, Supplier<A> work) {
    First<A> mine = new First<>(body);
    First<A> first = join(key.digest(), mine);
    if (!first.body.equals(body)) {
      throw IdempotencyKey.usedForAnother();
    }
    if (first == mine) {
      run(key.digest(), mine, work);
    }
    return await(first);
  }

  private synchronized First<A> join(Digest32 key, First<A> mine) {
    First<A> there =
        firsts
            .find(key)
            .filter(first -> mine.begunNanos - first.begunNanos < kept.toNanos())
            .orElse(mine);
    if (there == mine) {
      firsts.remember(key, mine);
    }
    return there;
  }

  private void run(Digest32 key, First<A> mine, Supplier<A> work) {
    try {
      mine.answer.complete(work.get());
    } catch (RuntimeException | Error e) {
      forget(key, mine);
      mine.answer.completeExceptionally(e);
    }
  }

  private synchronized void forget(Digest32 key, First<A> mine) {
    if (firsts.find(key).filter(first -> first == mine).isPresent()) {
      firsts.forget(key);
    }
  }

  private A await(First<A> first) {
    try {
      return first.answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(e);
    } catch (TimeoutException e) {
      throw unavailable(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ProtocolException refusal ? refusal : unavailable(e);
    }
  }

  private static ProtocolException unavailable(Exception cause) {
    return new ProtocolException(
        RejectionCode.UNAVAILABLE, "the first request with this key has no answer yet", cause);
  }
}
