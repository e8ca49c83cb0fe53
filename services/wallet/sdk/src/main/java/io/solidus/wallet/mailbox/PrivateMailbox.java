package io.solidus.wallet.mailbox;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import io.solidus.retrieval.RetrievalQuery;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a wallet's mail so that no gateway, and no f authorities beside it, learn which messages
 * are the wallet's. It reads the headers of its bucket, which every wallet of the bucket does, and
 * asks f+1 authorities for the bodies, at times that were drawn before, whether or not there is
 * mail. What goes wrong changes nothing that the others see: a body that did not come takes the
 * place of a random one at a later time.
 */
public final class PrivateMailbox {
  /** Queries of a day. */
  public static final int QUERIES_A_DAY = 24;

  private static final Duration WINDOW = Duration.ofDays(1);
  private static final long LONGEST_PAUSE_MILLIS =
      2 * Duration.ofDays(1).toMillis() / QUERIES_A_DAY;
  private static final byte VERSION = 1;

  private final NetworkId network;
  private final int quorum;
  private final int servers;
  private final List<ReplicaKey> replicas;
  private final MailboxBucket bucket;
  private final ParcelCipher parcels;
  private final HpkePrivateKey key;
  private final SecureRandom random;

  /**
   * A table of the window.
   *
   * @param closed Unix time in seconds
   */
  public record Table(long closed, int records) {}

  /** A message whose header is this wallet's, or one of 65,536 others. */
  public record Waiting(long closed, int record) {}

  /**
   * Where a wallet is. It belongs in the wallet's file.
   *
   * @param closed the time of the list up to which headers were read; 0 before the first
   * @param state of the bucket in that list
   * @param tables of the day before that time
   * @param waiting for their bodies, the oldest first
   * @param nextQueryMillis when the next query is due; drawn before it is known what is waiting
   */
  public record Place(
      long closed,
      MailState state,
      List<Table> tables,
      List<Waiting> waiting,
      long nextQueryMillis) {
    public Place {
      tables = List.copyOf(tables);
      waiting = List.copyOf(waiting);
    }

    /** A wallet that has read nothing. */
    public static Place start(long nowMillis) {
      return new Place(0, MailState.NONE, List.of(), List.of(), nowMillis);
    }
  }

  /**
   * The place after a reading.
   *
   * @param again the tables do not continue those that were read: the mailbox came back from a
   *     backup, and what the wallet posted may be lost
   * @param missed messages that may be this wallet's and are in no table of the last day any more
   */
  public record Headers(Place place, boolean again, int missed) {}

  /** The place after the queries that were due, and the parcels that they brought. */
  public record Bodies(Place place, List<Parcel> parcels) {
    public Bodies {
      parcels = List.copyOf(parcels);
    }
  }

