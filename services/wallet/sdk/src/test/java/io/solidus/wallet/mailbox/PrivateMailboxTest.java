package io.solidus.wallet.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.retrieval.QueryShare;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.retrieval.TableTree;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.MailPlace;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A wallet that reads headers and asks for bodies, at gateways and authorities that lie. */
class PrivateMailboxTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final MailboxBucket BUCKET = new MailboxBucket(70);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long BEGUN = 1_000_000;
  private static final long DAY = 86_400;

  private final HpkePrivateKey mine = HpkePrivateKey.generate(RANDOM);
  private final HpkePrivateKey others = HpkePrivateKey.generate(RANDOM);
  private final ParcelCipher parcels = new ParcelCipher(NETWORK);
  private final Served served = new Served();
  private final PrivateMailbox mailbox =
      new PrivateMailbox(NETWORK, 3, 2, served.keys(), BUCKET, mine, RANDOM);

  /** A gateway and four replicas. */
  private static final class Served implements MailServer {
    final List<HpkePrivateKey> shares = new ArrayList<>();
    final List<NoteSigner> lists = new ArrayList<>();
    final List<MailTable> tables = new ArrayList<>();
    final List<MailState> before = new ArrayList<>();
    final List<List<byte[]>> messages = new ArrayList<>();
    final Set<Integer> liars = new HashSet<>();
    final Set<Integer> down = new HashSet<>();
    int signers = 3;
    int queries;
    boolean none;
    UnaryOperator<byte[]> page = UnaryOperator.identity();
    UnaryOperator<byte[]> records = UnaryOperator.identity();
    final List<String> asked = new ArrayList<>();
    MailTableList list = new MailTableList(BEGUN, new TreeMap<>());

    Served() {
      for (int i = 1; i <= 4; i++) {
        shares.add(HpkePrivateKey.generate(RANDOM));
        byte[] seed = new byte[32];
        seed[0] = (byte) i;
        lists.add(NoteSigner.fromSeed("solidus-replica-" + i, seed));
      }
    }

    List<MailReplica> keys() {
      List<MailReplica> keys = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        keys.add(new MailReplica(shares.get(i).publicKey(), lists.get(i).publicKey().publicKey()));
      }
      return keys;
    }

    void close(long closed, byte[]... blobs) {
      close(BUCKET, closed, blobs);
    }

    void close(MailboxBucket bucket, long closed, byte[]... blobs) {
      ByteArrayOutputStream headers = new ByteArrayOutputStream();
      for (byte[] blob : blobs) {
        headers.write(blob, 0, MailTable.HEADER_BYTES);
      }
      before.add(list.state(bucket));
      MailTable table =
          new MailTable(
              bucket,
              closed,
              1 + messages.stream().mapToInt(List::size).sum(),
              blobs.length,
              Digest32.sha256(headers.toByteArray()),
              TableTree.root(List.of(blobs)));
      tables.add(table);
      messages.add(List.of(blobs));
      list = list.with(closed, List.of(table));
    }

    void clear() {
      tables.clear();
      messages.clear();
      before.clear();
      list = new MailTableList(BEGUN, new TreeMap<>());
    }

    @Override
    public String note() {
      if (none) {
        throw new ProtocolException(RejectionCode.NOT_FOUND, "no list");
      }
      String text = list.toNoteText(NETWORK);
      return SignedNote.sign(text, lists.subList(0, signers).toArray(NoteSigner[]::new)).encode();
    }

    @Override
    public byte[] headers(MailboxBucket bucket, long after, long upto) {
      asked.add("headers " + bucket.number());
      return page.apply(honest(bucket, after, upto));
    }

    @Override
    public byte[] records(MailboxBucket bucket, long after, long upto) {
      asked.add("records " + bucket.number());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(1);
      int left = 2; // short pages
      for (int i = 0; i < tables.size(); i++) {
        if (tables.get(i).bucket().equals(bucket) && tables.get(i).closed() <= upto) {
          for (int record = 0; record < messages.get(i).size(); record++) {
            long number = tables.get(i).first() + record;
            if (number > after && left > 0) {
              left--;
              out.writeBytes(ByteBuffer.allocate(8).putLong(number).array());
              out.writeBytes(messages.get(i).get(record));
            }
          }
        }
      }
      return records.apply(out.toByteArray());
    }

    byte[] honest(MailboxBucket bucket, long after, long upto) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      MailState first = MailState.NONE;
      for (int i = tables.size() - 1; i >= 0; i--) {
        if (tables.get(i).bucket().equals(bucket) && tables.get(i).closed() > after) {
          first = before.get(i);
        }
      }
      out.write(1);
      out.writeBytes(first.digest().bytes());
      out.writeBytes(ByteBuffer.allocate(16).putLong(first.closed()).putLong(upto).array());
      for (int i = 0; i < tables.size(); i++) {
        MailTable table = tables.get(i);
        if (table.bucket().equals(bucket) && table.closed() > after && table.closed() <= upto) {
          out.writeBytes(
              ByteBuffer.allocate(20)
                  .putLong(table.closed())
                  .putLong(table.first())
                  .putInt(table.records())
                  .array());
          out.writeBytes(table.root().bytes());
          messages.get(i).forEach(blob -> out.write(blob, 0, MailTable.HEADER_BYTES));
        }
      }
      return out.toByteArray();
    }

    @Override
    public Map<Integer, byte[]> query(Map<Integer, SealedMessage> shared) {
      queries++;
      Map<Integer, byte[]> answers = new HashMap<>();
      shared.forEach((authority, sealed) -> {
        if (!down.contains(authority)) {
          answers.put(authority, answer(authority, sealed));
        }
      });
      return answers;
    }

    private byte[] answer(int authority, SealedMessage sealed) {
      try (QueryEnvelope.Opened opened =
          QueryEnvelope.open(shares.get(authority - 1), NETWORK, authority, sealed)) {
        MailQuery query = MailQuery.decode(opened.query());
        List<RetrievalTable> window = new ArrayList<>();
        for (int i = 0; i < tables.size(); i++) {
          if (tables.get(i).bucket().equals(BUCKET)
              && tables.get(i).closed() > query.after()
              && tables.get(i).closed() <= query.upto()) {
            window.add(new RetrievalTable(messages.get(i)));
          }
        }
        byte[] sum = new RetrievalWindow(window).answer(QueryShare.decode(query.share()));
        if (liars.contains(authority)) {
          sum[500] ^= 1;
        }
        return opened.sealAnswer(sum, RANDOM);
      }
    }
  }

  private final Map<Digest32, Digest32> posted = new HashMap<>();

  private static Instant at(long seconds) {
    return Instant.ofEpochSecond(seconds);
  }

  /** The place behind all tables, of a wallet that began before the first of them. */
  private MailPlace begin() {
    MailTableList first = new MailTableList(BEGUN, new TreeMap<>());
    return read(new MailPlace(BUCKET, first, List.of(), List.of(), 0, 0)).place();
  }

  private MailTableList newest() {
    return mailbox.newest(served, at(served.list.closed()));
  }

  private PrivateMailbox.Reading read(MailPlace place) {
    return mailbox.read(served, place, newest(), posted).orElseThrow();
  }

  private PrivateMailbox.Bodies ask(MailPlace place, int queries) {
    return mailbox.open(mailbox.ask(served, place, queries), posted);
  }

  private List<Parcel> opened(List<byte[]> blobs) {
    return blobs.stream().map(blob -> parcels.open(mine, blob).orElseThrow()).toList();
  }

  @Test
  @Spec({"F-53", "F-55", "W-36"})
  void ownMessagesAreFoundByTheirHeadersAndRead() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2), message(others, 3));
    served.close(BEGUN + 20, message(others, 4));
    MailPlace place = begin();
    assertThat(place.waiting())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.closed()).isEqualTo(BEGUN + 10);
          assertThat(one.record()).isEqualTo(1);
        });
    served.close(BEGUN + 30, message(mine, 5), message(mine, 6));
    place = read(place).place();
    assertThat(place.waiting()).hasSize(3);
    assertThat(place.number()).isEqualTo(5);
    PrivateMailbox.Bodies bodies = ask(place, 3);
    assertThat(opened(bodies.blobs())).containsExactly(parcel(2), parcel(5), parcel(6));
    assertThat(bodies.place().waiting()).isEmpty();
  }

  /**
   * What is in tables when a wallet begins was read whole: a restored shop has no day of queries.
   */
  @Test
  @Spec("W-36")
  void nothingWaitsForAWalletThatBegins() {
    served.close(BEGUN + 10, message(mine, 1), message(mine, 2));
    MailPlace place = mailbox.begin(served, newest());
    assertThat(place.waiting()).isEmpty();
    assertThat(place.overdue()).isZero();
    assertThat(place.tables()).containsExactly(new MailPlace.Table(BEGUN + 10, 2));
    served.close(BEGUN + 20, message(mine, 3));
    place = read(place).place();
    assertThat(opened(ask(place, 1).blobs())).containsExactly(parcel(3));
  }

  /** Failures are not made up for: that would tell that something was waiting. */
  @Test
  void whatFailsIsAskedForAgainInTheNextQueries() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    MailPlace place = begin();
    served.down.addAll(List.of(1, 2, 3, 4));
    PrivateMailbox.Bodies none = ask(place, 5);
    assertThat(none.blobs()).isEmpty();
    assertThat(none.place()).isEqualTo(place);
    assertThat(served.queries).isEqualTo(5);
    served.down.clear();
    assertThat(opened(ask(none.place(), 5).blobs())).containsExactly(parcel(2));
    assertThat(served.queries).isEqualTo(10);
  }

  /** One of four lies: half of the draws have an honest pair. */
  @Test
  void aLiarCostsTimeOnly() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    MailPlace place = begin();
    served.liars.add(2);
    List<Parcel> read = new ArrayList<>();
    for (int day = 1; day < 10 && read.isEmpty(); day++) {
      PrivateMailbox.Bodies bodies = ask(place, QuerySchedule.A_DAY);
      read.addAll(opened(bodies.blobs()));
      place = bodies.place();
    }
    assertThat(read).containsExactly(parcel(2));
  }

  /** Junk with the wallet's tag: it waits for a day and stops nothing behind it. */
  @Test
  void junkDoesNotHoldBackMail() {
    byte[] junk = message(mine, 1);
    junk[600] ^= 1;
    served.close(BEGUN + 10, junk, message(mine, 2));
    PrivateMailbox.Bodies bodies = ask(begin(), QuerySchedule.A_DAY);
    assertThat(opened(bodies.blobs())).containsExactly(parcel(2));
    assertThat(bodies.place().waiting()).hasSize(1);
    served.close(BEGUN + 100, message(others, 3));
    MailPlace later = read(bodies.place()).place();
    served.close(BEGUN + DAY + 11, message(others, 4));
    later = read(later).place();
    assertThat(later.waiting()).isEmpty();
    assertThat(later.overdue()).isEqualTo(1);
    assertThat(later.tables()).hasSize(2);
    assertThat(later.readWhole().overdue()).isZero();
  }

  /** A stranger posts more junk than any wallet can ask for: the place stays small. */
  @Test
  void aFloodIsBounded() {
    byte[][] flood = new byte[MailPlace.MAX_WAITING + 7][];
    Arrays.setAll(flood, i -> message(mine, 1));
    served.close(BEGUN + 10, flood);
    MailPlace place = begin();
    assertThat(place.waiting()).hasSize(MailPlace.MAX_WAITING);
    assertThat(place.overdue()).isEqualTo(7);
  }

  @Test
  void listsWithTooFewSignaturesAreRefused() {
    served.close(BEGUN + 10, message(mine, 2));
    served.signers = 2;
    assertMisbehaved(this::newest);
  }

  /** A gateway that goes on serving an old list would withhold mail without a sign. */
  @Test
  @Spec("W-38")
  void anOldListIsNotTakenForTheNewest() {
    served.close(BEGUN + 10, message(mine, 2));
    Duration age = PrivateMailbox.LONGEST_AGE;
    assertThat(mailbox.newest(served, at(BEGUN + 10).plus(age))).isEqualTo(served.list);
    assertStale(() -> mailbox.newest(served, at(BEGUN + 11).plus(age)));
    served.none = true;
    assertStale(() -> mailbox.newest(served, at(BEGUN + 10)));
  }

  /**
   * Tables lag behind posts by more than an hour: the lists' times say so, the wallet stops, and
   * what waits comes with the lists that catch up.
   */
  @Test
  @Spec("W-38")
  void aBacklogIsToldAndNothingOfItIsLost() {
    served.close(BEGUN + 10, message(others, 1));
    MailPlace place = begin();
    long later = BEGUN + 20 + PrivateMailbox.LONGEST_AGE.toSeconds();
    // the gateway has closed two tables of the backlog, a second each
    served.close(BEGUN + 11, message(mine, 2));
    served.close(BEGUN + 12, message(others, 3));
    assertStale(() -> mailbox.newest(served, at(later)));
    served.close(later - 5, message(mine, 4));
    MailTableList whole = mailbox.newest(served, at(later));
    place = mailbox.read(served, place, whole, posted).orElseThrow().place();
    assertThat(place.waiting()).hasSize(2);
    assertThat(opened(ask(place, 2).blobs())).containsExactly(parcel(2), parcel(4));
  }

  /** An older list than the wallet knows, and still of this hour, takes nothing back. */
  @Test
  @Spec("W-38")
  void anOlderListChangesNothing() {
    served.close(BEGUN + 10, message(others, 1));
    MailTableList older = newest();
    served.close(BEGUN + 20, message(mine, 2));
    MailPlace place = begin();
    assertThat(mailbox.read(served, place, older, posted).orElseThrow())
        .isEqualTo(new PrivateMailbox.Reading(place, List.of(), Set.of()));
  }

  /** Each of these pages would hide a message, or show one that is not there. */
  @Test
  void headersThatAreNotTheListsAreRefused() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    MailPlace place = begin();
    served.close(BEGUN + 20, message(mine, 3));
    List<UnaryOperator<byte[]>> lies =
        List.of(
            page -> new byte[0],
            page -> Arrays.copyOf(page, 20),
            page -> Arrays.copyOf(page, page.length - 1),
            page -> Arrays.copyOf(page, page.length + 5),
            page -> change(page, 0),
            page -> Arrays.copyOf(page, 49),
            page -> change(page, 42),
            page -> change(page, 56),
            page -> change(page, 64),
            page -> change(page, 68),
            page -> change(page, 78),
            page -> change(page, page.length - 1));
    for (UnaryOperator<byte[]> lie : lies) {
      served.page = lie;
      assertMisbehaved(() -> read(place));
      assertMisbehaved(() -> mailbox.begin(served, newest()));
    }
    // nor is a wallet that has no place shown less than the day
    served.page = any -> served.honest(BUCKET, BEGUN + 10, BEGUN + 20);
    assertMisbehaved(() -> mailbox.begin(served, newest()));
    served.page = UnaryOperator.identity();
    assertThat(read(place).place().waiting()).hasSize(2);
  }

  /**
   * A gateway that shows headers of another list, and then those of the list, which continues the
   * place, makes no wallet begin again: it would read whole what no list says.
   */
  @Test
  @Spec("W-36")
  void aGatewayMakesNoWalletBeginAgain() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    MailPlace place = begin();
    served.close(BEGUN + 20, message(mine, 3));
    MailboxBucket root = new MailboxBucket(1);
    served.close(root, BEGUN + 30, message(others, 4));
    for (int lies : List.of(1, 2)) {
      AtomicInteger pages = new AtomicInteger();
      served.page = page -> pages.incrementAndGet() == lies ? change(page, page.length - 1) : page;
      assertMisbehaved(() -> mailbox.read(served, place, newest(), posted));
      assertThat(pages.get()).isEqualTo(lies + 1);
    }
    served.page = UnaryOperator.identity();
    assertThat(read(place).place().waiting()).hasSize(2);
  }

  /** The mailbox came back from a backup: another table has the time of one that was read. */
  @Test
  void aListThatDoesNotContinueIsNoticed() {
    MailboxBucket elsewhere = new MailboxBucket(71);
    served.close(elsewhere, BEGUN + 5, message(others, 9));
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    MailPlace place = begin();
    MailTableList whole = served.list;
    served.clear();
    served.close(elsewhere, BEGUN + 5, message(others, 9));
    served.close(BEGUN + 10, message(mine, 3));
    served.close(BEGUN + 20, message(others, 4));
    assertThat(mailbox.read(served, place, newest(), posted)).isEmpty();
    assertThat(opened(ask(begin(), 1).blobs())).containsExactly(parcel(3));
    // of another bucket, to which this wallet posts
    served.list = whole;
    served.clear();
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    MailTableList lost =
        new MailTableList(BEGUN + 20, new TreeMap<>(Map.of(70, whole.state(BUCKET))));
    assertThat(mailbox.read(served, place, lost, posted)).isEmpty();
  }

  /** Wallets with other buckets post above and below: that is read whole, with mail or without. */
  @Test
  @Spec({"F-48", "F-54", "W-36"})
  void otherNodesOfTheTreeAreReadWhole() {
    served.close(BEGUN + 10, message(others, 1));
    MailPlace place = begin();
    byte[] own = message(mine, 2);
    byte[] payment = message(others, 3);
    posted.put(MailPlace.header(payment), Digest32.sha256(payment));
    served.close(MailboxBucket.WHOLE, BEGUN + 20, message(others, 4), own, message(others, 5));
    served.close(new MailboxBucket(35), BEGUN + 20, payment);
    served.close(new MailboxBucket(71), BEGUN + 20, message(mine, 6)); // not of this reader
    served.asked.clear();
    PrivateMailbox.Reading reading = read(place);
    assertThat(reading.kept()).containsExactly(own, payment);
    assertThat(reading.place().waiting()).isEmpty();
    assertThat(served.asked)
        .containsExactly("headers 1", "records 1", "records 1", "headers 35", "records 35");
    // the same without mail
    served.close(MailboxBucket.WHOLE, BEGUN + 30, message(others, 7), message(others, 8));
    served.asked.clear();
    assertThat(read(reading.place()).kept()).isEmpty();
    assertThat(served.asked).containsExactly("headers 1", "records 1");
  }

  /** Replicas keep a day: who slept for longer reads the tables before it whole. */
  @Test
  @Spec("W-36")
  void whatIsOlderThanADayIsReadWhole() {
    served.close(BEGUN + 10, message(others, 1));
    MailPlace place = begin();
    byte[] old = message(mine, 2);
    served.close(BEGUN + 20, message(others, 3), old);
    served.close(BEGUN + 30, message(others, 4));
    served.close(BEGUN + 3 * DAY, message(mine, 5), message(others, 6));
    served.asked.clear();
    PrivateMailbox.Reading reading = read(place);
    assertThat(reading.kept()).containsExactly(old);
    assertThat(reading.place().tables()).containsExactly(new MailPlace.Table(BEGUN + 3 * DAY, 2));
    assertThat(reading.place().waiting()).hasSize(1);
    assertThat(reading.place().overdue()).isZero();
    assertThat(served.asked).containsExactly("headers 70", "records 70", "records 70");
    assertThat(opened(ask(reading.place(), 1).blobs())).containsExactly(parcel(5));
  }

  /** What waited when the wallet was closed is read whole, too, and so it is without any. */
  @Test
  @Spec("W-36")
  void whatWaitedBeforeALongSleepIsReadWhole() {
    byte[] waited = message(mine, 2);
    served.close(BEGUN + 10, message(others, 1), waited);
    MailPlace place = begin();
    assertThat(place.waiting()).hasSize(1);
    MailPlace nothing = place.withWaiting(List.of());
    served.close(MailboxBucket.WHOLE, BEGUN + 2 * DAY, message(others, 3));
    List<List<String>> seen = new ArrayList<>();
    for (MailPlace each : List.of(place, nothing)) {
      served.asked.clear();
      PrivateMailbox.Reading reading = read(each);
      assertThat(reading.kept()).containsExactly(waited);
      assertThat(reading.place().waiting()).isEmpty();
      assertThat(reading.place().overdue()).isZero();
      seen.add(List.copyOf(served.asked));
    }
    assertThat(seen.get(0)).isEqualTo(seen.get(1)).contains("records 70");
    // a gateway that hides tables of the time between, or shows those of another mailbox
    served.close(BEGUN + 3 * DAY, message(others, 4));
    served.page = page -> page.length > 49 + 52 + 34 ? Arrays.copyOf(page, 49 + 52 + 68) : page;
    assertThat(mailbox.read(served, place, newest(), posted)).isEmpty();
    served.page = UnaryOperator.identity();
    served.clear();
    served.close(BEGUN + 10, message(others, 1), message(others, 2));
    served.close(BEGUN + 3 * DAY, message(others, 4));
    assertThat(mailbox.read(served, place, newest(), posted)).isEmpty();
  }

  /** A gateway that changes, drops or adds a message of a table that is read whole. */
  @Test
  @Spec("F-54")
  void messagesThatAreNotTheTablesAreRefused() {
    served.close(BEGUN + 10, message(others, 1));
    MailPlace place = begin();
    served.close(MailboxBucket.WHOLE, BEGUN + 20, message(mine, 2), message(others, 3));
    List<UnaryOperator<byte[]>> lies =
        List.of(
            page -> new byte[0],
            page -> new byte[] {1},
            page -> change(page, 0),
            page -> change(page, 8),
            page -> change(page, 9 + 600),
            page -> change(page, 9 + 10),
            page -> Arrays.copyOf(page, page.length - 1),
            page -> Arrays.copyOf(page, 1),
            page -> ByteBuffer.wrap(page.clone()).put(1 + 1208, page, 1, 1208).array());
    for (UnaryOperator<byte[]> lie : lies) {
      served.records = lie;
      assertMisbehaved(() -> read(place));
    }
    served.records = UnaryOperator.identity();
    assertThat(opened(read(place).kept())).containsExactly(parcel(2));
  }

  /** What the wallet posted to its own bucket is asked for as its mail is. */
  @Test
  void ownPostsInTheBucketAreFound() {
    byte[] payment = message(others, 3);
    posted.put(MailPlace.header(payment), Digest32.sha256(payment));
    served.close(BEGUN + 10, message(others, 1), payment);
    PrivateMailbox.Bodies bodies = ask(begin(), 1);
    assertThat(bodies.blobs()).containsExactly(payment);
    // with other bytes behind the same header it is not what was posted
    served.clear();
    byte[] altered = payment.clone();
    altered[600] ^= 1;
    served.close(BEGUN + 10, message(others, 1), altered);
    bodies = ask(begin(), 2);
    assertThat(bodies.blobs()).isEmpty();
    assertThat(bodies.place().waits(MailPlace.header(payment))).isTrue();
  }

  /** Attack: a gateway changes the body of an own post, and its header goes overdue. */
  @Test
  @Spec("W-39")
  void aPostWithAnotherBodyIsNotOverdue() {
    byte[] payment = message(others, 3);
    posted.put(MailPlace.header(payment), Digest32.sha256(payment));
    byte[] altered = payment.clone();
    altered[600] ^= 1;
    served.close(BEGUN + 10, altered, message(others, 1));
    MailPlace place = ask(begin(), 1).place();
    assertThat(place.waiting()).singleElement().matches(MailPlace.Waiting::replaced);
    PrivateMailbox.Reading reading = readADayLater(place);
    assertThat(reading.kept()).isEmpty();
    assertThat(reading.place().waiting()).isEmpty();
    assertThat(reading.place().overdue()).isZero();
    assertThat(reading.overdue()).isEmpty();
    // it is posted again, and comes
    served.close(BEGUN + DAY + 20, payment);
    PrivateMailbox.Bodies bodies = ask(read(reading.place()).place(), 1);
    assertThat(bodies.blobs()).containsExactly(payment);
    // without an answer it counts as found: another post would go overdue as well
    served.clear();
    served.close(BEGUN + 10, payment);
    served.down.addAll(List.of(1, 2, 3, 4));
    place = ask(begin(), 1).place();
    assertThat(readADayLater(place).overdue()).containsExactly(MailPlace.header(payment));
  }

  /** A wallet that did not sleep reads on when the day of a place has passed. */
  private PrivateMailbox.Reading readADayLater(MailPlace place) {
    served.close(BEGUN + 100, message(others, 7));
    MailPlace later = read(place).place();
    served.close(BEGUN + DAY + 11, message(others, 8));
    return read(later);
  }

  /** Opening a message of one's own takes longer than a stranger's: no query is behind it. */
  @Test
  @Spec("W-36")
  void nothingIsOpenedBetweenQueries() {
    served.close(BEGUN + 10, message(mine, 2), message(others, 1));
    try (HpkePrivateKey closed = HpkePrivateKey.generate(RANDOM)) {
      PrivateMailbox asking =
          new PrivateMailbox(NETWORK, 3, 2, served.keys(), BUCKET, closed, RANDOM);
      MailPlace place = begin();
      closed.close();
      PrivateMailbox.Asked asked = asking.ask(served, place, 5);
      assertThat(served.queries).isEqualTo(5);
      assertThat(opened(mailbox.open(asked, posted).blobs())).containsExactly(parcel(2));
    }
  }

  private static void assertMisbehaved(ThrowingCallable reading) {
    assertThat(failure(reading)).isEqualTo(Optional.of(WalletError.GATEWAY_MISBEHAVED));
  }

  private static void assertStale(ThrowingCallable reading) {
    assertThat(failure(reading)).isEqualTo(Optional.of(WalletError.MAILBOX_STALE));
  }

  private static Optional<WalletError> failure(ThrowingCallable reading) {
    return Optional.ofNullable(catchThrowableOfType(WalletException.class, reading))
        .map(WalletException::error);
  }

  private static byte[] change(byte[] page, int at) {
    byte[] changed = page.clone();
    changed[at] ^= 4;
    return changed;
  }

  private byte[] message(HpkePrivateKey reader, int content) {
    return parcels.seal(reader.publicKey(), parcel(content));
  }

  private static Parcel parcel(int content) {
    byte[] bytes = new byte[G1Point.BYTES];
    bytes[G1Point.BYTES / 2 - 1] = 1;
    bytes[G1Point.BYTES - 1] = (byte) content;
    return new Parcel.Registered(new Signature(new G1Point(bytes), new G1Point(bytes)));
  }
}
