package io.solidus.authority.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
import io.solidus.protocol.Spec;
import io.solidus.retrieval.QueryShare;
import io.solidus.retrieval.RetrievalQuery;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.hpke.SealedMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/** What a replica takes on, signs and answers, with gateways and readers that lie. */
class ReplicaTest {
  private static final long BEGUN = 1_000_000;
  private static final MailboxBucket MINE = new MailboxBucket(70);
  private static final MailboxBucket OTHER = new MailboxBucket(71);
  private static final NetworkId NETWORK = ServedTables.NETWORK;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private ServedTables served = new ServedTables(BEGUN - 10);
  private final ReplicaKeys first = keys(1);
  private final ReplicaKeys second = keys(2);

  private static ReplicaKeys keys(int authority) {
    byte[] secret = new byte[32];
    secret[0] = (byte) authority;
    return ReplicaKeys.fromSecret(authority, secret);
  }

  /** A replica that has seen no list yet. */
  private Replica fresh(int authority, DataSize memory) {
    return new Replica(
        new ReplicaProperties(
            NETWORK.value(),
            authority,
            "http://127.0.0.1:1",
            Path.of("unused"),
            memory,
            null,
            DataSize.ofGigabytes(1),
            false,
            Duration.ofSeconds(1),
            1,
            4,
            Duration.ofSeconds(5),
            null),
        authority == 1 ? first : second,
        served,
        new TableCopies(memory.toBytes()),
        Clock.fixed(Instant.ofEpochSecond(BEGUN), ZoneOffset.UTC),
        metrics);
  }

  /** A replica that follows the lists from now on. */
  private Replica replica(int authority) {
    Replica replica = fresh(authority, DataSize.ofMegabytes(1));
    replica.follow();
    return replica;
  }

