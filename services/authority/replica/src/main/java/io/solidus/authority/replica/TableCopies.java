package io.solidus.authority.replica;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.retrieval.QueryShare;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.retrieval.TableTree;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of the last day, in memory, or those of 90 days on disk. One thread follows the
 * gateway's lists; any number of threads read what it has published. A list that does not continue
 * the one before is refused, so an authority never answers for two tables of one time.
 */
final class TableCopies {
  /**
   * A query is for the 24 hours before a list, and the list may be an hour old when it is asked.
   */
  private static final Duration KEPT = Duration.ofHours(25);

  private static final int BLOB_BYTES = 1200;
  private static final Logger log = LoggerFactory.getLogger(TableCopies.class);

  /** The most lists that are signed at once; 5 hours of a gateway's usual ones. */
  static final int MOST_LISTS = 64;

  private final long maxBytes;
  private final boolean earlierDays;

  /** Null when tables are in memory. */
  private final @Nullable TableFiles files;

  private volatile Copies current = new Copies(null, Long.MAX_VALUE, Map.of());

  /**
   * A table.
   *
   * @param state of its bucket after it
   * @param stored where it is on disk; null in memory
   */
  private record Copy(
      long closed, MailState state, RetrievalTable table, TableFiles.@Nullable Stored stored) {}

  /** A table of a chain, and its bucket's state after it. */
  private record Link(MailTable table, MailState before) {
    MailState after() {
      return table.after(before);
    }
  }

  /** When a table closed, and how many messages it has. */
  private record Size(long closed, int records) {
    static Size of(MailTable table) {
      return new Size(table.closed(), table.records());
    }

    static Size of(Copy copy) {
      return new Size(copy.closed(), copy.table().records());
    }
  }

  /** All tables of a time, which nobody changes. */
  private record Copies(
      @Nullable MailTableList list, long since, Map<Integer, List<Copy>> buckets) {}

  /**
   * @param maxBytes of the messages of all tables
   */
  TableCopies(long maxBytes) {
    this.maxBytes = maxBytes;
    this.earlierDays = false;
    this.files = null;
  }

  /**
   * Goes on with the tables that are on disk.
   *
   * @param maxBytes of all files
   * @param earlierDays whether queries for days before the last one are answered
   */
  TableCopies(long maxBytes, TableFiles files, boolean earlierDays) {
    this.maxBytes = maxBytes;
    this.earlierDays = earlierDays;
    this.files = files;
    files.list().ifPresent(list -> current = stored(list, files));
  }

  private static Copies stored(MailTableList list, TableFiles files) {
    long from = list.closed() - KEPT.toSeconds();
    Map<Integer, List<Copy>> buckets = new HashMap<>();
    for (int number = 1; number <= MailboxBucket.MAX; number++) {
      List<TableFiles.Stored> its =
          files.tables(new MailboxBucket(number), Math.max(0, from), list.closed());
      if (!its.isEmpty()) {
        buckets.put(number, its.stream().map(each -> copy(each, files)).toList());
      }
    }
    return new Copies(list, Math.max(from, files.since()), buckets);
  }

  private static Copy copy(TableFiles.Stored stored, TableFiles files) {
    return new Copy(stored.table().closed(), stored.after(), files.table(stored), stored);
  }

  /** The time of the newest list that is here; 0 without one. */
  long closed() {
    MailTableList list = current.list();
    return list == null ? 0 : list.closed();
  }

  /** Tables that closed later than this are here. */
  long since() {
    return current.since();
  }

  /** Seconds before the newest list, of which all tables are here; 0 without a list. */
  long reach() {
    Copies copies = current;
    return copies.list() == null
        ? 0
        : copies.list().closed() - (files == null ? copies.since() : files.since());
  }

  /** The bytes of all tables. */
  long bytes() {
    return files != null ? files.bytes() : inMemory();
  }

  private long inMemory() {
    return current.buckets().values().stream()
        .flatMap(List::stream)
        .mapToLong(TableCopies::bytes)
        .sum();
  }

