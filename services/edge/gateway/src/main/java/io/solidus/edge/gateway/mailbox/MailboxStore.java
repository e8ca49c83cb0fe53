package io.solidus.edge.gateway.mailbox;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores messages so that they become visible in the order of their sequence numbers: a reader that
 * has read up to a number has missed no message below it. Therefore one writer at a time takes
 * numbers and commits. An advisory lock serialises the writers of several gateways on one database.
 * The writer commits messages in batches.
 */
@Component
class MailboxStore implements SmartLifecycle {
  private static final int QUEUE = 1024;
  private static final int BATCH = 256;
  private static final Duration POST_LIMIT = Duration.ofSeconds(10);

  /** How long the writer waits for a message before it looks whether it has to stop. */
  private static final Duration POLL = Duration.ofMillis(100);

  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final long LOCK = 0x6d61696c626f78L;
  private static final Duration EXPIRE_EVERY = Duration.ofMinutes(10);

  /** Messages that one statement deletes. */
  private static final int EXPIRE_BATCH = 1000;

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final long retentionDays;
  private final BlockingQueue<Post> posts = new ArrayBlockingQueue<>(QUEUE);
  private final RepeatedJob writer = new RepeatedJob("mailbox-writer", PAUSE, this::writeBatch);
  private final RepeatedJob expiry =
      new RepeatedJob("mailbox-expiry", EXPIRE_EVERY, this::deleteExpired);

  private record Post(byte[] blob, CompletableFuture<Long> sequence) {}

  /**
   * A stored message.
   *
   * @param blob base64url
   */
  record Entry(long sequence, String blob) {}

  /**
   * Messages in the order of their numbers.
   *
   * @param digestAt SHA-256 of the message before them, at which the reader is, base64url; null
   *     when there is none
   */
  record Range(List<Entry> entries, @Nullable String digestAt) {}

  private record Row(long sequence, byte[] blob) {}

  MailboxStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, GatewayProperties properties) {
    this.jdbc = jdbc;
    this.transactions = new TransactionTemplate(transactions);
    this.retentionDays = properties.mailboxRetention().toDays();
  }

  /**
   * Stores a message durably.
   *
   * @return its sequence number
   * @throws ProtocolException overloaded when the queue is full, unavailable when the message could
   *     not be stored within ten seconds
   */
  long post(byte[] blob) {
    Post post = new Post(blob, new CompletableFuture<>());
    if (!posts.offer(post)) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "the mailbox is busy; try again shortly");
    }
    try {
      return post.sequence().get(POST_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable();
    } catch (ExecutionException | TimeoutException e) {
      throw unavailable();
    } finally {
      post.sequence().cancel(false); // the poster posts again; the writer stores only that one
    }
  }

  /** At most {@code limit} messages with a sequence number above {@code after}, ascending. */
  Range read(long after, int limit) {
    List<Row> rows =
        jdbc.sql("SELECT sequence, blob FROM mailbox WHERE sequence >= ? ORDER BY sequence LIMIT ?")
            .params(after, limit + 1)
            .query((set, n) -> new Row(set.getLong(1), set.getBytes(2)))
            .list();
    boolean found = !rows.isEmpty() && rows.getFirst().sequence() == after;
    List<Entry> entries =
        rows.stream()
            .skip(found ? 1 : 0)
            .limit(limit)
            .map(row -> new Entry(row.sequence(), Base64Url.encode(row.blob())))
            .toList();
    return new Range(
        entries, found ? Base64Url.encode(Digest32.sha256(rows.getFirst().blob()).bytes()) : null);
  }

  @Override
  public void start() {
    writer.start();
    expiry.start();
  }

  @Override
  public void stop() {
    RepeatedJob.stopAll(List.of(writer, expiry));
  }

  @Override
  public boolean isRunning() {
    return writer.isRunning();
  }

  private void writeBatch() {
    List<Post> batch = new ArrayList<>(BATCH);
    try {
      Post first = posts.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
      if (first != null) {
        batch.add(first);
        posts.drainTo(batch, BATCH - 1);
        batch.removeIf(post -> post.sequence().isCancelled());
        write(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      batch.forEach(post -> post.sequence().completeExceptionally(e));
      throw e;
    }
  }

  private void write(List<Post> batch) {
    if (batch.isEmpty()) {
      return;
    }
    List<Long> sequences =
        transactions.execute(status -> {
          jdbc.sql("SELECT pg_advisory_xact_lock(?)").param(LOCK).query((set, n) -> true).single();
          byte[][] blobs = batch.stream().map(Post::blob).toArray(byte[][]::new);
          return jdbc.sql(
                  "INSERT INTO mailbox (blob) SELECT blob FROM unnest(?::bytea[]) WITH ORDINALITY"
                      + " AS t (blob, n) ORDER BY n RETURNING sequence")
              .param(blobs)
              .query(Long.class)
              .list();
        });
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).sequence().complete(sequences.get(i));
    }
  }

  /**
   * Deletes the expired messages in small transactions of their own, so that no post waits for
   * them. Numbers and days grow together: the statement reads the oldest messages by their numbers
   * and needs no index on the day.
   */
  void deleteExpired() {
    int deleted = EXPIRE_BATCH;
    while (deleted == EXPIRE_BATCH && expiry.isRunning()) {
      deleted =
          jdbc.sql(
                  "DELETE FROM mailbox WHERE sequence = ANY (ARRAY(SELECT sequence FROM mailbox"
                      + " ORDER BY sequence LIMIT ?)) AND posted_on < current_date - ?::integer")
              .params(EXPIRE_BATCH, retentionDays)
              .update();
    }
  }

  private static ProtocolException unavailable() {
    return new ProtocolException(
        RejectionCode.UNAVAILABLE, "the message could not be stored; post it again");
  }
}