  /** The commands of "Run a key ceremony" print these keys, for the network's services. */
  @Test
  @Spec("F-64")
  void theKeysOfASecretAreThoseOfTheHowTo() {
    byte[] secret = new byte[32];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) (i + 1);
    }
    ReplicaKeys keys = ReplicaKeys.fromSecret(7, secret);
    MailReplica named =
        new MailReplica(keys.shares().publicKey(), keys.lists().publicKey().publicKey());
    assertThat(HexFormat.of().formatHex(named.bytes()))
        .isEqualTo(
            "6c303304fb066e82a4424be5be996b93ca919677602687cfae700007bc437b74"
                + "a4969b04048c2cc797305325585c71639918f3529b81de16be72863c7cf3a866");
    assertThat(named.signer(7)).isEqualTo(keys.lists().publicKey());
  }

  /** Every record of two tables, and no server is told which. */
  @Test
  @Spec("F-55")
  void twoReplicasAnswerForEveryMessageOfADay() {
    List<Replica> replicas = List.of(replica(1), replica(2));
    ServedTables.Made early = served.close(BEGUN + 10, MINE, 5);
    ServedTables.Made others = served.close(BEGUN + 20, OTHER, 4);
    ServedTables.Made late = served.close(BEGUN + 30, MINE, 9);
    replicas.forEach(Replica::follow);
    List<Integer> records = List.of(5, 9);
    for (int table = 0; table < 2; table++) {
      List<byte[]> blobs = (table == 0 ? early : late).blobs();
      for (int i = 0; i < blobs.size(); i++) {
        int place = RetrievalWindow.place(records, table, i);
        assertThat(ask(replicas, MINE, BEGUN, BEGUN + 30, RetrievalWindow.size(records), place))
            .isEqualTo(blobs.get(i));
      }
    }
    assertThat(ask(replicas, OTHER, BEGUN, BEGUN + 30, 8, 3)).isEqualTo(others.blobs().get(3));
    // an older list is answered for, too
    assertThat(ask(replicas, MINE, BEGUN, BEGUN + 20, 8, 4)).isEqualTo(early.blobs().get(4));
  }

  @Test
  void aListIsSignedByTheReplicasOwnKey() {
    Replica replica = replica(1);
    served.close(BEGUN + 10, MINE, 1);
    assertThat(replica.countersigned(BEGUN + 10)).isEmpty();
    replica.follow();
    assertThat(
            replica
                .countersigned(BEGUN + 10)
                .orElseThrow()
                .requireSignedBy(first.lists().publicKey())
                .text())
        .isEqualTo(served.list.toNoteText(NETWORK));
    assertThat(replica.countersigned(BEGUN + 11)).isEmpty();
    assertThat(first.lists().publicKey().name()).isEqualTo("solidus-replica-1");
    assertThat(first.lists().publicKey()).isNotEqualTo(second.lists().publicKey());
    assertThat(first.shares().publicKey()).isNotEqualTo(second.shares().publicKey());
  }

  /** A gateway shows another list of the same time, in which a message is missing. */
  @Test
  void noSecondListOfATimeIsSigned() {
    Replica replica = replica(1);
    served.close(BEGUN + 10, MINE, 2);
    MailTableList before = served.list;
    served.close(BEGUN + 20, MINE, 2);
    replica.follow();
    String signed = replica.countersigned(BEGUN + 20).orElseThrow().text();
    served.list = before.with(BEGUN + 20, List.of());
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 20).orElseThrow().text()).isEqualTo(signed);
  }

  /** The one before may have crashed after it signed another list of that time. */
  @Test
  void aReplicaSignsNothingThatClosedBeforeItBegan() {
    Replica replica = replica(1);
    served.close(BEGUN, MINE, 1);
    replica.follow();
    assertThat(replica.countersigned(BEGUN)).isEmpty();
    served.close(BEGUN + 10, MINE, 1);
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 10)).isPresent();
  }

  /** A new process believes the state before the first tables, and so it signs no first list. */
  @Test
  void aReplicaSignsNothingThatItCannotCompare() {
    Replica replica = fresh(1, DataSize.ofMegabytes(1));
    served.close(BEGUN + 10, MINE, 1);
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 10)).isEmpty();
    served.close(BEGUN + 20, MINE, 1);
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 20)).isPresent();
  }

  /** Signed today, a list of tomorrow would keep all lists until then from being signed. */
  @Test
  void aListOfALaterTimeIsRefused() {
    Replica replica = replica(1);
    served.close(BEGUN + 61, MINE, 1);
    assertUnavailable(replica::follow);
    assertThat(replica.countersigned(BEGUN + 61)).isEmpty();
  }

  /** A mailbox that came back from a backup, or a list for one reader. */
  @Test
  void aListThatDoesNotContinueTheOneBeforeIsRefused() {
    Replica replica = replica(1);
    served.close(BEGUN + 10, MINE, 2);
    replica.follow();
    ServedTables fork = new ServedTables(BEGUN - 10);
    fork.close(BEGUN + 10, MINE, 1);
    fork.close(BEGUN + 20, MINE, 1);
    served.headers = any -> fork.headers(MINE, BEGUN + 10, BEGUN + 20);
    served.records = any -> fork.records(MINE, 1, BEGUN + 20);
    served.list = fork.list;
    assertRefused(replica, BEGUN + 20);
    served.list = new MailTableList(BEGUN + 20, new TreeMap<>());
    assertRefused(replica, BEGUN + 20);
    assertThat(refused("tables")).isEqualTo(2);
    assertThat(gauge("list.age.seconds")).isEqualTo(-10);
  }

  /** Reading takes longer than the interval, and at every authority differently. */
  @Test
  void replicasThatTakeOnOtherListsSignTheSame() {
    Replica steady = replica(1);
    Replica slow = replica(2);
    served.close(BEGUN + 10, MINE, 2);
    steady.follow();
    String early = served.list.toNoteText(NETWORK);
    served.close(BEGUN + 20, OTHER, 2);
    String late = served.list.toNoteText(NETWORK);
    slow.follow();
    served.close(BEGUN + 30, MINE, 2);
    steady.follow();
    assertThat(slow.countersigned(BEGUN + 10).orElseThrow().text()).isEqualTo(early);
    assertThat(steady.countersigned(BEGUN + 10).orElseThrow().text()).isEqualTo(early);
    assertThat(slow.countersigned(BEGUN + 20).orElseThrow().text()).isEqualTo(late);
    assertThat(steady.countersigned(BEGUN + 20).orElseThrow().text()).isEqualTo(late);
    assertThat(slow.countersigned(BEGUN + 30)).isEmpty();
  }

  /** Of the lists that it takes on at once, too, none closed before it began. */
  @Test
  void noListOfATimeBeforeTheBeginningIsSigned() {
    served = new ServedTables(BEGUN - 100);
    Replica replica = replica(1);
    served.close(BEGUN - 10, MINE, 2);
    served.close(BEGUN + 10, MINE, 2);
    replica.follow();
    assertThat(replica.countersigned(BEGUN - 10)).isEmpty();
    assertThat(replica.countersigned(BEGUN + 10)).isPresent();
  }

  /** A gateway may close tables each second. */
  @Test
  void signaturesAreBounded() {
    Replica replica = replica(1);
    for (int second = -5; second < 60; second++) {
      served.close(BEGUN + second, second % 2 == 0 ? MINE : OTHER, 1);
      if (second % 20 == 0) {
        replica.follow();
      }
    }
    replica.follow();
    List<Long> signed =
        LongStream.range(BEGUN - 5, BEGUN + 60)
            .filter(closed -> replica.countersigned(closed).isPresent())
            .boxed()
            .toList();
    assertThat(signed).hasSize(59).startsWith(BEGUN + 1).endsWith(BEGUN + 59);
    assertThat(TableCopies.MOST_LISTS).isEqualTo(64);
  }

  /** Not every refusal is an attack, and an attack need not be a list. */
  @Test
  void theReasonOfARefusalIsCounted() {
    Replica replica = fresh(1, DataSize.ofKilobytes(20));
    replica.follow();
    MailTableList before = served.list;
    served.close(BEGUN + 61, MINE, 1);
    assertUnavailable(replica::follow);
    served.list = before;
    served.close(BEGUN + 10, OTHER, 100);
    assertUnavailable(replica::follow);
    served.headers =
        page -> {
          throw ProtocolException.malformed("a page of headers is too short");
        };
    assertMalformed(replica::follow);
    served.headers =
        page -> {
          throw new ProtocolException(RejectionCode.UNAVAILABLE, "the gateway answers 503");
        };
    assertUnavailable(replica::follow);
    assertThat(metrics.find("solidus.replica.lists.refused").counters())
        .extracting(counter -> counter.getId().getTag("reason") + " " + counter.count())
        .containsExactlyInAnyOrder("ahead 1.0", "full 1.0", "malformed 1.0");
  }

  /** Whoever reads the log of a replica that does not follow finds the reason there. */
  @Test
  void theReasonOfARefusalIsLogged() {
    Logger logger = (Logger) LoggerFactory.getLogger(Replica.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      Replica replica = replica(1);
      served.close(BEGUN + 10, MINE, 4);
      served.records = page -> changed(page, 700);
      assertUnavailable(replica::follow);
      served.records =
          page -> {
            throw new UncheckedIOException(new IOException("No space left on device"));
          };
      assertThatThrownBy(replica::follow).isInstanceOf(UncheckedIOException.class);
    } finally {
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "the newest list of mail tables is not taken on: unavailable: the messages of a table are not those"
                + " of its list",
            "the newest list of mail tables is not taken on: java.io.IOException: No space left on"
                + " device");
  }

  private double refused(String reason) {
    return metrics.get("solidus.replica.lists.refused").tag("reason", reason).counter().count();
  }

  private double gauge(String name) {
    return metrics.get("solidus.replica." + name).gauge().value();
  }

  @Test
  void pagesThatAreNotTheListsAreRefused() {
    List<UnaryOperator<TablePages.Headers>> headers =
        List.of(
            page -> new TablePages.Headers(page.before(), page.reached(), List.of()),
            page -> new TablePages.Headers(page.before(), BEGUN, page.tables()),
            page -> new TablePages.Headers(page.before(), 0, page.tables()),
            page -> new TablePages.Headers(page.before(), Long.MAX_VALUE, page.tables()),
            page ->
                new TablePages.Headers(page.before(), page.reached(), page.tables().subList(1, 2)),
            page -> new TablePages.Headers(page.before(), page.reached(), page.tables().reversed()),
            page -> withFirst(page, 1));
    List<UnaryOperator<List<TablePages.Message>>> records =
        List.of(
            page -> List.of(),
            List::reversed,
            page -> changed(page, 10),
            page -> changed(page, 700));
    for (int i = 0; i < headers.size() + records.size(); i++) {
      served = new ServedTables(BEGUN - 10);
      Replica replica = replica(1);
      served.close(BEGUN + 10, MINE, 4);
      served.close(BEGUN + 20, MINE, 4);
      if (i < headers.size()) {
        served.headers = headers.get(i);
      } else {
        served.records = records.get(i - headers.size());
      }
      assertRefused(replica, BEGUN + 20);
      served.headers = UnaryOperator.identity();
      served.records = page -> page.subList(0, 1);
      replica.follow();
      assertThat(replica.countersigned(BEGUN + 20)).isPresent();
    }
  }

  /** Also a new process, which believes the state before the first table, misses none. */
  @Test
  void aReplicaThatBeginsIsShownEveryTableOfTheDay() {
    served.close(BEGUN - 8, MINE, 4);
    served.close(BEGUN - 6, MINE, 4);
    served.headers =
        page -> {
          TablePages.Table first = page.tables().getFirst();
          MailState before =
              new MailTable(
                      MINE,
                      first.closed(),
                      first.first(),
                      first.records(),
                      Digest32.sha256(first.headers()),
                      first.root())
                  .after(page.before());
          return new TablePages.Headers(before, page.reached(), page.tables().subList(1, 2));
        };
    Replica replica = fresh(1, DataSize.ofMegabytes(1));
    assertUnavailable(replica::follow);
    served.headers = page -> new TablePages.Headers(MailState.NONE, page.reached(), List.of());
    assertUnavailable(replica::follow);
    assertThat(replica.bytes()).isZero();
    served.headers = UnaryOperator.identity();
    replica.follow();
    assertThat(replica.bytes()).isEqualTo(2 * 4800);
  }

  /** Once a replica has a bucket's state, a page without its tables is no way around them. */
  @Test
  void aTableThatIsLeftOutIsMissed() {
    Replica replica = replica(1);
    served.close(BEGUN + 10, MINE, 4);
    replica.follow();
    served.close(BEGUN + 20, MINE, 4);
    served.headers = page -> new TablePages.Headers(page.before(), page.reached(), List.of());
    assertRefused(replica, BEGUN + 20);
    served.headers = UnaryOperator.identity();
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 20)).isPresent();
  }

  @Test
  void aDayIsKeptAndNoMore() {
    served = new ServedTables(BEGUN - 100_000);
    served.close(BEGUN - 90_000, MINE, 1);
    served.close(BEGUN - 3_000, MINE, 1);
    Replica replica = replica(1);
    assertThat(replica.bytes()).isEqualTo(2 * 4800);
    served.close(BEGUN + 10, MINE, 1);
    replica.follow();
    assertThat(replica.bytes()).isEqualTo(2 * 4800);
    served.headers =
        any -> {
          throw new AssertionError("nothing is new");
        };
    served.closeNothing(BEGUN + 20);
    replica.follow();
    assertThat(replica.countersigned(BEGUN + 20)).isPresent();
  }

  /** A flood fills the memory: the oldest tables go, and what fits no memory is not taken on. */
  @Test
  void memoryIsBounded() {
    Replica replica = fresh(1, DataSize.ofKilobytes(20));
    replica.follow();
    served.close(BEGUN + 10, MINE, 8);
    replica.follow();
    served.close(BEGUN + 20, OTHER, 8);
    replica.follow();
    assertThat(replica.bytes()).isEqualTo(8 * 1200 + 8 * 1200);
    assertThat(gauge("tables.reach.seconds")).as("a day").isGreaterThan(86_400);
    served.close(BEGUN + 30, OTHER, 1);
    replica.follow();
    assertThat(replica.bytes()).isEqualTo(8 * 1200 + 4800);
    assertThat(gauge("tables.reach.seconds")).as("of a full memory").isEqualTo(20);
    assertThat(gauge("tables.bytes")).isEqualTo(8 * 1200 + 4800);
    assertUnavailable(() -> ask(List.of(replica), MINE, BEGUN, BEGUN + 10, 8, 0));
    served.close(BEGUN + 40, OTHER, 100);
    assertRefused(replica, BEGUN + 40);
  }

  /** It would never start again on a day that is longer than its memory. */
  @Test
  void aReplicaThatWasAwayKeepsTheNewestThatFit() {
    served.close(BEGUN + 10, MINE, 8);
    served.close(BEGUN + 20, OTHER, 8);
    served.close(BEGUN + 30, MINE, 8);
    Replica replica = fresh(1, DataSize.ofKilobytes(20));
    replica.follow();
    assertThat(replica.bytes()).isEqualTo(8 * 1200 + 8 * 1200);
    assertUnavailable(() -> ask(List.of(replica), MINE, BEGUN, BEGUN + 30, 16, 0));
  }

  @Test
  void queriesForOtherTablesAreRefused() {
    Replica replica = replica(1);
    served.close(BEGUN + 10, MINE, 4);
    served.close(BEGUN + 20, MINE, 4);
    Digest32 state = served.list.state(MINE).digest();
    QueryShare share = RetrievalQuery.of(0, 16, 2, RANDOM).shares().getFirst();
    MailQuery right = new MailQuery(MINE, BEGUN, BEGUN + 20, state, share.encode());
    assertUnavailable(() -> replica.answer(sealed(1, right)));
    replica.follow();
    assertThat(replica.answer(sealed(1, right))).hasSize(1200 + 28);
    for (MailQuery other :
        List.of(
            new MailQuery(OTHER, BEGUN, BEGUN + 20, state, share.encode()),
            new MailQuery(MINE, BEGUN, BEGUN + 10, state, share.encode()),
            new MailQuery(MINE, BEGUN, BEGUN + 30, state, share.encode()),
            new MailQuery(MINE, BEGUN + 20, BEGUN + 21, state, share.encode()),
            new MailQuery(MINE, 0, BEGUN + 20, state, share.encode()),
            new MailQuery(MINE, BEGUN, BEGUN + 20, Digest32.sha256(), share.encode()))) {
      assertUnavailable(() -> replica.answer(sealed(1, other)));
    }
    MailQuery longer = new MailQuery(MINE, BEGUN, BEGUN + 20, state, new byte[] {1, 0, 0, 0});
    assertMalformed(() -> replica.answer(sealed(1, longer)));
  }

  @Test
  void sharesThatAreSealedToOthersAreRefused() {
    Replica replica = replica(1);
    served.close(BEGUN + 10, MINE, 4);
    replica.follow();
    MailQuery query =
        new MailQuery(MINE, BEGUN, BEGUN + 10, served.list.state(MINE).digest(), new byte[] {1, 1});
    assertThat(replica.answer(sealed(1, query))).isNotEmpty();
    assertMalformed(() ->
        replica.answer(
            QueryEnvelope.seal(second.shares().publicKey(), NETWORK, 1, query).message()));
    assertMalformed(() ->
        replica.answer(
            QueryEnvelope.seal(first.shares().publicKey(), NETWORK, 2, query).message()));
    assertMalformed(() ->
        replica.answer(
            QueryEnvelope.seal(first.shares().publicKey(), new NetworkId("solidus-other"), 1, query)
                .message()));
    assertMalformed(() -> replica.answer(new SealedMessage(new byte[32], new byte[100])));
    assertMalformed(() -> replica.answer(new SealedMessage(new byte[3], new byte[0])));
  }

  private SealedMessage sealed(int authority, MailQuery query) {
    ReplicaKeys keys = authority == 1 ? first : second;
    return QueryEnvelope.seal(keys.shares().publicKey(), NETWORK, authority, query).message();
  }

  /** What a wallet does. */
  private byte[] ask(
      List<Replica> replicas, MailboxBucket bucket, long after, long upto, int size, int place) {
    RetrievalQuery query = RetrievalQuery.of(place, size, Math.max(2, replicas.size()), RANDOM);
    List<byte[]> answers = new ArrayList<>();
    for (int i = 0; i < replicas.size(); i++) {
      MailQuery share =
          new MailQuery(
              bucket,
              after,
              upto,
              served.stateAt(bucket, upto).digest(),
              query.shares().get(i).encode());
      try (QueryEnvelope.Asked asked =
          QueryEnvelope.seal(
              (i == 0 ? first : second).shares().publicKey(), NETWORK, i + 1, share)) {
        answers.add(asked.openAnswer(replicas.get(i).answer(asked.message())));
      }
    }
    return query.combine(answers, 1200);
  }

  private void assertRefused(Replica replica, long closed) {
    assertUnavailable(replica::follow);
    assertThat(replica.countersigned(closed)).isEmpty();
  }

  private static TablePages.Headers withFirst(TablePages.Headers page, long first) {
    List<TablePages.Table> tables = new ArrayList<>(page.tables());
    TablePages.Table last = tables.removeLast();
    tables.add(
        new TablePages.Table(last.closed(), first, last.records(), last.root(), last.headers()));
    return new TablePages.Headers(page.before(), page.reached(), tables);
  }

  private static List<TablePages.Message> changed(List<TablePages.Message> page, int at) {
    List<TablePages.Message> records = new ArrayList<>(page);
    TablePages.Message last = records.removeLast();
    byte[] blob = last.blob().clone();
    blob[at] ^= 1;
    records.add(new TablePages.Message(last.number(), blob));
    return records;
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertCode(call, RejectionCode.UNAVAILABLE);
  }

  private static void assertMalformed(ThrowingCallable call) {
    assertCode(call, RejectionCode.MALFORMED_REQUEST);
  }

  private static void assertCode(ThrowingCallable call, RejectionCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ProtocolException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }
}