  /**
   * Takes on the tables of a later list.
   *
   * @return the lists since the one before at whose time a table closed, and this one; the newest
   *     of them, where there are many. They follow from the tables, so there is one of each time
   * @throws ProtocolException when the pages are not those of the list, or the list does not
   *     continue the one that is here; nothing has changed then
   */
  List<MailTableList> follow(MailTableList list, TablePages pages) {
    Copies now = current;
    long from =
        now.list() == null ? Math.max(0, list.closed() - KEPT.toSeconds()) : now.list().closed();
    if (now.list() != null && list.closed() <= now.list().closed()) {
      throw refused("a list of the mailbox's tables is not later than the one before");
    }
    Map<MailboxBucket, List<Link>> fresh = new LinkedHashMap<>();
    for (int number = 1; number <= MailboxBucket.MAX; number++) {
      MailboxBucket bucket = new MailboxBucket(number);
      MailState before = now.list() == null ? MailState.NONE : now.list().state(bucket);
      if (!before.equals(list.state(bucket))) {
        fresh.put(bucket, chain(bucket, from, list, now.list() == null ? null : before, pages));
      }
    }
    long fits = fits(fresh.values().stream().flatMap(List::stream).map(Link::table).map(Size::of));
    if (fits >= list.closed()) {
      throw full("the tables of one time are longer than the replica may keep");
    }
    Map<MailboxBucket, List<Link>> kept = new LinkedHashMap<>();
    fresh.forEach((bucket, tables) ->
        kept.put(bucket, tables.stream().filter(each -> each.table().closed() > fits).toList()));
    long begin = now.list() == null ? from : now.since();
    long since = Math.max(Math.max(begin, list.closed() - KEPT.toSeconds()), fits);
    current =
        files == null
            ? bounded(new Copies(list, since, added(now, kept, list, pages, null)))
            : stored(now, kept, list, Math.max(now.list() == null ? from : 0, fits), pages, files);
    return now.list() == null ? List.of(list) : between(now.list(), fresh.values(), list);
  }

  private static List<MailTableList> between(
      MailTableList before, Collection<List<Link>> chains, MailTableList list) {
    SortedMap<Long, List<MailTable>> times = new TreeMap<>();
    chains.stream()
        .flatMap(List::stream)
        .map(Link::table)
        .filter(each -> each.closed() < list.closed())
        .forEach(each -> times.computeIfAbsent(each.closed(), any -> new ArrayList<>()).add(each));
    Deque<MailTableList> lists = new ArrayDeque<>();
    MailTableList last = before;
    for (Map.Entry<Long, List<MailTable>> each : times.entrySet()) {
      last = last.with(each.getKey(), each.getValue());
      lists.addLast(last);
      if (lists.size() == MOST_LISTS) {
        lists.removeFirst();
      }
    }
    lists.addLast(list);
    return List.copyOf(lists);
  }

