package io.solidus.wallet.mailbox;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.retrieval.RetrievalQuery;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.MailPlace;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a wallet's mail so that no gateway, and no f authorities beside it, learn which messages
 * are the wallet's. It reads the headers of its bucket, which every wallet of the bucket does, and
 * asks f+1 authorities for the bodies, whether or not there is mail, as often as its {@link
 * QuerySchedule} says. What is in other nodes of the tree, or older than a replica's tables, it
 * reads whole. What goes wrong changes nothing that the others see: a body that did not come takes
 * the place of a random one at a later time.
 */
public final class PrivateMailbox {
  /** An older list is none: replicas do not answer for it, and newer mail would be withheld. */
  public static final Duration LONGEST_AGE = Duration.ofHours(1);

  private static final Duration WINDOW = Duration.ofDays(1);

  /**
   * Of the headers of one bucket in a reading: 90 days have 281 among two million messages a day.
   */
  private static final int MAX_PAGES = 1_000;

  private static final byte VERSION = 1;

  private final NetworkId network;
  private final int quorum;
  private final int servers;
  private final List<MailReplica> replicas;
  private final MailboxBucket bucket;
  private final ParcelCipher parcels;
  private final HpkePrivateKey key;
  private final SecureRandom random;

  /**
   * What a reading brought.
   *
   * @param kept those of the messages that were read whole that may be this wallet's, or that it
   *     posted
   * @param overdue headers of messages that wait no longer although no body of theirs was read:
   *     they are in tables, and a query can reach them no more; not those under which queries
   *     brought other bodies than this wallet posted
   */
  public record Reading(MailPlace place, List<byte[]> kept, Set<Digest32> overdue) {
    public Reading {
      kept = List.copyOf(kept);
      overdue = Set.copyOf(overdue);
    }
  }

  /** A body with the header that was asked for. */
  private record Came(MailPlace.Waiting wanted, byte[] body) {}

  /** What queries brought, unopened. */
  public static final class Asked {
    private final MailPlace place;
    private final List<Came> came;

    private Asked(MailPlace place, List<Came> came) {
      this.place = place;
      this.came = came;
    }

    /** With all that was asked for behind the others. */
    public MailPlace place() {
      return place;
    }
  }

  /** The place after queries, and the messages that they brought. */
  public record Bodies(MailPlace place, List<byte[]> blobs) {
    public Bodies {
      blobs = List.copyOf(blobs);
    }
  }

  /**
   * @param quorum 2f+1, of the signatures of a list
   * @param servers f+1, of the authorities that a query asks
   * @param replicas of all authorities, in their order
   */
  public PrivateMailbox(
      NetworkId network,
      int quorum,
      int servers,
      List<MailReplica> replicas,
      MailboxBucket bucket,
      HpkePrivateKey key,
      SecureRandom random) {
    this.network = network;
    this.quorum = quorum;
    this.servers = servers;
    this.replicas = List.copyOf(replicas);
    this.bucket = bucket;
    this.parcels = new ParcelCipher(network);
    this.key = key;
    this.random = random;
  }

  /**
   * The newest list of tables, which 2f+1 authorities signed.
   *
   * @throws WalletException {@code mailbox-stale} when it is older than {@link #LONGEST_AGE}, or
   *     there is none: then somebody withholds newer ones, too few authorities sign, or this
   *     machine's clock is wrong; {@code gateway-misbehaved} when it has too few signatures
   */
  @Spec("W-38")
  public MailTableList newest(MailServer server, Instant now) {
    MailTableList list;
    try {
      list = list(server.note());
    } catch (ProtocolException e) {
      if (e.code() == RejectionCode.NOT_FOUND) {
        throw new WalletException(
            WalletError.MAILBOX_STALE, "the gateway has no signed list of the mailbox's tables", e);
      }
      throw e;
    }
    Instant closed = Instant.ofEpochSecond(list.closed());
    if (closed.isBefore(now.minus(LONGEST_AGE))) {
      throw new WalletException(
          WalletError.MAILBOX_STALE,
          "the newest signed list of the mailbox's tables is of "
              + closed
              + ": what came later may be withheld; reading the mailbox whole shows it");
    }
    return list;
  }

