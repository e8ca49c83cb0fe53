package io.solidus.wallet.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Signature;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.retrieval.QueryShare;
import io.solidus.retrieval.RetrievalTable;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.retrieval.TableTree;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A wallet that reads headers and asks for bodies, at gateways and authorities that lie. */
class PrivateMailboxTest {
  private static final NetworkId NETWORK = new NetworkId("solidus-test");
  private static final MailboxBucket BUCKET = new MailboxBucket(70);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long BEGUN = 1_000_000;
  private static final long HOUR = 3_600_000;

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
    UnaryOperator<byte[]> page = UnaryOperator.identity();
    MailTableList list = new MailTableList(BEGUN, new TreeMap<>());

    Served() {
      for (int i = 1; i <= 4; i++) {
        shares.add(HpkePrivateKey.generate(RANDOM));
        byte[] seed = new byte[32];
        seed[0] = (byte) i;
        lists.add(NoteSigner.fromSeed("solidus-replica-" + i, seed));
      }
    }

    List<ReplicaKey> keys() {
      List<ReplicaKey> keys = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        keys.add(new ReplicaKey(i, shares.get(i - 1).publicKey(), lists.get(i - 1).publicKey()));
      }
      return keys;
    }

    void close(long closed, byte[]... blobs) {
      ByteArrayOutputStream headers = new ByteArrayOutputStream();
      for (byte[] blob : blobs) {
        headers.write(blob, 0, MailTable.HEADER_BYTES);
      }
      before.add(list.state(BUCKET));
      MailTable table =
          new MailTable(
              BUCKET,
              closed,
              1 + messages.stream().mapToInt(List::size).sum(),
              blobs.length,
              Digest32.sha256(headers.toByteArray()),
              TableTree.root(List.of(blobs)));
      tables.add(table);
      messages.add(List.of(blobs));
      list = list.with(closed, List.of(table));
    }

    @Override
    public String note() {
      String text = list.toNoteText(NETWORK);
      return SignedNote.sign(text, lists.subList(0, signers).toArray(NoteSigner[]::new)).encode();
    }

    @Override
    public byte[] headers(MailboxBucket bucket, long after, long upto) {
      return page.apply(honest(after, upto));
    }

    byte[] honest(long after, long upto) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      MailState first = MailState.NONE;
      for (int i = tables.size() - 1; i >= 0; i--) {
        if (tables.get(i).closed() > after) {
          first = before.get(i);
        }
      }
      out.write(1);
      out.writeBytes(first.digest().bytes());
      out.writeBytes(ByteBuffer.allocate(16).putLong(first.closed()).putLong(upto).array());
      for (int i = 0; i < tables.size(); i++) {
        MailTable table = tables.get(i);
        if (table.closed() > after && table.closed() <= upto) {
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
    public Map<Integer, byte[]> query(Map<Integer, SealedMessage> asked) {
      queries++;
      Map<Integer, byte[]> answers = new HashMap<>();
      asked.forEach((authority, sealed) -> {
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
          if (tables.get(i).closed() > query.after() && tables.get(i).closed() <= query.upto()) {
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

  @Test
  @Spec({"F-53", "F-55"})
  void ownMessagesAreFoundByTheirHeadersAndRead() {
    PrivateMailbox.Place place = PrivateMailbox.Place.start(0);
    served.close(BEGUN + 10, message(others, 1), message(mine, 2), message(others, 3));
    served.close(BEGUN + 20, message(others, 4));
    place = mailbox.read(served, place).place();
    assertThat(place.waiting()).containsExactly(new PrivateMailbox.Waiting(BEGUN + 10, 1));
    served.close(BEGUN + 30, message(mine, 5), message(mine, 6));
    place = mailbox.read(served, place).place();
    assertThat(place.waiting()).hasSize(3);
    PrivateMailbox.Bodies bodies = mailbox.ask(served, place, 24 * HOUR);
    assertThat(bodies.parcels()).containsExactly(parcel(2), parcel(5), parcel(6));
    assertThat(bodies.place().waiting()).isEmpty();
  }

  /** A wallet that slept for ten days asks as often with mail as without. */
  @Test
  void howOftenAWalletAsksSaysNothing() {
    served.close(BEGUN + 10, message(others, 1), message(others, 2));
    PrivateMailbox.Place without = mailbox.read(served, PrivateMailbox.Place.start(0)).place();
    served.close(BEGUN + 20, message(mine, 3), message(mine, 4));
    PrivateMailbox.Place with = mailbox.read(served, PrivateMailbox.Place.start(0)).place();
    for (PrivateMailbox.Place place : List.of(without, with)) {
      served.queries = 0;
      PrivateMailbox.Place after = mailbox.ask(served, place, 240 * HOUR).place();
      assertThat(served.queries).isEqualTo(PrivateMailbox.QUERIES_A_DAY);
      assertThat(after.nextQueryMillis()).isBetween(240 * HOUR + 1, 242 * HOUR);
      mailbox.ask(served, after, after.nextQueryMillis() - 1);
      assertThat(served.queries).isEqualTo(PrivateMailbox.QUERIES_A_DAY);
      mailbox.ask(served, after, after.nextQueryMillis());
      assertThat(served.queries).isGreaterThan(PrivateMailbox.QUERIES_A_DAY);
    }
  }

  /** Failures are not made up for: that would tell that something was waiting. */
  @Test
  void whatFailsChangesNoScheduleAndIsAskedForAgain() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    PrivateMailbox.Place place = mailbox.read(served, PrivateMailbox.Place.start(0)).place();
    served.down.addAll(List.of(1, 2, 3, 4));
    PrivateMailbox.Bodies none = mailbox.ask(served, place, 240 * HOUR);
    assertThat(none.parcels()).isEmpty();
    assertThat(none.place().waiting()).isEqualTo(place.waiting());
    assertThat(served.queries).isEqualTo(PrivateMailbox.QUERIES_A_DAY);
    served.down.clear();
    PrivateMailbox.Bodies read = mailbox.ask(served, none.place(), 480 * HOUR);
    assertThat(read.parcels()).containsExactly(parcel(2));
  }

  /** One of four lies: half of the draws have an honest pair. */
  @Test
  void aLiarCostsTimeOnly() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    PrivateMailbox.Place place = mailbox.read(served, PrivateMailbox.Place.start(0)).place();
    served.liars.add(2);
    List<Parcel> read = new ArrayList<>();
    for (int day = 1; day < 10 && read.isEmpty(); day++) {
      PrivateMailbox.Bodies bodies = mailbox.ask(served, place, 240L * day * HOUR);
      read.addAll(bodies.parcels());
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
    PrivateMailbox.Place place = mailbox.read(served, PrivateMailbox.Place.start(0)).place();
    PrivateMailbox.Bodies bodies = mailbox.ask(served, place, 240 * HOUR);
    assertThat(bodies.parcels()).containsExactly(parcel(2));
    assertThat(bodies.place().waiting()).hasSize(1);
    served.close(BEGUN + 86_411, message(others, 3));
    PrivateMailbox.Headers later = mailbox.read(served, bodies.place());
    assertThat(later.place().waiting()).isEmpty();
    assertThat(later.missed()).isEqualTo(1);
    assertThat(later.place().tables()).hasSize(1);
  }

  @Test
  void listsWithTooFewSignaturesAreRefused() {
    served.close(BEGUN + 10, message(mine, 2));
    served.signers = 2;
    assertMisbehaved(PrivateMailbox.Place.start(0));
  }

  /** Each of these pages would hide a message, or show one that is not there. */
  @Test
  void headersThatAreNotTheListsAreRefused() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    PrivateMailbox.Place place = mailbox.read(served, PrivateMailbox.Place.start(0)).place();
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
      assertMisbehaved(place);
    }
    // nor is a wallet that has no place shown less than the day
    served.page = page -> Arrays.copyOf(page, 49);
    assertMisbehaved(PrivateMailbox.Place.start(0));
    served.page = any -> served.honest(BEGUN + 10, BEGUN + 20);
    assertMisbehaved(PrivateMailbox.Place.start(0));
    served.page = UnaryOperator.identity();
    assertThat(mailbox.read(served, place).place().waiting()).hasSize(2);
  }

  /** The mailbox came back from a backup: another table has the time of one that was read. */
  @Test
  void tablesThatDoNotContinueAreReadAgain() {
    served.close(BEGUN + 10, message(others, 1), message(mine, 2));
    PrivateMailbox.Place place = mailbox.read(served, PrivateMailbox.Place.start(0)).place();
    served.tables.clear();
    served.messages.clear();
    served.before.clear();
    served.list = new MailTableList(BEGUN, new TreeMap<>());
    served.close(BEGUN + 10, message(mine, 3));
    served.close(BEGUN + 20, message(others, 4));
    PrivateMailbox.Headers again = mailbox.read(served, place);
    assertThat(again.again()).isTrue();
    assertThat(mailbox.ask(served, again.place(), 24 * HOUR).parcels()).containsExactly(parcel(3));
  }

  private void assertMisbehaved(PrivateMailbox.Place place) {
    WalletException failed =
        catchThrowableOfType(WalletException.class, () -> mailbox.read(served, place));
    assertThat(failed).isNotNull();
    assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
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
