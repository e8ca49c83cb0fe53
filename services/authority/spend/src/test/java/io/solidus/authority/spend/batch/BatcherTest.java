package io.solidus.authority.spend.batch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.authority.spend.Answers;
import io.solidus.authority.spend.BatchWork;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.OverloadedException;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatcherTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final int HANG_SECONDS = 300;

  /**
   * Batches in the order they were started; a test holds each one until it releases {@code mayEnd}.
   */
  private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());

  private final Semaphore started = new Semaphore(0);
  private final Semaphore mayEnd = new Semaphore(0);
  private final AtomicLong now = new AtomicLong();
  private CheckPermits permits = new CheckPermits(100);
  private @Nullable Batcher<String, String> batcher;

  @AfterEach
  void close() {
    mayEnd.release(1_000);
    batcher().close();
  }

  @Test
  void aLoneRequestRunsAtOnce() {
    start(limits(1, 100, 100, LONG), this::echo);
    assertThat(get(submit("a"))).isEqualTo("a!");
    assertThat(get(submit("b"))).isEqualTo("b!");
    assertThat(batches).containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void requestsUnderLoadFormBatchesUpToTheLimit() {
    start(limits(1, 4, 100, Duration.ZERO), this::held);
    List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>(List.of(submit("0")));
    awaitStart();
    for (int i = 1; i <= 10; i++) {
      answers.add(submit(Integer.toString(i)));
    }
    mayEnd.release(4);
    for (int i = 0; i <= 10; i++) {
      assertThat(get(answers.get(i))).isEqualTo(i + "!");
    }
    assertThat(batches.stream().map(List::size)).containsExactly(1, 4, 4, 2);
  }

  @Test
  void severalWorkersTakeBatchesAtTheSameTime() {
    start(limits(2, 4, 100, Duration.ZERO), this::held);
    CompletableFuture<Outcome<String>> a = submit("a");
    awaitStart();
    CompletableFuture<Outcome<String>> b = submit("b");
    awaitStart();
    assertThat(List.of(a.isDone(), b.isDone()))
        .as("both have started, neither has ended")
        .containsOnly(false);
  }

  @Test
  void aBatchThatReleasesItsPermitLetsTheNextOneStart() {
    permits = new CheckPermits(1);
    Semaphore mayPass = new Semaphore(0);
    start(
        limits(2, 4, 100, Duration.ZERO),
        (inputs, answers) -> {
          started.release();
          mayPass.acquireUninterruptibly();
          permits.release();
          mayEnd.acquireUninterruptibly();
          echo(inputs, answers);
        });
    CompletableFuture<Outcome<String>> a = submit("a");
    awaitStart();
    enqueue("b");
    CompletableFuture<Outcome<String>> c = submit("c");
    assertThat(batcher().waiting())
        .as("one batch at a time while it holds the only permit")
        .isEqualTo(2);
    mayPass.release();
    awaitStart();
    assertThat(a.isDone()).as("the first batch still runs").isFalse();
    mayPass.release();
    mayEnd.release(2);
    get(a);
    get(c);
    assertThat(batches)
        .as("requests that came meanwhile form one batch")
        .containsExactlyInAnyOrder(List.of("a"), List.of("b", "c"));
  }

  /** Checks use the processor: with one permit a second worker does not begin. */
  @Test
  void withoutAPermitNoWorkerBegins() {
    permits = new CheckPermits(1);
    start(limits(2, 1, 100, Duration.ZERO), this::held);
    CompletableFuture<Outcome<String>> a = submit("a");
    awaitStart();
    CompletableFuture<Outcome<String>> b = submit("b");
    assertThat(startsWithin(Duration.ofMillis(300))).as("the permit is taken").isFalse();
    mayEnd.release(2);
    get(a);
    get(b);
  }

  @Test
  void itsEventsAreObserved() {
    List<String> events = Collections.synchronizedList(new ArrayList<>());
    BatchObserver observer =
        new BatchObserver() {
          @Override
          public void started(int size) {
            events.add("started " + size);
          }

          @Override
          public void waited(long nanos) {
            events.add("waited " + nanos);
          }

          @Override
          public void refused() {
            events.add("refused");
          }

          @Override
          public void abandoned() {
            events.add("abandoned");
          }
        };
    batcher =
        new Batcher<>(
            "test", limits(1, 4, 2, Duration.ZERO), this::held, permits, observer, now::get);
    CompletableFuture<Outcome<String>> a = submit("a");
    awaitStart();
    CompletableFuture<Outcome<String>> b = submit("b");
    batcher().submit("cancelled", () -> true, outcome -> {});
    assertThatThrownBy(() -> submit("c")).isInstanceOf(OverloadedException.class);
    now.addAndGet(70);
    mayEnd.release(2);
    get(a);
    get(b);
    assertThat(events)
        .containsExactly("waited 0", "started 1", "refused", "waited 70", "abandoned", "started 1");
  }

  @Test
  void aBatchThatFailsReleasesItsPermit() {
    permits = new CheckPermits(1);
    start(
        limits(2, 1, 100, Duration.ZERO),
        (inputs, answers) -> {
          throw new IllegalStateException("broken");
        });
    for (int i = 0; i < 4; i++) {
      CompletableFuture<Outcome<String>> answer = submit(Integer.toString(i));
      assertThat(answer.orTimeout(HANG_SECONDS, TimeUnit.SECONDS).join())
          .isInstanceOf(Outcome.Failed.class);
    }
  }

  @Test
  void underLoadAWorkerLetsTheNextBatchGrowUntilItIsFull() {
    start(limits(1, 3, 100, LONG), this::held);
    enqueue("a");
    awaitStart();
    enqueue("b");
    enqueue("c");
    mayEnd.release();
    awaitStart();
    mayEnd.release(2);
    CompletableFuture<Outcome<String>> first = submit("d");
    enqueue("e");
    enqueue("f");
    assertThat(get(first)).isEqualTo("d!");
    assertThat(batches).containsExactly(List.of("a"), List.of("b", "c"), List.of("d", "e", "f"));
  }

  @Test
  void aFullQueueRejectsAtOnce() {
    start(limits(1, 1, 2, Duration.ZERO), this::held);
    enqueue("a");
    awaitStart();
    enqueue("b");
    enqueue("c");
    OverloadedException refusal =
        catchThrowableOfType(OverloadedException.class, () -> enqueue("d"));
    assertThat(refusal.code()).isEqualTo(RejectionCode.OVERLOADED);
    assertThat(refusal.retryAfter()).isPositive();
    assertThat(batcher().waiting()).isEqualTo(2);
    mayEnd.release(3);
    awaitStart();
    awaitStart();
    assertThat(batches).as("a rejected request causes no work").doesNotContain(List.of("d"));
  }

  @Test
  void aRequestThatWouldWaitTooLongIsRejectedWithTheWait() {
    start(new BatchLimits(1, 100, 100, Duration.ofSeconds(1), Duration.ZERO, LONG), this::held);
    learnThatABatchOfTwoTakesTenSeconds();

    CompletableFuture<Outcome<String>> next = submit("next");
    awaitStart();
    enqueue("queued");
    OverloadedException refusal =
        catchThrowableOfType(OverloadedException.class, () -> enqueue("too late"));
    assertThat(refusal.retryAfter())
        .as("as long as a batch takes")
        .isEqualTo(Duration.ofSeconds(10));
    mayEnd.release(2);
    assertThat(get(next)).as("an empty queue always takes one").isEqualTo("next!");
  }

  @Test
  void aQuickRequestClearsTheEstimateOfAnOverload() {
    start(new BatchLimits(1, 100, 100, Duration.ofSeconds(1), Duration.ZERO, LONG), this::held);
    learnThatABatchOfTwoTakesTenSeconds();
    CompletableFuture<Outcome<String>> quick = submit("quick");
    awaitStart();
    now.addAndGet(Duration.ofMillis(1).toNanos());
    mayEnd.release();
    get(quick);
    enqueue("a");
    awaitStart();
    for (int i = 0; i < 50; i++) {
      enqueue("b" + i);
    }
    assertThat(batcher().waiting()).isEqualTo(50);
  }

  @Test
  void aCancelledRequestCausesNoWork() {
    start(limits(1, 10, 10, Duration.ZERO), this::held);
    enqueue("a");
    awaitStart();
    CompletableFuture<Outcome<String>> gone = new CompletableFuture<>();
    batcher().submit("gone", () -> true, gone::complete);
    CompletableFuture<Outcome<String>> here = submit("here");
    mayEnd.release(2);
    assertThat(get(here)).isEqualTo("here!");
    assertThat(refusal(gone).code()).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(batches).containsExactly(List.of("a"), List.of("here"));
  }

  @Test
  void closingFinishesTheQueueAndAcceptsNothingMore() {
    start(limits(1, 2, 10, Duration.ZERO), this::held);
    List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      answers.add(submit("r" + i));
    }
    mayEnd.release(10);
    batcher().close();
    answers.forEach(answer -> assertThat(answer.join()).isInstanceOf(Outcome.Done.class));
    ProtocolException refusal =
        catchThrowableOfType(ProtocolException.class, () -> enqueue("late"));
    assertThat(refusal.code()).isEqualTo(RejectionCode.UNAVAILABLE);
  }

  @Test
  void closingEndsAfterItsTimeLimit() {
    start(new BatchLimits(1, 1, 10, LONG, Duration.ZERO, Duration.ofMillis(1)), this::held);
    CompletableFuture<Outcome<String>> inWork = submit("a");
    awaitStart();
    CompletableFuture<Outcome<String>> waiting = submit("b");
    batcher().close();
    assertThat(refusal(waiting).code()).isEqualTo(RejectionCode.UNAVAILABLE);
    assertThat(failure(inWork)).as("it was interrupted").isInstanceOf(IllegalStateException.class);
    assertThat(batcher().waiting()).isZero();
  }

  @Test
  void aBatchThatThrowsFailsItsOwnRequestsOnly() {
    start(
        limits(1, 10, 10, Duration.ZERO),
        (inputs, answers) -> {
          switch (inputs.getFirst()) {
            case "throws" -> throw new IllegalArgumentException("broken");
            case "dies" -> throw new StackOverflowError();
            case "forgets" -> {}
            default -> echo(inputs, answers);
          }
        });
    assertThat(failure(submit("throws"))).isInstanceOf(IllegalArgumentException.class);
    assertThat(failure(submit("dies"))).isInstanceOf(IllegalStateException.class);
    assertThat(failure(submit("forgets"))).isInstanceOf(IllegalStateException.class);
    assertThat(get(submit("well"))).isEqualTo("well!");
  }

  @Test
  void aCallbackThatThrowsDoesNotDisturbOtherRequests() {
    start(limits(1, 10, 10, Duration.ZERO), this::held);
    enqueue("a");
    awaitStart();
    batcher()
        .submit(
            "b",
            () -> false,
            outcome -> {
              throw new IllegalStateException("gone");
            });
    CompletableFuture<Outcome<String>> next = submit("c");
    mayEnd.release(2);
    assertThat(get(next)).isEqualTo("c!");
  }

  @Test
  void aRequestGetsOneOutcome() {
    start(
        limits(1, 10, 10, Duration.ZERO),
        (inputs, answers) -> {
          for (int i = 0; i < inputs.size(); i++) {
            answers.answer(i, Outcome.done("first"));
            answers.answer(i, Outcome.done("second"));
          }
        });
    List<Outcome<String>> outcomes = Collections.synchronizedList(new ArrayList<>());
    batcher().submit("a", () -> false, outcomes::add);
    assertThat(get(submit("b"))).isEqualTo("first");
    assertThat(outcomes).containsExactly(Outcome.done("first"));
  }

  private void learnThatABatchOfTwoTakesTenSeconds() {
    enqueue("a");
    awaitStart();
    enqueue("b");
    CompletableFuture<Outcome<String>> c = submit("c");
    mayEnd.release();
    awaitStart();
    now.addAndGet(Duration.ofSeconds(10).toNanos());
    mayEnd.release();
    get(c);
    awaitLearnt();
  }

  /**
   * The worker updates its estimate after it has answered. A worker that takes the next request has
   * done so.
   */
  private void awaitLearnt() {
    CompletableFuture<Outcome<String>> probe = submit("probe");
    awaitStart();
    now.addAndGet(Duration.ofSeconds(10).toNanos());
    mayEnd.release();
    get(probe);
  }

  private Batcher<String, String> batcher() {
    return requireNonNull(batcher, "start() comes first");
  }

  private void start(BatchLimits limits, BatchWork<String, String> work) {
    batcher = new Batcher<>("test", limits, work, permits, BatchObserver.NONE, now::get);
  }

  private static BatchLimits limits(int workers, int maxBatch, int queue, Duration linger) {
    return new BatchLimits(
        workers, maxBatch, queue, LONG, linger, Duration.ofSeconds(HANG_SECONDS));
  }

  private void echo(List<String> inputs, Answers<String> answers) {
    batches.add(List.copyOf(inputs));
    for (int i = 0; i < inputs.size(); i++) {
      answers.answer(i, Outcome.done(inputs.get(i) + "!"));
    }
  }

  private void held(List<String> inputs, Answers<String> answers) {
    started.release();
    try {
      mayEnd.acquire();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    echo(inputs, answers);
  }

  private void awaitStart() {
    try {
      assertThat(started.tryAcquire(HANG_SECONDS, TimeUnit.SECONDS)).as("a batch starts").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private boolean startsWithin(Duration time) {
    try {
      return started.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private CompletableFuture<Outcome<String>> submit(String input) {
    CompletableFuture<Outcome<String>> answer = new CompletableFuture<>();
    batcher().submit(input, () -> false, answer::complete);
    return answer;
  }

  /** Submits a request whose answer does not matter. */
  private void enqueue(String input) {
    batcher().submit(input, () -> false, outcome -> {});
  }

  private static String get(CompletableFuture<Outcome<String>> answer) {
    return outcome(answer).get();
  }

  private static ProtocolException refusal(CompletableFuture<Outcome<String>> answer) {
    return (ProtocolException) failure(answer);
  }

  private static RuntimeException failure(CompletableFuture<Outcome<String>> answer) {
    return ((Outcome.Failed<String>) outcome(answer)).reason();
  }

  private static Outcome<String> outcome(CompletableFuture<Outcome<String>> answer) {
    return answer.orTimeout(HANG_SECONDS, TimeUnit.SECONDS).join();
  }
}