  /**
   * @param quorum 2f+1, of the signatures of a list
   * @param servers f+1, of the authorities that a query asks
   * @param replicas one for each authority
   */
  public PrivateMailbox(
      NetworkId network,
      int quorum,
      int servers,
      List<ReplicaKey> replicas,
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
   * Reads the headers since the place.
   *
   * @throws WalletException {@code gateway-misbehaved} when the list has too few signatures, or the
   *     headers are not those of the list; the place is as before then
   */
  public Headers read(MailServer server, Place place) {
    try {
      MailTableList list = list(server.note());
      if (list.closed() <= place.closed()) {
        return new Headers(place, false, 0);
      }
      long day = list.closed() - WINDOW.toSeconds();
      List<Found> found = chain(server, list, place.closed(), place.state(), day);
      boolean again = found == null;
      if (found == null) {
        found = chain(server, list, 0, MailState.NONE, day);
        if (found == null) {
          throw ProtocolException.malformed("the headers are not those of the list");
        }
      }
      return next(place, list, found, again, day);
    } catch (ProtocolException | BufferUnderflowException e) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED, "the mailbox's tables cannot be used", e);
    }
  }

  /** A table whose headers were read; which of its records may be this wallet's. */
  private record Found(Table table, List<Waiting> own) {}

  private Headers next(
      Place place, MailTableList list, List<Found> found, boolean again, long day) {
    List<Table> tables = new ArrayList<>(again ? List.of() : place.tables());
    List<Waiting> waiting = new ArrayList<>(again ? List.of() : place.waiting());
    found.forEach(each -> {
      tables.add(each.table());
      waiting.addAll(each.own());
    });
    tables.removeIf(table -> table.closed() <= day);
    int before = waiting.size();
    waiting.removeIf(each -> each.closed() <= day);
    return new Headers(
        new Place(list.closed(), list.state(bucket), tables, waiting, place.nextQueryMillis()),
        again,
        before - waiting.size());
  }

  private MailTableList list(String note) {
    SignedNote signed = SignedNote.parse(note);
    long valid = replicas.stream().filter(replica -> signed.isSignedBy(replica.lists())).count();
    if (valid < quorum) {
      throw ProtocolException.malformed("a list of mail tables has too few signatures");
    }
    return MailTableList.parse(network, signed.text());
  }

  /**
   * The tables after a time, if they lead from one state to that of the list; null otherwise. A
   * wallet that has no place, or an old one, begins with the tables of the last day: the list's
   * state names all of them.
   */
  private @Nullable List<Found> chain(
      MailServer server, MailTableList list, long after, MailState known, long day) {
    List<Found> found = new ArrayList<>();
    long reached = Math.max(after, day);
    boolean follows = after >= day;
    MailState state = known;
    while (reached < list.closed()) {
      ByteBuffer in = ByteBuffer.wrap(server.headers(bucket, reached, list.closed()));
      if (in.get() != VERSION) {
        throw ProtocolException.malformed("a page of headers has another version");
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
            new MailTable(bucket, closed, first, records, Digest32.sha256(headers), root);
        if (!follows) {
          follows = true;
          state = new MailState(previous, before);
          if (previous > day) {
            throw ProtocolException.malformed("the first tables of the day are left out");
          }
        }
        state = table.after(state);
        found.add(new Found(new Table(closed, records), own(closed, headers)));
      }
      reached = end;
    }
    MailState wanted = list.state(bucket);
    boolean right = follows ? state.equals(wanted) : wanted.closed() <= day;
    return right ? found : null;
  }

  private List<Waiting> own(long closed, byte[] headers) {
    List<Waiting> own = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(headers);
    byte[] header = new byte[MailTable.HEADER_BYTES];
    for (int record = 0; in.hasRemaining(); record++) {
      in.get(header);
      if (parcels.detects(key, header)) {
        own.add(new Waiting(closed, record));
      }
    }
    return own;
  }

  /**
   * Makes the queries that are due, {@link #QUERIES_A_DAY} at most, however long the wallet slept.
   * Each of them asks for the oldest waiting message, or for a random one.
   */
  public Bodies ask(MailServer server, Place place, long nowMillis) {
    int due = 0;
    long next = place.nextQueryMillis();
    while (next <= nowMillis && due < QUERIES_A_DAY) {
      due++;
      next += 1 + random.nextLong(LONGEST_PAUSE_MILLIS);
    }
    if (next <= nowMillis) {
      next = nowMillis + 1 + random.nextLong(LONGEST_PAUSE_MILLIS);
    }
    List<Waiting> waiting = new ArrayList<>(place.waiting());
    List<Parcel> read = new ArrayList<>();
    for (int i = 0; i < due && !place.tables().isEmpty(); i++) {
      Optional<Waiting> wanted = waiting.stream().findFirst();
      Optional<byte[]> blob = ask(server, place, wanted.orElseGet(() -> any(place)));
      if (wanted.isPresent()) {
        waiting.removeFirst();
        Optional<Parcel> parcel = blob.flatMap(body -> parcels.open(key, body));
        if (parcel.isPresent()) {
          read.add(parcel.get());
        } else {
          waiting.add(wanted.get()); // after the others: it may be no message of this wallet
        }
      }
    }
    return new Bodies(
        new Place(place.closed(), place.state(), place.tables(), waiting, next), read);
  }

  private Waiting any(Place place) {
    int record =
        random.nextInt(place.tables().stream().mapToInt(Table::records).reduce(0, Math::addExact));
    for (Table table : place.tables()) {
      if (record < table.records()) {
        return new Waiting(table.closed(), record);
      }
      record -= table.records();
    }
    throw new IllegalStateException("a random record is of some table");
  }

  /** One query; empty when an answer is missing, which shows nothing of the record. */
  private Optional<byte[]> ask(MailServer server, Place place, Waiting wanted) {
    List<Integer> records = place.tables().stream().map(Table::records).toList();
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
    List<ReplicaKey> drawn = new ArrayList<>(replicas);
    Collections.shuffle(drawn, random);
    Map<Integer, QueryEnvelope.Asked> asked = new LinkedHashMap<>();
    Map<Integer, SealedMessage> shares = new LinkedHashMap<>();
    for (int i = 0; i < servers; i++) {
      ReplicaKey replica = drawn.get(i);
      MailQuery share =
          new MailQuery(
              bucket,
              Math.max(0, place.closed() - WINDOW.toSeconds()),
              place.closed(),
              place.state().digest(),
              query.shares().get(i).encode());
      QueryEnvelope.Asked sealed =
          QueryEnvelope.seal(replica.shares(), network, replica.authority(), share);
      asked.put(replica.authority(), sealed);
      shares.put(replica.authority(), sealed.message());
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
}