  /**
   * The place of a wallet that took a list and then read the mailbox whole. Nothing waits there:
   * what is in the list's tables was read, maybe by an earlier process, and to ask for it again
   * would take the queries of days.
   *
   * @throws WalletException {@code gateway-misbehaved} when the headers are not those of the list
   */
  public MailPlace begin(MailServer server, MailTableList list) {
    MailPlace nothing = new MailPlace(bucket, list, List.of(), List.of(), 0, 0);
    return checked(() -> next(nothing, list, begin(server, bucket, list, Map.of()), list.closed()));
  }

  /** The tables of a node of the last day, for a reader who knows none before. */
  private List<Found> begin(
      MailServer server, MailboxBucket node, MailTableList list, Map<Digest32, Digest32> posted) {
    List<Found> found = chain(server, node, list, list.closed() - WINDOW.toSeconds(), null, posted);
    if (found == null) {
      throw ProtocolException.malformed("the headers are not those of the list");
    }
    return found;
  }

  /**
   * Reads what is in tables since a place: headers, and whole messages where no query can reach
   * them.
   *
   * @param list as {@link #newest}
   * @param posted SHA-256 of what the wallet posted, by that of its header
   * @return empty when the list does not continue that of the place: the mailbox came back from a
   *     backup, and what the wallet posted may be lost
   * @throws WalletException {@code gateway-misbehaved} when headers or messages are not those of
   *     the list
   */
  @Spec("W-36")
  public Optional<Reading> read(
      MailServer server, MailPlace place, MailTableList list, Map<Digest32, Digest32> posted) {
    if (!place.bucket().equals(bucket) || isSetBack(place.list(), list)) {
      return Optional.empty();
    }
    if (list.closed() <= place.list().closed()) {
      return Optional.of(new Reading(place, List.of(), Set.of()));
    }
    return checked(() -> {
      List<byte[]> kept = new ArrayList<>();
      Set<Digest32> overdue = new HashSet<>();
      MailPlace next = place;
      for (int number : bucket.read()) {
        MailboxBucket node = new MailboxBucket(number);
        boolean own = node.equals(bucket);
        List<Found> found = since(server, place, node, list, posted);
        if (found == null) {
          List<Found> today = begin(server, node, list, posted);
          if (place.list().closed() >= list.closed() - WINDOW.toSeconds()
              && continues(today, list.state(node), place.list().state(node))) {
            throw ProtocolException.malformed("the headers were not those of the list at first");
          }
          return Optional.<Reading>empty();
        }
        long whole = own ? list.closed() - WINDOW.toSeconds() : Long.MAX_VALUE;
        kept.addAll(whole(server, list, found, whole, posted));
        if (own) {
          next.waiting().stream()
              .filter(each -> !each.replaced())
              .forEach(each -> overdue.add(each.header()));
          found.forEach(table -> table.own().forEach(each -> overdue.add(each.header())));
        }
        next = own ? next(next, list, found, whole) : reached(next, found);
      }
      next.waiting().forEach(each -> overdue.remove(each.header()));
      kept.forEach(blob -> overdue.remove(MailPlace.header(blob)));
      return Optional.of(new Reading(next, kept, overdue));
    });
  }

  /**
   * The tables of a node since a place, if they continue it; null otherwise. A wallet that slept
   * for more than a day gets those of its bucket of the day before as well: what waited there can
   * be read whole only, and is, whether or not anything waited.
   */
  private @Nullable List<Found> since(
      MailServer server,
      MailPlace place,
      MailboxBucket node,
      MailTableList list,
      Map<Digest32, Digest32> posted) {
    long after = place.list().closed();
    MailState known = place.list().state(node);
    if (!node.equals(bucket) || list.closed() - after <= WINDOW.toSeconds()) {
      return chain(server, node, list, after, known, posted);
    }
    List<Found> found =
        chain(server, node, list, Math.max(0, after - WINDOW.toSeconds()), null, posted);
    return found != null && continues(found, list.state(node), known) ? found : null;
  }

  /** Whether tables that lead to a state go on from a known one. */
  private static boolean continues(List<Found> found, MailState state, MailState known) {
    return found.isEmpty()
        ? state.equals(known)
        : found.getFirst().before().equals(known)
            || found.stream().anyMatch(each -> each.after().equals(known));
  }

