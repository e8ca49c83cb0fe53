package io.solidus.edge.gateway.mailbox;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.retrieval.TableTree;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes final tables of the mailbox's messages, one for each bucket that got some, and a list of
 * all buckets' states. Messages become visible in the order of their numbers, so all up to the
 * newest visible number are there, and none is added below it later. An advisory lock serialises
 * the gateways of one database.
 *
 * <p>The first list has no table: what was posted before is in none, and wallets have read it.
 *
 * <p>A list's time says up to when tables are complete. A close takes a bounded number of messages,
 * so a backlog takes several closes, one behind the other without a pause. Only the one that
 * reaches what was there when the interval ended has the time of that end. Each of those before has
 * the time one second after the list before it: its tables hold more than is posted in a second. So
 * wallets see how far tables lag behind, and stop when that is too long. Where more is posted than
 * a table of each second takes, no time is left that would be true; then times go on with the
 * clock, and the metric of what is in no table says how much is missing.
 *
 * <p>The times are those of the database, because a gateway whose clock is ahead would close a list
 * behind which no other gateway's time comes.
 */
@Component
class MailTables implements SmartLifecycle {
  /** How long lists are kept. Wallets and authorities ask for the newest ones. */
  private static final Duration LISTS_KEPT = Duration.ofDays(1);

  /** A longer queue of messages fills the tables of several closes: at most 79 MB are in memory. */
  private static final int MAX_MESSAGES = 65_536;

  private static final long LOCK = 0x6d61696c746162L;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final MailboxStore mailbox;
  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final NetworkId network;
  private final MailTableProperties properties;
  private final int most;
  private final RepeatedJob closing;

  /** The interval whose end the next closes work towards; lost when the process ends. */
  private final AtomicReference<@Nullable End> towards = new AtomicReference<>();

  private final AtomicLong behind = new AtomicLong();

  private record Row(long sequence, int bucket, byte[] blob) {}

  /** The newest list, and the number up to which messages are in tables. */
  private record Newest(MailTableList list, long cut) {}

  /**
   * The end of an interval.
   *
   * @param cut the number of the newest message at that time, or soon afterwards
   */
  private record End(long closed, long cut) {}

  /**
   * A list that waits for signatures.
   *
   * @param signers authorities that have signed it
   */
  record Signable(long closed, String text, Set<Integer> signers) {}

  private record Stored(
      long closed, long first, long last, int records, Digest32 root, MailState before) {}

  @Autowired
  MailTables(
      MailboxStore mailbox,
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      NetworkId network,
      MailTableProperties properties,
      Clock clock,
      MeterRegistry metrics) {
    this(mailbox, jdbc, transactions, network, properties, clock, metrics, MAX_MESSAGES);
  }

  /**
   * @param most messages of one close
   */
  MailTables(
      MailboxStore mailbox,
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      NetworkId network,
      MailTableProperties properties,
      Clock clock,
      MeterRegistry metrics,
      int most) {
    this.mailbox = mailbox;
    this.jdbc = jdbc;
    this.transactions = new TransactionTemplate(transactions);
    this.network = network;
    this.properties = properties;
    this.most = most;
    this.closing =
        RepeatedJob.selfPaced(
            "mailbox-tables",
            () -> close(clock.instant()) ? LONGEST_PAUSE : Duration.ZERO,
            LONGEST_PAUSE,
            LONGEST_PAUSE);
    Gauge.builder("solidus.gateway.mail.tables.behind", behind, AtomicLong::get)
        .description("messages that are in no table yet")
        .register(metrics);
  }

  /**
   * Closes tables of the messages that were there when the newest interval ended, unless that was
   * done.
   *
   * @param now must not be earlier than the newest list; otherwise nothing happens. Later than the
   *     database's clock, that one counts
   * @return whether the newest list is complete up to the end of the newest interval; otherwise the
   *     next close should follow at once
   */
  boolean close(Instant now) {
    try {
      return Boolean.TRUE.equals(
          transactions.execute(status -> {
            jdbc.sql("SELECT pg_advisory_xact_lock(?)")
                .param(LOCK)
                .query((set, n) -> true)
                .single();
            return closeNext(endOfInterval(Math.min(now.getEpochSecond(), databaseTime())));
          }));
    } finally {
      behind.set(messagesInNoTable());
    }
  }

