package io.solidus.edge.gateway.mailbox;

import com.google.protobuf.ByteString;
import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.solidus.wire.v1.PostedMessage;
import io.solidus.wire.v1.PullReply;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
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
  private final TaggedMail tagged;
  private final long retentionDays;
  private final BlockingQueue<Post> posts = new ArrayBlockingQueue<>(QUEUE);
  private final RepeatedJob writer = new RepeatedJob("mailbox-writer", PAUSE, this::writeBatch);
  private final RepeatedJob expiry =
      new RepeatedJob("mailbox-expiry", EXPIRE_EVERY, this::deleteExpired);

  /**
   * A message to be stored.
   *
   * @param key digest of the poster's Idempotency-Key; null without one
   * @param digest SHA-256 of the message
   * @param tag by which its payee waits for it; null without one
   */
  private record Post(
      byte[] blob,
      MailboxBucket bucket,
      @Nullable MailTag tag,
      @Nullable Digest32 key,
      Digest32 digest,
      CompletableFuture<Long> sequence) {}

  /** The message that was stored first under a key. */
  private record First(Digest32 digest, long sequence) {}

  /**
   * A stored message.
   *
   * @param blob base64url
   */
  record Entry(@Member(min = 1) long sequence, @Member(bytes = 1200) String blob) {}

  /**
   * Messages in the order of their numbers.
   *
   * @param digestAt SHA-256 of the message before them, at which the reader is, base64url; null
   *     when there is none
   */
  record Range(List<Entry> entries, @Nullable String digestAt) {}

  private record Row(long sequence, byte[] blob) {}

  private record Newest(long sequence, Digest32 digest) {}

  MailboxStore(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      TaggedMail tagged,
      GatewayProperties properties) {
    this.jdbc = jdbc;
    this.tagged = tagged;
    this.transactions = new TransactionTemplate(transactions);
    this.retentionDays = properties.mailboxRetention().toDays();
  }

  /** As {@link #post(byte[], MailboxBucket, MailTag, Optional)}, without a tag. */
  long post(byte[] blob, MailboxBucket bucket, Optional<IdempotencyKey> key) {
    return post(blob, bucket, null, key);
  }

  /**
   * Stores a message durably, and once for each key.
   *
   * @param bucket in which its reader looks for it
   * @param tag by which its reader waits for it as well; null for none
   * @return its sequence number, or that of the same message that came with this key before
   * @throws ProtocolException idempotency-mismatch when another message came with this key before,
   *     overloaded when the queue is full, unavailable when the message could not be stored within
   *     ten seconds
   */
  long post(
      byte[] blob, MailboxBucket bucket, @Nullable MailTag tag, Optional<IdempotencyKey> key) {
    Post post =
        new Post(
            blob,
            bucket,
            tag,
            key.map(IdempotencyKey::digest).orElse(null),
            Digest32.sha256(blob),
            new CompletableFuture<>());
    if (!posts.offer(post)) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "the mailbox is busy; try again shortly");
    }
    try {
      return post.sequence().get(POST_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ProtocolException refusal ? refusal : unavailable();
    } catch (TimeoutException e) {
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

  /**
   * At most {@code limit} messages for readers of this bucket, with sequence numbers above {@code
   * after}, ascending, and how far they reach.
   */
  BucketPage read(MailboxBucket bucket, long after, int limit) {
    Newest newest = last(); // before the messages: all up to it are visible then
    List<BucketPage.Message> messages =
        bucket.isWhole()
            ? jdbc.sql(
                    "SELECT sequence, blob FROM mailbox WHERE sequence > ? AND sequence <= ?"
                        + " ORDER BY sequence LIMIT ?")
                .params(after, newest.sequence(), limit)
                .query(MailboxStore::message)
                .list()
            : jdbc.sql(
                    "SELECT sequence, blob FROM mailbox WHERE sequence = ANY (ARRAY("
                        + "SELECT sequence FROM unnest(?::integer[]) AS t (node) CROSS JOIN LATERAL"
                        + " (SELECT sequence FROM mailbox WHERE bucket = node AND sequence > ?"
                        + " AND sequence <= ? ORDER BY sequence LIMIT ?) AS of_node"
                        + " ORDER BY sequence LIMIT ?)) ORDER BY sequence")
                .params(bucket.read(), after, newest.sequence(), limit, limit)
                .query(MailboxStore::message)
                .list();
    Digest32 at = after == 0 ? BucketPage.NONE : digestOf(after);
    if (messages.size() == limit) {
      BucketPage.Message last = messages.getLast();
      return new BucketPage(at, last.sequence(), Digest32.sha256(last.blob()), messages);
    }
    return newest.sequence() > after
        ? new BucketPage(at, newest.sequence(), newest.digest(), messages)
        : new BucketPage(at, after, at, messages);
  }

  private static BucketPage.Message message(ResultSet set, int row) throws SQLException {
    return new BucketPage.Message(set.getLong(1), set.getBytes(2));
  }

  private Newest last() {
    return jdbc.sql("SELECT sequence, sha256(blob) FROM mailbox ORDER BY sequence DESC LIMIT 1")
        .query((set, n) -> new Newest(set.getLong(1), Digest32.of(set.getBytes(2))))
        .optional()
        .orElse(new Newest(0, BucketPage.NONE));
  }

  private Digest32 digestOf(long sequence) {
    return jdbc.sql("SELECT sha256(blob) FROM mailbox WHERE sequence = ?")
        .param(sequence)
        .query((set, n) -> Digest32.of(set.getBytes(1)))
        .optional()
        .orElse(BucketPage.NONE);
  }

  /**
   * Messages that were posted here and not pulled from a peer.
   *
   * @param limit of the messages of any origin that are looked at, so that a page costs the same
   *     wherever they come from
   */
  PullReply posted(long after, int limit) {
    Digest32 at = after == 0 ? BucketPage.NONE : digestOf(after);
    PullReply.Builder page = PullReply.newBuilder().setAt(bytes(at)).setNext(after);
    jdbc.sql(
            "SELECT sequence, bucket, CASE WHEN NOT pulled THEN blob END FROM mailbox"
                + " WHERE sequence > ? ORDER BY sequence LIMIT ?")
        .params(after, limit)
        .query(set -> {
          byte[] blob = set.getBytes(3);
          page.setNext(set.getLong(1));
          if (blob != null) {
            page.addMessages(
                PostedMessage.newBuilder()
                    .setSequence(set.getLong(1))
                    .setBucket(set.getInt(2))
                    .setBlob(ByteString.copyFrom(blob)));
          }
        });
    return page.getNext() == after
        ? page.build()
        : page.setDigest(bytes(digestOf(page.getNext()))).build();
  }

  private static ByteString bytes(Digest32 digest) {
    return digest.equals(BucketPage.NONE) ? ByteString.EMPTY : ByteString.copyFrom(digest.bytes());
  }

  /**
   * Lets no other writer take numbers until the transaction ends, so that messages become visible
   * in their order.
   */
  void lock() {
    jdbc.sql("SELECT pg_advisory_xact_lock(?)").param(LOCK).query((set, n) -> true).single();
  }

  /** Stores messages of a peer; the caller holds the lock. */
  void insertPulled(List<PulledPage.Message> messages) {
    if (messages.isEmpty()) {
      return;
    }
    byte[][] blobs = messages.stream().map(PulledPage.Message::blob).toArray(byte[][]::new);
    int[] buckets = messages.stream().mapToInt(message -> message.bucket().number()).toArray();
    int stored =
        jdbc.sql(
                "INSERT INTO mailbox (blob, bucket, pulled) SELECT blob, bucket, true"
                    + " FROM unnest(?::bytea[], ?::integer[]) WITH ORDINALITY"
                    + " AS t (blob, bucket, n) ORDER BY n")
            .params(blobs, buckets)
            .update();
    if (stored != messages.size()) {
      throw new IllegalStateException("not every message of a peer was stored");
    }
  }

  /** The number of the newest message; 0 when there is none. */
  long newest() {
    return jdbc.sql("SELECT coalesce(max(sequence), 0) FROM mailbox").query(Long.class).single();
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
    Map<Post, First> answers =
        Objects.requireNonNull(transactions.execute(status -> answers(batch)));
    answers.forEach((post, first) -> {
      if (first.digest().equals(post.digest())) {
        post.sequence().complete(first.sequence());
      } else {
        post.sequence().completeExceptionally(IdempotencyKey.usedForAnother());
      }
    });
  }

  /** Stores what is new. The lock is held, so no other writer stores under these keys. */
  private Map<Post, First> answers(List<Post> batch) {
    lock();
    Map<Digest32, First> known = firsts(batch);
    Map<Post, First> answers = new HashMap<>();
    List<Post> fresh = new ArrayList<>(batch.size());
    Set<Digest32> keys = new HashSet<>();
    for (Post post : batch) {
      if (post.key() == null || (!known.containsKey(post.key()) && keys.add(post.key()))) {
        fresh.add(post);
      }
    }
    List<Long> sequences = insert(fresh);
    for (int i = 0; i < fresh.size(); i++) {
      Post post = fresh.get(i);
      First first = new First(post.digest(), sequences.get(i));
      answers.put(post, first);
      if (post.key() != null) {
        known.put(post.key(), first);
      }
    }
    remember(fresh.stream().filter(post -> post.key() != null).toList(), answers);
    addTags(fresh, sequences);
    for (Post post : batch) {
      if (post.key() != null) {
        answers.put(post, Objects.requireNonNull(known.get(post.key())));
      }
    }
    return answers;
  }

  /**
   * A key whose message the mailbox has lost counts as new: the poster has to be able to repair.
   */
  private Map<Digest32, First> firsts(List<Post> batch) {
    Map<Digest32, First> known = new HashMap<>();
    byte[][] keys = column(batch, Post::key);
    if (keys.length > 0) {
      jdbc.sql(
              "SELECT key, mailbox_post.blob, sequence FROM mailbox_post JOIN mailbox"
                  + " USING (sequence) WHERE key = ANY (?::bytea[])"
                  + " AND mailbox_post.blob = sha256(mailbox.blob)")
          .param(keys)
          .query(set -> {
            known.put(
                Digest32.of(set.getBytes(1)),
                new First(Digest32.of(set.getBytes(2)), set.getLong(3)));
          });
    }
    return known;
  }

  private List<Long> insert(List<Post> fresh) {
    if (fresh.isEmpty()) {
      return List.of();
    }
    byte[][] blobs = fresh.stream().map(Post::blob).toArray(byte[][]::new);
    int[] buckets = fresh.stream().mapToInt(post -> post.bucket().number()).toArray();
    return jdbc.sql(
            "INSERT INTO mailbox (blob, bucket) SELECT blob, bucket"
                + " FROM unnest(?::bytea[], ?::integer[]) WITH ORDINALITY"
                + " AS t (blob, bucket, n) ORDER BY n RETURNING sequence")
        .params(blobs, buckets)
        .query(Long.class)
        .list();
  }

  private void addTags(List<Post> fresh, List<Long> sequences) {
    List<MailTag> tags = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < fresh.size(); i++) {
      MailTag tag = fresh.get(i).tag();
      if (tag != null) {
        tags.add(tag);
        numbers.add(sequences.get(i));
      }
    }
    tagged.add(tags, numbers);
  }

  private void remember(List<Post> keyed, Map<Post, First> answers) {
    if (keyed.isEmpty()) {
      return;
    }
    Long[] sequences =
        keyed.stream()
            .map(post -> Objects.requireNonNull(answers.get(post)).sequence())
            .toArray(Long[]::new);
    int stored =
        jdbc.sql(
                "INSERT INTO mailbox_post (key, blob, sequence)"
                    + " SELECT * FROM unnest(?::bytea[], ?::bytea[], ?::bigint[])"
                    + " ON CONFLICT (key) DO UPDATE SET blob = excluded.blob,"
                    + " sequence = excluded.sequence, posted_on = excluded.posted_on")
            .params(column(keyed, Post::key), column(keyed, Post::digest), sequences)
            .update();
    if (stored != keyed.size()) {
      throw new IllegalStateException("not every key of the mailbox was stored");
    }
  }

  /** The digests that are there, as an array for SQL. */
  private static byte[][] column(List<Post> posts, Function<Post, @Nullable Digest32> of) {
    return posts.stream()
        .map(of)
        .filter(Objects::nonNull)
        .map(Digest32::bytes)
        .toArray(byte[][]::new);
  }

  /**
   * Deletes the expired messages in small transactions of their own, so that no post waits for
   * them. Numbers and days grow together: the statement reads the oldest messages by their numbers
   * and needs no index on the day. Deletes the keys of earlier days as well.
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
    deleted = EXPIRE_BATCH;
    while (deleted == EXPIRE_BATCH && expiry.isRunning()) {
      deleted =
          jdbc.sql(
                  "DELETE FROM mailbox_post WHERE key = ANY (ARRAY(SELECT key FROM mailbox_post"
                      + " WHERE posted_on < current_date - ?::integer LIMIT ?))")
              .params(MailboxLimits.KEY_DAYS, EXPIRE_BATCH)
              .update();
    }
  }

  private static ProtocolException unavailable() {
    return new ProtocolException(
        RejectionCode.UNAVAILABLE, "the message could not be stored; post it again");
  }
}