  /**
   * Whether a list cannot come after another one. That of any bucket tells: a mailbox may have lost
   * messages of other buckets only, to which this wallet posts.
   */
  private static boolean isSetBack(MailTableList before, MailTableList list) {
    return list.closed() >= before.closed()
        && before.states().entrySet().stream()
            .anyMatch(each -> {
              MailState then = each.getValue();
              MailState now = list.state(new MailboxBucket(each.getKey()));
              return now.closed() < then.closed()
                  || (now.closed() == then.closed() && !now.equals(then));
            });
  }

  private MailTableList list(String note) {
    try {
      SignedNote signed = SignedNote.parse(note);
      long valid =
          IntStream.range(0, replicas.size())
              .filter(i -> signed.isSignedBy(replicas.get(i).signer(i + 1)))
              .count();
      if (valid < quorum) {
        throw ProtocolException.malformed("a list of mail tables has too few signatures");
      }
      return MailTableList.parse(network, signed.text());
    } catch (ProtocolException e) {
      throw misbehaved(e);
    }
  }

  /** A table whose headers were read; which of its records may be this wallet's. */
  private record Found(
      MailTable table, MailState before, MailState after, List<MailPlace.Waiting> own) {}

  /**
   * The place after tables of the wallet's bucket. What waited in those that were read whole waits
   * no longer. A post with another body in tables is not overdue, because it is posted again.
   *
   * @param whole tables up to this time were read whole: nothing of them waits
   */
  private static MailPlace next(
      MailPlace place, MailTableList list, List<Found> found, long whole) {
    long day = list.closed() - WINDOW.toSeconds();
    long from = found.isEmpty() ? Long.MAX_VALUE : found.getFirst().table().closed();
    List<MailPlace.Table> tables = new ArrayList<>(place.tables());
    tables.removeIf(table -> table.closed() >= from);
    List<MailPlace.Waiting> waiting = new ArrayList<>(place.waiting());
    waiting.removeIf(each -> each.closed() >= from);
    for (Found each : found) {
      tables.add(new MailPlace.Table(each.table().closed(), each.table().records()));
      if (each.table().closed() > whole) {
        waiting.addAll(each.own());
      }
    }
    tables.removeIf(table -> table.closed() <= day);
    long before = told(waiting);
    waiting.removeIf(each -> each.closed() <= day);
    if (waiting.size() > MailPlace.MAX_WAITING) {
      waiting.subList(MailPlace.MAX_WAITING, waiting.size()).clear();
    }
    MailPlace next =
        new MailPlace(
            place.bucket(),
            list,
            tables,
            waiting,
            Math.toIntExact(place.overdue() + before - told(waiting)),
            place.number());
    return reached(next, found);
  }

  /** How many of what waits the owner is told of when it is overdue. */
  private static long told(List<MailPlace.Waiting> waiting) {
    return waiting.stream().filter(each -> !each.replaced()).count();
  }

  private static MailPlace reached(MailPlace place, List<Found> found) {
    long number = found.stream().mapToLong(each -> each.table().first()).max().orElse(0);
    return number <= place.number()
        ? place
        : new MailPlace(
            place.bucket(), place.list(), place.tables(), place.waiting(), place.overdue(), number);
  }