  private long endOfInterval(long seconds) {
    return seconds - seconds % properties.interval().toSeconds();
  }

  private long databaseTime() {
    return jdbc.sql("SELECT floor(extract(epoch FROM clock_timestamp()))::bigint")
        .query(Long.class)
        .single();
  }

  private boolean closeNext(long closed) {
    Optional<Newest> newest = last();
    if (newest.isEmpty()) {
      store(new Newest(new MailTableList(closed, new TreeMap<>()), mailbox.newest()));
      return true;
    }
    long last = newest.get().list().closed();
    if (closed <= last) {
      return true;
    }
    End end = towards(last, closed);
    if (end.closed() < closed
        && last + 1 >= end.closed()
        && nextCut(newest.get().cut()) < end.cut()) {
      end = towardsNow(closed);
    }
    return close(newest.get(), end) && end.closed() == closed;
  }

  private long messagesInNoTable() {
    return jdbc.sql(
            "SELECT greatest(0, (SELECT coalesce(max(sequence), 0) FROM mailbox) - cut)"
                + " FROM mailbox_list ORDER BY closed DESC LIMIT 1")
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /** The end of the interval that the next list is for. */
  private End towards(long last, long closed) {
    End end = towards.get();
    // another gateway may have reached it, and a clock may have gone back
    if (end == null || end.closed() <= last || end.closed() > closed) {
      return towardsNow(closed);
    }
    return end;
  }

  private End towardsNow(long closed) {
    End end = new End(closed, mailbox.newest());
    towards.set(end);
    return end;
  }

  private boolean close(Newest newest, End end) {
    long cut = nextCut(newest.cut());
    boolean whole = cut >= end.cut();
    long closed = whole ? end.closed() : newest.list().closed() + 1;
    if (!whole && closed >= end.closed()) {
      throw new IllegalStateException(
          "more messages than a table of each second takes; no list can say that they are complete");
    }
    close(newest, cut, closed);
    return whole;
  }

  private void close(Newest newest, long cut, long closed) {
    Map<Integer, List<Row>> buckets = new TreeMap<>();
    jdbc.sql(
            "SELECT sequence, bucket, blob FROM mailbox WHERE sequence > ? AND sequence <= ?"
                + " ORDER BY sequence")
        .params(newest.cut(), cut)
        .query((set, n) -> new Row(set.getLong(1), set.getInt(2), set.getBytes(3)))
        .list()
        .forEach(row -> buckets.computeIfAbsent(row.bucket(), any -> new ArrayList<>()).add(row));
    List<MailTable> tables = new ArrayList<>();
    buckets.forEach((bucket, rows) -> {
      MailTable table = table(new MailboxBucket(bucket), closed, rows);
      tables.add(table);
      MailState before = newest.list().state(table.bucket());
      jdbc.sql(
              "INSERT INTO mailbox_table (bucket, closed, first, last, records, root, before,"
                  + " previous) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
          .params(
              bucket,
              closed,
              table.first(),
              rows.getLast().sequence(),
              table.records(),
              table.root().bytes(),
              before.digest().bytes(),
              before.closed())
          .update();
    });
    store(new Newest(newest.list().with(closed, tables), cut));
    int unused =
        jdbc.sql("DELETE FROM mailbox_list WHERE closed < ?")
            .param(closed - LISTS_KEPT.toSeconds())
            .update();
    // a table goes with the first of its messages that expires
    unused =
        jdbc.sql(
                "DELETE FROM mailbox_table WHERE first <"
                    + " (SELECT coalesce(min(sequence), ?) FROM mailbox)")
            .param(Long.MAX_VALUE)
            .update();
  }

  private static MailTable table(MailboxBucket bucket, long closed, List<Row> rows) {
    List<byte[]> blobs = rows.stream().map(Row::blob).toList();
    ByteArrayOutputStream headers = new ByteArrayOutputStream(rows.size() * MailTable.HEADER_BYTES);
    blobs.forEach(blob -> headers.write(blob, 0, MailTable.HEADER_BYTES));
    return new MailTable(
        bucket,
        closed,
        rows.getFirst().sequence(),
        rows.size(),
        Digest32.sha256(headers.toByteArray()),
        TableTree.root(blobs));
  }

  /** The number up to which messages come into the next tables. */
  private long nextCut(long cut) {
    return jdbc.sql(
            "SELECT coalesce(max(sequence), ?) FROM (SELECT sequence FROM mailbox"
                + " WHERE sequence > ? ORDER BY sequence LIMIT ?) AS fresh")
        .params(cut, cut, most)
        .query(Long.class)
        .single();
  }

  private void store(Newest next) {
    jdbc.sql("INSERT INTO mailbox_list (closed, cut, text) VALUES (?, ?, ?)")
        .params(next.list().closed(), next.cut(), next.list().toNoteText(network))
        .update();
  }

  private Optional<Newest> last() {
    return jdbc.sql("SELECT text, cut FROM mailbox_list ORDER BY closed DESC LIMIT 1")
        .query(
            (set, n) -> new Newest(MailTableList.parse(network, set.getString(1)), set.getLong(2)))
        .optional();
  }

  /**
   * The text of the newest list.
   *
   * @throws ProtocolException not-found while there is none
   */
  String newest() {
    return jdbc.sql("SELECT text FROM mailbox_list ORDER BY closed DESC LIMIT 1")
        .query(String.class)
        .optional()
        .orElseThrow(MailTables::none);
  }

  /**
   * The newest lists, the newest first, and the authorities that have signed each.
   *
   * @param most of them
   */
  List<Signable> signable(int most) {
    return jdbc
        .sql("SELECT closed, text FROM mailbox_list ORDER BY closed DESC LIMIT ?")
        .param(most)
        .query((set, n) -> new Signable(set.getLong(1), set.getString(2), Set.of()))
        .list()
        .stream()
        .map(list -> new Signable(list.closed(), list.text(), signers(list.closed())))
        .toList();
  }

  /** The authorities that have signed the list of a time. */
  Set<Integer> signers(long closed) {
    return Set.copyOf(
        jdbc.sql("SELECT authority FROM mailbox_countersignature WHERE closed = ?")
            .param(closed)
            .query(Integer.class)
            .list());
  }

  /** Stores an authority's signature on a list; the first one counts. */
  void addSignature(long closed, int authority, SignedNote signed) {
    int unused =
        jdbc.sql(
                "INSERT INTO mailbox_countersignature (closed, authority, note)"
                    + " VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
            .params(closed, authority, signed.encode())
            .update();
  }

  /** The time of the newest list that so many authorities have signed; empty without one. */
  Optional<Long> signedByEnough(int enough) {
    return jdbc.sql(
            "SELECT closed FROM mailbox_countersignature GROUP BY closed HAVING count(*) >= ?"
                + " ORDER BY closed DESC LIMIT 1")
        .param(enough)
        .query(Long.class)
        .optional();
  }

  /** The newest list that so many authorities have signed, with all of their signatures. */
  Optional<SignedNote> countersigned(int enough) {
    return jdbc
        .sql(
            "SELECT note FROM mailbox_countersignature WHERE closed = (SELECT closed FROM"
                + " mailbox_countersignature GROUP BY closed HAVING count(*) >= ?"
                + " ORDER BY closed DESC LIMIT 1) ORDER BY authority")
        .param(enough)
        .query(String.class)
        .list()
        .stream()
        .map(SignedNote::parse)
        .reduce((all, one) -> all.with(one.signatures().getFirst()));
  }

  /**
   * The headers of a bucket's tables.
   *
   * @param after tables that closed later than this
   * @param upto and not later than this, which must be the time of a list
   * @throws ProtocolException not-found for another time; unavailable when the tables expire
   *     meanwhile
   */
  HeaderPage headers(MailboxBucket bucket, long after, long upto) {
    requireList(upto);
    List<Stored> tables = new ArrayList<>();
    long reached = upto;
    int messages = 0;
    for (Stored each : tables(bucket, after, upto)) {
      if (!tables.isEmpty()
          && (tables.size() == HeaderPage.MAX_TABLES
              || messages + each.records() > HeaderPage.MAX_HEADERS)) {
        reached = tables.getLast().closed();
        break;
      }
      tables.add(each);
      messages += each.records();
    }
    if (tables.isEmpty()) {
      return new HeaderPage(MailState.NONE, reached, List.of());
    }
    List<byte[]> headers =
        jdbc.sql(
                "SELECT substring(blob FROM 1 FOR ?) FROM mailbox WHERE bucket = ?"
                    + " AND sequence BETWEEN ? AND ? ORDER BY sequence")
            .params(
                MailTable.HEADER_BYTES,
                bucket.number(),
                tables.getFirst().first(),
                tables.getLast().last())
            .query((set, n) -> Objects.requireNonNull(set.getBytes(1)))
            .list();
    if (headers.size() != messages) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "these tables expire at this moment; ask again");
    }
    List<HeaderPage.Table> page = new ArrayList<>();
    int from = 0;
    for (Stored each : tables) {
      page.add(
          new HeaderPage.Table(
              each.closed(),
              each.first(),
              each.root(),
              headers.subList(from, from + each.records())));
      from += each.records();
    }
    return new HeaderPage(tables.getFirst().before(), reached, page);
  }

  private List<Stored> tables(MailboxBucket bucket, long after, long upto) {
    return jdbc.sql(
            "SELECT closed, first, last, records, root, before, previous FROM mailbox_table"
                + " WHERE bucket = ? AND closed > ? AND closed <= ? ORDER BY closed LIMIT ?")
        .params(bucket.number(), after, upto, HeaderPage.MAX_TABLES + 1)
        .query((set, n) ->
            new Stored(
                set.getLong(1),
                set.getLong(2),
                set.getLong(3),
                set.getInt(4),
                Digest32.of(set.getBytes(5)),
                new MailState(set.getLong(7), Digest32.of(set.getBytes(6)))))
        .list();
  }

  /**
   * Messages in a bucket's tables, in the order of their numbers.
   *
   * @param after with numbers above this
   * @param upto of tables that closed at this time or before, which must be the time of a list
   * @throws ProtocolException not-found for another time
   */
  List<BucketPage.Message> records(MailboxBucket bucket, long after, long upto, int limit) {
    requireList(upto);
    Optional<Long> last =
        jdbc.sql(
                "SELECT last FROM mailbox_table WHERE bucket = ? AND closed <= ?"
                    + " ORDER BY closed DESC LIMIT 1")
            .params(bucket.number(), upto)
            .query(Long.class)
            .optional();
    return last.isEmpty()
        ? Collections.emptyList()
        : jdbc.sql(
                "SELECT sequence, blob FROM mailbox WHERE bucket = ? AND sequence > ?"
                    + " AND sequence <= ? ORDER BY sequence LIMIT ?")
            .params(bucket.number(), after, last.get(), limit)
            .query((set, n) -> new BucketPage.Message(set.getLong(1), set.getBytes(2)))
            .list();
  }

  private void requireList(long closed) {
    boolean known =
        jdbc.sql("SELECT EXISTS (SELECT FROM mailbox_list WHERE closed = ?)")
            .param(closed)
            .query(Boolean.class)
            .single();
    if (!known) {
      throw none();
    }
  }

  private static ProtocolException none() {
    return new ProtocolException(
        RejectionCode.NOT_FOUND, "this gateway has no list of mail tables of this time");
  }

  @Override
  public void start() {
    if (properties.isOn()) {
      closing.start();
    }
  }

  @Override
  public void stop() {
    closing.stop();
  }

  @Override
  public boolean isRunning() {
    return closing.isRunning();
  }
}
