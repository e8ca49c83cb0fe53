package io.solidus.edge.gateway.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.edge.gateway.GatewayFixture;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailboxBucket;
import io.solidus.wire.json.Base64Url;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The mailbox's table: messages expire without delaying posts, and a restored table is noticed. */
@Tag("process")
class MailboxStoreTest {
  private static final Generators RANDOM = new Generators(77);
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static GatewayFixture gateway;
  private static MailboxStore store;
  private static JdbcClient jdbc;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    store = gateway.bean(MailboxStore.class);
    jdbc = gateway.bean(JdbcClient.class);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    THREADS.shutdownNow();
  }

  @BeforeEach
  void empty() {
    jdbc.sql("TRUNCATE mailbox, mailbox_post").update();
  }

  @Test
  void deletesExpiredMessagesInBatchesAndNoOthers() {
    old(2_500, 91);
    old(10, 90);
    store.deleteExpired();
    assertThat(count()).isEqualTo(10);
  }

  @Test
  void aPostDoesNotWaitForExpiry() throws InterruptedException {
    old(100, 91);
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    TransactionTemplate other =
        new TransactionTemplate(gateway.bean(PlatformTransactionManager.class));
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () ->
                other.executeWithoutResult(status -> {
                  long unused =
                      jdbc.sql("SELECT sequence FROM mailbox ORDER BY sequence LIMIT 1 FOR UPDATE")
                          .query(Long.class)
                          .single();
                  locked.countDown();
                  await(end);
                }),
            THREADS);
    locked.await();
    CompletableFuture<Void> expiry = CompletableFuture.runAsync(store::deleteExpired, THREADS);
    try {
      Eventually.holds(() ->
          assertThat(
                  jdbc.sql("SELECT count(*) FROM pg_locks WHERE NOT granted")
                      .query(Long.class)
                      .single())
              .isPositive());
      Instant posted = Instant.now();
      assertThat(store.post(RANDOM.bytes(1200), MailboxBucket.WHOLE, Optional.empty()))
          .isPositive();
      assertThat(Duration.between(posted, Instant.now())).isLessThan(Duration.ofSeconds(5));
      assertThat(expiry).isNotDone();
    } finally {
      end.countDown();
    }
    reader.join();
    expiry.join();
    assertThat(count()).isEqualTo(1);
  }

  /** The payer posts again what the mailbox lost, under the same key. */
  @Test
  void aKeyWhoseMessageIsLostStoresItAgain() {
    byte[] blob = RANDOM.bytes(1200);
    Optional<IdempotencyKey> key = IdempotencyKey.of("0123456789");
    long lost = store.post(blob, MailboxBucket.WHOLE, key);
    jdbc.sql("DELETE FROM mailbox WHERE sequence = ?").param(lost).update();
    long again = store.post(blob, MailboxBucket.WHOLE, key);
    assertThat(again).isNotEqualTo(lost);
    assertThat(store.post(blob, MailboxBucket.WHOLE, key)).isEqualTo(again);
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void keysAreKeptForTheirDayAndTheNext() {
    Optional<IdempotencyKey> today = IdempotencyKey.of("key-of-today");
    Optional<IdempotencyKey> earlier = IdempotencyKey.of("an-earlier-key");
    byte[] blob = RANDOM.bytes(1200);
    long first = store.post(blob, MailboxBucket.WHOLE, today);
    long unused = store.post(blob, MailboxBucket.WHOLE, earlier);
    jdbc.sql("UPDATE mailbox_post SET posted_on = current_date - 2 WHERE key = ?")
        .param(earlier.orElseThrow().digest().bytes())
        .update();
    jdbc.sql("UPDATE mailbox_post SET posted_on = current_date - 1 WHERE key <> ?")
        .param(earlier.orElseThrow().digest().bytes())
        .update();
    store.deleteExpired();
    assertThat(store.post(blob, MailboxBucket.WHOLE, today)).isEqualTo(first);
    assertThat(jdbc.sql("SELECT count(*) FROM mailbox_post").query(Long.class).single())
        .isEqualTo(1);
  }

  @Test
  void aPageNamesTheMessageAtTheReadersPlace() {
    byte[] first = RANDOM.bytes(1200);
    long at = store.post(first, MailboxBucket.WHOLE, Optional.empty());
    long next = store.post(RANDOM.bytes(1200), MailboxBucket.WHOLE, Optional.empty());
    assertThat(store.read(0, 10).digestAt()).isNull();
    assertThat(store.read(at, 10).digestAt())
        .isEqualTo(Base64Url.encode(Digest32.sha256(first).bytes()));
    assertThat(store.read(at, 1).entries())
        .extracting(MailboxStore.Entry::sequence)
        .containsExactly(next);
    assertThat(store.read(next + 1, 10).digestAt()).isNull();
  }

  /** Afterwards the numbers go on from the backup's, and a reader had read further. */
  @Test
  void aReaderNoticesARestoredMailbox() {
    long kept = store.post(RANDOM.bytes(1200), MailboxBucket.WHOLE, Optional.empty());
    long lost = store.post(RANDOM.bytes(1200), MailboxBucket.WHOLE, Optional.empty());
    String known = store.read(lost, 1).digestAt();
    assertThat(known).isNotNull();
    jdbc.sql("DELETE FROM mailbox WHERE sequence > ?").param(kept).update();
    jdbc.sql("SELECT setval(pg_get_serial_sequence('mailbox', 'sequence'), ?)")
        .param(kept)
        .query(Long.class)
        .single();
    assertThat(store.read(lost, 1).digestAt()).isNull();
    assertThat(store.post(RANDOM.bytes(1200), MailboxBucket.WHOLE, Optional.empty()))
        .isEqualTo(lost);
    assertThat(store.read(lost, 1).digestAt()).isNotNull().isNotEqualTo(known);
    assertThat(store.read(kept, 1).digestAt()).isNotNull();
  }

  /** The place is in the whole mailbox: a loss in another bucket moves it, too. */
  @Test
  void aReaderOfABucketNoticesALossInAnotherOne() {
    MailboxBucket mine = new MailboxBucket(64);
    long first = store.post(RANDOM.bytes(1200), mine, Optional.empty());
    long lost = store.post(RANDOM.bytes(1200), new MailboxBucket(65), Optional.empty());
    BucketPage page = store.read(mine, 0, 10);
    assertThat(page.messages()).extracting(BucketPage.Message::sequence).containsExactly(first);
    assertThat(page.next()).isEqualTo(lost);
    assertThat(store.read(mine, lost, 10).at()).isEqualTo(page.digest());
    jdbc.sql("DELETE FROM mailbox WHERE sequence = ?").param(lost).update();
    assertThat(store.read(mine, lost, 10).at()).isEqualTo(BucketPage.NONE);
    assertThat(store.read(mine, lost, 10).next()).isEqualTo(lost);
  }

  private static void old(int messages, int days) {
    jdbc.sql(
            "INSERT INTO mailbox (blob, posted_on) SELECT decode(repeat('00', 1200), 'hex'),"
                + " current_date - ?::integer FROM generate_series(1, ?)")
        .params(days, messages)
        .update();
  }

  private static long count() {
    return jdbc.sql("SELECT count(*) FROM mailbox").query(Long.class).single();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