  /**
   * The tables of a bucket after a time, if they lead from one state to that of the list; null
   * otherwise.
   *
   * @param known the state at that time; null for a wallet that has none, which begins with what it
   *     is shown: the list's state names all tables of the last day
   */
  private @Nullable List<Found> chain(
      MailServer server,
      MailboxBucket node,
      MailTableList list,
      long after,
      @Nullable MailState known,
      Map<Digest32, Digest32> posted) {
    MailState wanted = list.state(node);
    if (wanted.equals(known)) {
      return List.of();
    }
    List<Found> found = new ArrayList<>();
    long reached = Math.max(0, after);
    MailState state = known;
    for (int pages = 0; reached < list.closed(); pages++) {
      ByteBuffer in = ByteBuffer.wrap(server.headers(node, reached, list.closed()));
      if (in.get() != VERSION || pages == MAX_PAGES) {
        throw ProtocolException.malformed("a page of headers has another form");
      }
      Digest32 before = digest(in);
      long previous = in.getLong();
      long end = in.getLong();
      if (end <= reached || end > list.closed()) {
        throw ProtocolException.malformed("a page of headers does not go on");
      }
      while (in.hasRemaining()) {
        long closed = in.getLong();
        long first = in.getLong();
        int records = in.getInt();
        Digest32 root = digest(in);
        if (closed <= reached
            || closed > end
            || records < 1
            || records > in.remaining() / MailTable.HEADER_BYTES) {
          throw ProtocolException.malformed("a page of headers has another form");
        }
        reached = closed;
        byte[] headers = new byte[records * MailTable.HEADER_BYTES];
        in.get(headers);
        MailTable table =
            new MailTable(node, closed, first, records, Digest32.sha256(headers), root);
        if (state == null) {
          state = new MailState(previous, before);
          if (previous > after) {
            return null; // the first tables are left out, or have expired
          }
        }
        MailState next = table.after(state);
        found.add(new Found(table, state, next, own(closed, headers, posted)));
        state = next;
      }
      reached = end;
    }
    boolean right = state == null ? wanted.closed() <= after : state.equals(wanted);
    return right ? found : null;
  }

  private List<MailPlace.Waiting> own(long closed, byte[] headers, Map<Digest32, Digest32> posted) {
    List<MailPlace.Waiting> own = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(headers);
    byte[] header = new byte[MailTable.HEADER_BYTES];
    for (int record = 0; in.hasRemaining(); record++) {
      in.get(header);
      Digest32 digest = Digest32.sha256(header);
      if (parcels.detects(key, header) || posted.containsKey(digest)) {
        own.add(new MailPlace.Waiting(closed, record, digest));
      }
    }
    return own;
  }

  /**
   * The wanted messages of all tables up to a time, which are read whole, whether or not there is
   * any.
   */
  private List<byte[]> whole(
      MailServer server,
      MailTableList list,
      List<Found> found,
      long upto,
      Map<Digest32, Digest32> posted) {
    List<MailTable> tables =
        found.stream().map(Found::table).filter(table -> table.closed() <= upto).toList();
    List<byte[]> kept = new ArrayList<>();
    if (!tables.isEmpty()) {
      WholeTables records = new WholeTables(server, tables.getFirst(), list.closed());
      for (MailTable table : tables) {
        for (byte[] blob : records.next(table)) {
          byte[] header = Arrays.copyOf(blob, MailTable.HEADER_BYTES);
          if (parcels.detects(key, header) || posted.containsKey(Digest32.sha256(header))) {
            kept.add(blob);
          }
        }
      }
    }
    return kept;
  }

  /**
   * Makes queries. Each of them asks for the oldest waiting message, or for a random one. What was
   * asked for waits behind the others and is asked for again when these have had their turns, also
   * when it came: it is not opened yet, and an authority may have spoilt it.
   *
   * @param queries how many, as the {@link QuerySchedule} says
   */
  public Asked ask(MailServer server, MailPlace place, int queries) {
    Deque<MailPlace.Waiting> waiting = new ArrayDeque<>(place.waiting());
    List<Came> came = new ArrayList<>();
    for (int i = 0; i < queries && !place.tables().isEmpty(); i++) {
      MailPlace.Waiting first = waiting.pollFirst();
      MailPlace.Waiting wanted = first == null ? any(place) : first;
      Optional<byte[]> body = ask(server, place, wanted);
      boolean right = body.map(MailPlace::header).filter(wanted.header()::equals).isPresent();
      if (first != null) {
        waiting.addLast(first);
        if (right) {
          came.add(new Came(first, body.orElseThrow()));
        }
      }
    }
    return new Asked(place.withWaiting(List.copyOf(waiting)), came);
  }

  /**
   * Opens what queries brought, behind the last request of a reading: that takes time which depends
   * on what is this wallet's, and the gateway sees when each request comes.
   *
   * @param posted SHA-256 of what the wallet posted, by that of its header
   */
  public Bodies open(Asked asked, Map<Digest32, Digest32> posted) {
    Map<Digest32, byte[]> read = new LinkedHashMap<>();
    Set<MailPlace.Waiting> replaced = new HashSet<>();
    for (Came each : asked.came) {
      Digest32 header = each.wanted().header();
      if (!read.containsKey(header)) {
        if (isRight(each.body(), posted)) {
          read.put(header, each.body());
        } else if (posted.containsKey(header)) {
          replaced.add(each.wanted());
        } // or it is no message of this wallet
      }
    }
    // a message that was posted twice is in tables twice
    List<MailPlace.Waiting> left =
        asked.place().waiting().stream()
            .filter(each -> !read.containsKey(each.header()))
            .map(each -> replaced.contains(each) ? each.asReplaced() : each)
            .toList();
    return new Bodies(asked.place().withWaiting(left), List.copyOf(read.values()));
  }

