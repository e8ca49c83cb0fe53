package io.solidus.authority.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.Eventually;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which queries are answered together, and what one of them does to the others. */
class AnswerQueueTest {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<List<Integer>> readings = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void stop() {
    go.countDown();
    threads.shutdownNow();
  }

  /** The first query keeps the processor until all others wait. */
  private AnswerQueue queue(Duration patience) {
    return new AnswerQueue(1, patience, this::read);
  }

  private List<AnswerQueue.Outcome> read(List<MailQuery> queries) {
    readings.add(queries.stream().map(each -> each.bucket().number()).toList());
    try {
      go.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return queries.stream()
        .map(each ->
            each.after() == 13
                ? AnswerQueue.Outcome.refused(
                    new ProtocolException(RejectionCode.UNAVAILABLE, "other tables"))
                : AnswerQueue.Outcome.of(new byte[] {(byte) each.after()}))
        .toList();
  }

  private CompletableFuture<byte[]> ask(AnswerQueue queue, int bucket, int number) {
    MailQuery query =
        new MailQuery(
            new MailboxBucket(bucket), number, 1000, Digest32.sha256(), new byte[] {1, 1});
    return CompletableFuture.supplyAsync(() -> queue.answer(query), threads);
  }

  @Test
  void whatWaitsForTheBucketOfTheOldestIsAnsweredWithIt() {
    AnswerQueue queue = queue(Duration.ofSeconds(20));
    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
    answers.add(ask(queue, 70, 0));
    Eventually.holds(() -> assertThat(readings).hasSize(1));
    for (int i = 1; i <= 20; i++) {
      answers.add(ask(queue, i % 2 == 0 ? 70 : 71, i));
      int waiting = i;
      Eventually.holds(() -> assertThat(queue.waiting()).isEqualTo(waiting));
    }
    go.countDown();
    for (int i = 0; i <= 20; i++) {
      if (i != 13) {
        assertThat(answers.get(i).join()).as("each gets its own").containsExactly(i);
      }
    }
    // one that is refused takes nothing from those beside it
    assertCode(answers.get(13), RejectionCode.UNAVAILABLE);
    assertThat(readings)
        .containsExactly(List.of(70), Collections.nCopies(10, 71), Collections.nCopies(10, 70));
  }

  @Test
  void aReadingIsBounded() {
    AnswerQueue queue = queue(Duration.ofSeconds(20));
    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
    answers.add(ask(queue, 70, 0));
    Eventually.holds(() -> assertThat(readings).hasSize(1));
    for (int i = 0; i < AnswerQueue.MOST + 3; i++) {
      answers.add(ask(queue, 70, 5));
    }
    Eventually.holds(() -> assertThat(queue.waiting()).isEqualTo(AnswerQueue.MOST + 3));
    go.countDown();
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
    assertThat(readings).extracting(List::size).containsExactly(1, AnswerQueue.MOST, 3);
  }

  @Test
  void whoWaitsTooLongLeaves() {
    AnswerQueue queue = queue(Duration.ofMillis(200));
    CompletableFuture<byte[]> first = ask(queue, 70, 1);
    Eventually.holds(() -> assertThat(readings).hasSize(1));
    assertCode(ask(queue, 70, 2), RejectionCode.OVERLOADED);
    assertThat(queue.waiting()).isZero();
    // its reading does not end either
    assertCode(first, RejectionCode.OVERLOADED);
  }

  @Test
  void aDefectReachesWhoAskedAndNobodyElse() {
    AnswerQueue queue =
        new AnswerQueue(
            1,
            Duration.ofSeconds(20),
            queries -> {
              if (queries.getFirst().after() == 1) {
                throw new IllegalStateException("a defect");
              }
              return read(queries);
            });
    go.countDown();
    assertCode(ask(queue, 70, 1), RejectionCode.UNAVAILABLE);
    assertThat(ask(queue, 70, 2).join()).containsExactly(2);
  }

  /** Otherwise a replica that was once short of memory would never answer again. */
  @Test
  void aThreadThatDoesNotBeginLeavesItsPlace() {
    int[] begun = {0};
    AnswerQueue queue =
        new AnswerQueue(
            1,
            Duration.ofSeconds(20),
            this::read,
            work ->
                new Thread(work) {
                  @Override
                  public synchronized void start() {
                    if (begun[0]++ == 0) {
                      throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                  }
                });
    go.countDown();
    assertThatThrownBy(ask(queue, 70, 1)::join).hasCauseInstanceOf(OutOfMemoryError.class);
    assertThat(queue.waiting()).isZero();
    assertThat(ask(queue, 70, 2).join()).containsExactly(2);
  }

  /** A query that comes while the only thread does not begin would wait for nobody. */
  @Test
  void whoCameWhileAThreadDidNotBeginIsToldSo() {
    List<CompletableFuture<byte[]>> others = new ArrayList<>();
    List<AnswerQueue> queues = new ArrayList<>();
    int[] begun = {0};
    queues.add(
        new AnswerQueue(
            1,
            Duration.ofSeconds(20),
            this::read,
            work ->
                new Thread(work) {
                  @Override
                  public synchronized void start() {
                    if (begun[0]++ == 0) {
                      others.add(ask(queues.getFirst(), 70, 2));
                      Eventually.holds(() -> assertThat(queues.getFirst().waiting()).isEqualTo(2));
                      throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                  }
                }));
    go.countDown();
    assertThatThrownBy(ask(queues.getFirst(), 70, 1)::join)
        .hasCauseInstanceOf(OutOfMemoryError.class);
    assertThat(others).hasSize(1);
    CompletableFuture<byte[]> other = others.getFirst().orTimeout(5, TimeUnit.SECONDS);
    assertCode(other, RejectionCode.UNAVAILABLE);
    assertThat(queues.getFirst().waiting()).isZero();
    assertThat(ask(queues.getFirst(), 70, 3).join()).containsExactly(3);
  }

  private static void assertCode(CompletableFuture<byte[]> answer, RejectionCode code) {
    assertThatThrownBy(answer::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ProtocolException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }
}