  /**
   * Writes tables down before anything counts: a list is signed only when its tables are on disk.
   *
   * @param from no table that closed before is among the fresh ones, or in an empty folder
   */
  private Copies stored(
      Copies now,
      Map<MailboxBucket, List<Link>> fresh,
      MailTableList list,
      long from,
      TablePages pages,
      TableFiles into) {
    // what a list before could not take back
    into.rollback();
    if (now.list() == null) {
      into.clearAfter(from);
    }
    long more =
        fresh.values().stream()
            .flatMap(List::stream)
            .mapToLong(each -> bytes(each.table().records()))
            .sum();
    long room = into.room(maxBytes);
    long here = into.expire(list.closed(), room - more);
    if (into.bytes() + more > room) {
      throw full(
          "the newest tables are longer than solidus.replica.disk, or than the disk has room");
    }
    Map<Integer, List<Copy>> buckets;
    long since = now.list() == null ? from : Math.max(from, here);
    try {
      buckets = added(now, fresh, list, pages, into);
      into.commit(list, since);
    } catch (RuntimeException e) {
      try {
        into.rollback();
      } catch (UncheckedIOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
    long kept = Math.max(since, list.closed() - KEPT.toSeconds());
    return new Copies(list, kept, later(buckets, kept));
  }

  private static Map<Integer, List<Copy>> added(
      Copies now,
      Map<MailboxBucket, List<Link>> fresh,
      MailTableList list,
      TablePages pages,
      @Nullable TableFiles into) {
    Map<Integer, List<Copy>> buckets = new HashMap<>(now.buckets());
    fresh.forEach((bucket, tables) -> {
      List<Copy> copies = new ArrayList<>(buckets.getOrDefault(bucket.number(), List.of()));
      for (Link each : tables) {
        List<byte[]> blobs = records(each.table(), list.closed(), pages);
        copies.add(
            into == null
                ? new Copy(each.table().closed(), each.after(), new RetrievalTable(blobs), null)
                : copy(into.append(each.table(), each.before(), blobs), into));
      }
      buckets.put(bucket.number(), copies);
    });
    return buckets;
  }

  /**
   * The time after which tables fit, the newest first; 0 when all do. A replica that was away reads
   * many at once and keeps the same as one that was there.
   */
  private long fits(Stream<Size> tables) {
    long bytes = 0;
    for (Size each : tables.sorted(Comparator.comparingLong(Size::closed).reversed()).toList()) {
      bytes += bytes(each.records());
      if (bytes > maxBytes) {
        return each.closed();
      }
    }
    return 0;
  }

  /**
   * The tables of a bucket up to a list, which follow from its state and lead to that of the list.
   * Only headers are read here: nothing else counts before the chain is whole.
   */
  private static List<Link> chain(
      MailboxBucket bucket,
      long from,
      MailTableList list,
      @Nullable MailState known,
      TablePages pages) {
    MailState wanted = list.state(bucket);
    if (wanted.equals(MailState.NONE)) {
      throw refused("a bucket of the mailbox has no table any more");
    }
    List<Link> tables = new ArrayList<>();
    MailState state = known;
    long reached = from;
    while (reached < list.closed()) {
      TablePages.Headers page = pages.headers(bucket, reached, list.closed());
      if (page.reached() <= reached || page.reached() > list.closed()) {
        throw refused("a page of headers does not go on");
      }
      for (TablePages.Table each : page.tables()) {
        if (each.closed() <= reached || each.closed() > page.reached()) {
          throw refused("a page of headers has tables of other times");
        }
        reached = each.closed();
        MailTable table =
            new MailTable(
                bucket,
                each.closed(),
                each.first(),
                each.records(),
                Digest32.sha256(each.headers()),
                each.root());
        if (state == null) {
          state = page.before();
          if (state.closed() > from) {
            throw refused("the first tables of a bucket are left out");
          }
        }
        tables.add(new Link(table, state));
        state = table.after(state);
      }
      reached = page.reached();
    }
    if (state == null ? wanted.closed() > from : !state.equals(wanted)) {
      throw refused("the tables of a bucket are not those of the list");
    }
    return tables;
  }

  private static List<byte[]> records(MailTable table, long upto, TablePages pages) {
    List<byte[]> blobs = new ArrayList<>(table.records());
    ByteArrayOutputStream headers =
        new ByteArrayOutputStream(table.records() * MailTable.HEADER_BYTES);
    long place = table.first() - 1;
    while (blobs.size() < table.records()) {
      List<TablePages.Message> page = pages.records(table.bucket(), place, upto);
      if (page.isEmpty()) {
        throw refused("a table has fewer messages than its list says");
      }
      for (TablePages.Message each : page) {
        if (each.number() <= place || each.blob().length != BLOB_BYTES) {
          throw refused("the numbers of a table's messages do not grow");
        }
        if (blobs.size() < table.records()) {
          place = each.number();
          blobs.add(each.blob());
          headers.write(each.blob(), 0, MailTable.HEADER_BYTES);
        }
      }
    }
    if (!Digest32.sha256(headers.toByteArray()).equals(table.headers())
        || !TableTree.root(blobs).equals(table.root())) {
      throw refused("the messages of a table are not those of its list");
    }
    return blobs;
  }

  /** Without tables that are too old, and without the oldest ones that do not fit. */
  private Copies bounded(Copies copies) {
    long oldest =
        Math.max(
            copies.since(),
            fits(copies.buckets().values().stream().flatMap(List::stream).map(Size::of)));
    return new Copies(copies.list(), oldest, later(copies.buckets(), oldest));
  }

  private static Map<Integer, List<Copy>> later(Map<Integer, List<Copy>> buckets, long than) {
    Map<Integer, List<Copy>> kept = new HashMap<>();
    buckets.forEach((bucket, tables) -> {
      List<Copy> rest = tables.stream().filter(each -> each.closed() > than).toList();
      if (!rest.isEmpty()) {
        kept.put(bucket, rest);
      }
    });
    return kept;
  }

  private static long bytes(Copy copy) {
    return bytes(copy.table().records());
  }

  /** A table fills its last group of four records. */
  private static long bytes(int records) {
    return (records + 3L) / 4 * 4 * BLOB_BYTES;
  }

  /**
   * The answers to shares of queries. Every message of the tables that they name is read, and once
   * where several name it.
   *
   * @return in the order of the queries; unavailable when these tables are not here, or are others;
   *     malformed-request for a share of another length
   */
  List<AnswerQueue.Outcome> answers(List<MailQuery> queries) {
    AnswerQueue.Outcome[] outcomes = new AnswerQueue.Outcome[queries.size()];
    List<RetrievalWindow.Asked> asked = new ArrayList<>();
    List<Integer> whose = new ArrayList<>();
    for (int i = 0; i < outcomes.length; i++) {
      try {
        asked.add(asked(queries.get(i)));
        whose.add(i);
      } catch (ProtocolException e) {
        outcomes[i] = AnswerQueue.Outcome.refused(e);
      } catch (UncheckedIOException e) {
        // a day that is deleted at this moment, or a broken disk
        outcomes[i] = AnswerQueue.Outcome.refused(missing());
      }
    }
    try {
      List<byte[]> answers = RetrievalWindow.answers(asked);
      for (int i = 0; i < answers.size(); i++) {
        outcomes[whose.get(i)] = AnswerQueue.Outcome.of(answers.get(i));
      }
    } catch (UncheckedIOException e) {
      // a file that fails takes nothing from queries that do not need it
      for (int i = 0; i < asked.size(); i++) {
        outcomes[whose.get(i)] = alone(asked.get(i));
      }
    }
    return List.of(outcomes);
  }

  private static AnswerQueue.Outcome alone(RetrievalWindow.Asked query) {
    try {
      return AnswerQueue.Outcome.of(RetrievalWindow.answers(List.of(query)).getFirst());
    } catch (UncheckedIOException e) {
      return AnswerQueue.Outcome.refused(missing());
    }
  }

  /** Reads tables that were found damaged from the gateway again, as far as that works now. */
  void repair(TablePages pages) {
    if (files == null) {
      return;
    }
    for (TableFiles.Stored each : files.damaged()) {
      try {
        files.repair(each, records(each.table(), closed(), pages));
      } catch (RefusedListException | UncheckedIOException e) {
        log.warn("a damaged table is not read from the gateway again: {}", e.getMessage());
      } catch (ProtocolException e) {
        // nor are the others now
        log.warn("a damaged table is not read from the gateway again: {}", e.getMessage());
        return;
      }
    }
  }

  private RetrievalWindow.Asked asked(MailQuery query) {
    List<Copy> tables = named(query);
    if (files != null && !files.areWhole(stored(tables))) {
      throw missing();
    }
    return new RetrievalWindow(tables.stream().map(Copy::table).toList())
        .ask(QueryShare.decode(query.share()));
  }

  private static List<TableFiles.Stored> stored(List<Copy> tables) {
    return tables.stream().map(Copy::stored).filter(Objects::nonNull).toList();
  }

  /** All tables that a query names, and no other. */
  private List<Copy> named(MailQuery query) {
    Copies copies = current;
    if (copies.list() == null || query.upto() > copies.list().closed()) {
      throw missing();
    }
    List<Copy> tables =
        query.after() < copies.since()
            ? ofEarlierDays(query)
            : copies.buckets().getOrDefault(query.bucket().number(), List.of()).stream()
                .filter(each -> each.closed() > query.after() && each.closed() <= query.upto())
                .toList();
    if (tables.isEmpty() || !tables.getLast().state().digest().equals(query.state())) {
      throw missing();
    }
    return tables;
  }

  /**
   * A query for an earlier day. That no table is missing follows from the tables themselves: each
   * names the one before it. A share of 33 bytes may name any time, so the time is bounded.
   */
  private List<Copy> ofEarlierDays(MailQuery query) {
    if (files == null || !earlierDays || query.upto() - query.after() > KEPT.toSeconds()) {
      throw missing();
    }
    List<TableFiles.Stored> tables;
    try {
      tables = files.tables(query.bucket(), query.after(), query.upto());
    } catch (UncheckedIOException e) {
      throw missing();
    }
    if (tables.isEmpty()
        || tables.getFirst().state().closed() > query.after()
        || !TableFiles.isChain(tables)) {
      throw missing();
    }
    return tables.stream().map(each -> copy(each, files)).toList();
  }

  private static ProtocolException missing() {
    return new ProtocolException(
        RejectionCode.UNAVAILABLE, "this authority does not have these tables");
  }

  private static ProtocolException refused(String detail) {
    return new RefusedListException(RefusedListException.Reason.TABLES, detail);
  }

  private static ProtocolException full(String detail) {
    return new RefusedListException(RefusedListException.Reason.FULL, detail);
  }
}