  /** Whether a body is sealed to this wallet, or is what the wallet posted. */
  private boolean isRight(byte[] blob, Map<Digest32, Digest32> posted) {
    Digest32 sent = posted.get(MailPlace.header(blob));
    return (sent != null && sent.equals(Digest32.sha256(blob)))
        || parcels.open(key, blob).isPresent();
  }

  private MailPlace.Waiting any(MailPlace place) {
    int record =
        random.nextInt(
            place.tables().stream().mapToInt(MailPlace.Table::records).reduce(0, Math::addExact));
    for (MailPlace.Table table : place.tables()) {
      if (record < table.records()) {
        return new MailPlace.Waiting(table.closed(), record, Digest32.sha256());
      }
      record -= table.records();
    }
    throw new IllegalStateException("a random record is of some table");
  }

  /** One query; empty when an answer is missing, which shows nothing of the record. */
  private Optional<byte[]> ask(MailServer server, MailPlace place, MailPlace.Waiting wanted) {
    List<Integer> records = place.tables().stream().map(MailPlace.Table::records).toList();
    int table = 0;
    while (place.tables().get(table).closed() != wanted.closed()) {
      table++;
    }
    RetrievalQuery query =
        RetrievalQuery.of(
            RetrievalWindow.place(records, table, wanted.record()),
            RetrievalWindow.size(records),
            servers,
            random);
    List<Integer> drawn =
        new ArrayList<>(IntStream.rangeClosed(1, replicas.size()).boxed().toList());
    Collections.shuffle(drawn, random);
    Map<Integer, QueryEnvelope.Asked> asked = new LinkedHashMap<>();
    Map<Integer, SealedMessage> shares = new LinkedHashMap<>();
    for (int i = 0; i < servers; i++) {
      int authority = drawn.get(i);
      MailQuery share =
          new MailQuery(
              bucket,
              Math.max(0, place.list().closed() - WINDOW.toSeconds()),
              place.list().closed(),
              place.list().state(bucket).digest(),
              query.shares().get(i).encode());
      QueryEnvelope.Asked sealed =
          QueryEnvelope.seal(replicas.get(authority - 1).shares(), network, authority, share);
      asked.put(authority, sealed);
      shares.put(authority, sealed.message());
    }
    try {
      Map<Integer, byte[]> answers = server.query(shares);
      List<byte[]> opened = new ArrayList<>();
      for (Map.Entry<Integer, QueryEnvelope.Asked> each : asked.entrySet()) {
        byte[] answer = answers.get(each.getKey());
        if (answer == null) {
          return Optional.empty();
        }
        opened.add(each.getValue().openAnswer(answer));
      }
      return Optional.of(query.combine(opened, ParcelCipher.BLOB_BYTES));
    } catch (HpkeException | ProtocolException | WalletException e) {
      return Optional.empty();
    } finally {
      asked.values().forEach(QueryEnvelope.Asked::close);
    }
  }

  private static Digest32 digest(ByteBuffer in) {
    byte[] bytes = new byte[Digest32.BYTES];
    in.get(bytes);
    return Digest32.of(bytes);
  }

  /** Reads what a gateway sent. Its refusals stay what they are. */
  private static <T> T checked(Supplier<T> read) {
    try {
      return read.get();
    } catch (BufferUnderflowException e) {
      throw misbehaved(e);
    } catch (ProtocolException e) {
      throw e.code() == RejectionCode.MALFORMED_REQUEST ? misbehaved(e) : e;
    }
  }

  private static WalletException misbehaved(RuntimeException cause) {
    return new WalletException(
        WalletError.GATEWAY_MISBEHAVED, "the mailbox's tables cannot be used", cause);
  }
}
