package io.solidus.edge.gateway.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.edge.gateway.GatewayFixture;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.Spec;
import io.solidus.retrieval.TableTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** Final tables of the mailbox, as a reader who believes nothing reads them. */
@Tag("process")
class MailTablesTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Generators RANDOM = new Generators(69);
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static final MailboxBucket MINE = new MailboxBucket(70);
  private static final int INTERVAL = 10;
  private static final SimpleMeterRegistry METRICS = new SimpleMeterRegistry();
  private static final int RECORD = 8 + 1200;
  private static GatewayFixture gateway;
  private static MailboxStore store;
  private static JdbcClient jdbc;
  private static MailTables tables;
  private long now = 1_000_000;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    store = gateway.bean(MailboxStore.class);
    jdbc = gateway.bean(JdbcClient.class);
    tables = tables();
  }

  @AfterAll
  static void stop() {
    gateway.close();
    THREADS.shutdownNow();
  }

  @BeforeEach
  void empty() {
    jdbc.sql(
            "TRUNCATE mailbox, mailbox_post, mailbox_list, mailbox_table, mailbox_countersignature")
        .update();
  }

  private static MailTables tables() {
    return tables(65_536, METRICS);
  }

  /**
   * @param most messages of one close
   */
  private static MailTables tables(int most, MeterRegistry metrics) {
    return new MailTables(
        store,
        jdbc,
        gateway.bean(PlatformTransactionManager.class),
        TestCommittee.NETWORK,
        new MailTableProperties(Duration.ofSeconds(INTERVAL), List.of(), List.of(), ""),
        Clock.systemUTC(),
        metrics,
        most);
  }

  /**
   * @param headers in hexadecimal
   */
  private record Read(MailTable table, List<String> headers) {}

  private record Page(MailState before, long reached, List<Read> tables) {
    static Page of(byte[] content, MailboxBucket bucket) {
      ByteBuffer in = ByteBuffer.wrap(content);
      assertThat(in.get()).isEqualTo((byte) 1);
      Digest32 before = Digest32.of(bytes(in, 32));
      long previous = in.getLong();
      long reached = in.getLong();
      List<Read> read = new ArrayList<>();
      while (in.hasRemaining()) {
        long closed = in.getLong();
        long first = in.getLong();
        int records = in.getInt();
        Digest32 root = Digest32.of(bytes(in, 32));
        List<byte[]> headers = IntStream.range(0, records).mapToObj(i -> bytes(in, 34)).toList();
        Digest32 digest = Digest32.sha256(headers.toArray(byte[][]::new));
        read.add(
            new Read(
                new MailTable(bucket, closed, first, records, digest, root),
                headers.stream().map(HexFormat.of()::formatHex).toList()));
      }
      return new Page(new MailState(previous, before), reached, read);
    }

    MailState state() {
      MailState state = before;
      for (Read each : tables) {
        state = each.table().after(state);
      }
      return state;
    }
  }

  /**
   * The state in the list follows from headers and roots, and the roots from the messages; what was
   * posted to other buckets, and before the first list, is not there.
   */
  @Test
  @Spec({"F-51", "F-52", "F-53", "F-54"})
  void aListFixesWhatWasPostedToEachBucket() throws Exception {
    post(MINE);
    close();
    byte[] first = post(MINE);
    byte[] other = post(new MailboxBucket(71));
    byte[] second = post(MINE);
    long unused = close();
    byte[] third = post(MINE);
    byte[] old = post(MailboxBucket.WHOLE);
    long upto = close();
    MailTableList list = list();
    assertThat(list.closed()).isEqualTo(upto);
    assertThat(list.states().keySet()).containsExactly(1, 70, 71);
    Page page = page(MINE, 0, upto);
    assertThat(page.before()).isEqualTo(MailState.NONE);
    assertThat(page.reached()).isEqualTo(upto);
    assertThat(page.state()).isEqualTo(list.state(MINE));
    assertThat(page.tables())
        .extracting(Read::headers)
        .containsExactly(headers(first, second), headers(third));
    long before = page.tables().getFirst().table().first() - 1;
    assertThat(records(MINE, before, upto)).containsExactly(first, second, third);
    assertThat(page.tables().getFirst().table().root())
        .isEqualTo(TableTree.root(List.of(first, second)));
    assertThat(page.tables().getLast().table().root()).isEqualTo(TableTree.root(List.of(third)));
    assertThat(records(MailboxBucket.WHOLE, 0, upto)).containsExactly(old);
    assertThat(records(new MailboxBucket(71), 0, upto)).containsExactly(other);
    assertThat(page(new MailboxBucket(35), 0, upto).tables()).isEmpty();
    // from the middle of the chain
    Page rest = page(MINE, page.tables().getFirst().table().closed(), upto);
    assertThat(rest.tables()).hasSize(1);
    assertThat(rest.state()).isEqualTo(list.state(MINE));
  }

  /** Otherwise two readers would have two tables of one time. */
  @Test
  void aTableNeverChanges() throws Exception {
    close();
    post(MINE);
    long upto = close();
    String path = "/v1/mailbox/tables/70/headers?after=0&upto=" + upto;
    HttpResponse<byte[]> answer = get(path);
    assertThat(answer.headers().firstValue("Cache-Control")).hasValue("max-age=3600, public");
    post(MINE);
    tables.close(Instant.ofEpochSecond(upto));
    tables.close(Instant.ofEpochSecond(upto - INTERVAL));
    close();
    assertThat(get(path).body()).isEqualTo(answer.body());
    String tag = answer.headers().firstValue("ETag").orElseThrow();
    assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    HttpResponse<byte[]> part = get(path, "Range", "bytes=49-");
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).isEqualTo(Arrays.copyOfRange(answer.body(), 49, answer.body().length));
    assertThat(records(MINE, 0, upto)).hasSize(1);
  }

  /** Posts go on while tables close, at two gateways of one database. */
  @Test
  void everyMessageIsInOneTable() throws Exception {
    close();
    MailTables other = tables();
    List<byte[]> posted = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<Void>> posters =
        IntStream.range(0, 4)
            .mapToObj(n ->
                CompletableFuture.runAsync(
                    () -> IntStream.range(0, 50).forEach(i -> posted.add(post(MINE))), THREADS))
            .toList();
    while (!posters.stream().allMatch(CompletableFuture::isDone)) {
      Instant at = Instant.ofEpochSecond(next());
      CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> other.close(at), THREADS);
      tables.close(at);
      beside.join();
    }
    CompletableFuture.allOf(posters.toArray(CompletableFuture[]::new)).join();
    long upto = close();
    List<byte[]> found = new ArrayList<>();
    MailState state = MailState.NONE;
    for (Read each : page(MINE, 0, upto).tables()) {
      List<byte[]> records = records(MINE, each.table().first() - 1, each.table().closed());
      assertThat(TableTree.root(records)).isEqualTo(each.table().root());
      assertThat(headers(records.toArray(byte[][]::new))).isEqualTo(each.headers());
      state = each.table().after(state);
      found.addAll(records);
    }
    assertThat(state).isEqualTo(list().state(MINE));
    assertThat(found).hasSize(200).containsExactlyInAnyOrderElementsOf(posted);
    assertThat(jdbc.sql("SELECT count(*) FROM mailbox_list").query(Long.class).single())
        .isEqualTo((upto - 1_000_000) / INTERVAL);
  }

  /** The page ends before a table that would make it too long, and says so. */
  @Test
  void aPageIsBounded() throws Exception {
    close();
    List<Long> closed = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      jdbc.sql(
              "INSERT INTO mailbox (blob, bucket) SELECT decode(repeat('00', 1200), 'hex'), 70"
                  + " FROM generate_series(1, ?)")
          .param(HeaderPage.MAX_HEADERS / 2)
          .update();
      closed.add(close());
    }
    Page page = page(MINE, 0, closed.get(2));
    assertThat(page.tables()).hasSize(2);
    assertThat(page.reached()).isEqualTo(closed.get(1));
    Page rest = page(MINE, page.reached(), closed.get(2));
    assertThat(rest.before()).isEqualTo(page.state());
    assertThat(rest.reached()).isEqualTo(closed.get(2));
    assertThat(rest.state()).isEqualTo(list().state(MINE));
  }

  /** A table without its oldest messages would be another one; the chain goes on from its state. */
  @Test
  void aTableGoesWithTheFirstMessageThatExpires() throws Exception {
    close();
    post(MINE);
    post(MINE);
    long expired = close();
    byte[] kept = post(MINE);
    long upto = close();
    Page all = page(MINE, 0, upto);
    jdbc.sql("DELETE FROM mailbox WHERE sequence = ?")
        .param(all.tables().getFirst().table().first())
        .update();
    RestProbe.Answer meanwhile =
        gateway.rest.get("/v1/mailbox/tables/70/headers?after=0&upto=" + upto);
    assertThat(meanwhile.code()).isEqualTo("unavailable");
    upto = close();
    Page rest = page(MINE, 0, upto);
    assertThat(rest.tables()).extracting(Read::headers).containsExactly(headers(kept));
    assertThat(rest.before()).isEqualTo(all.tables().getFirst().table().after(MailState.NONE));
    assertThat(rest.state()).isEqualTo(list().state(MINE));
    assertThat(rest.tables().getFirst().table().closed()).isGreaterThan(expired);
  }

  @Test
  void otherTablesAreRefused() {
    assertThat(gateway.rest.get("/v1/mailbox/tables").code()).isEqualTo("not-found");
    long upto = close();
    for (String page : List.of("headers", "records")) {
      String path = "/v1/mailbox/tables/%s/" + page + "?after=%s&upto=%s";
      assertThat(gateway.rest.get(path.formatted(70, 0, upto)).status()).isEqualTo(200);
      for (long unknown : List.of(1L, upto + 1, upto + INTERVAL, Long.MAX_VALUE)) {
        assertThat(gateway.rest.get(path.formatted(70, 0, unknown)).code()).isEqualTo("not-found");
      }
      for (Object bucket : List.of(0, 128, -1, "x")) {
        assertThat(gateway.rest.get(path.formatted(bucket, 0, upto)).code())
            .isEqualTo("malformed-request");
      }
      assertThat(gateway.rest.get(path.formatted(70, -1, upto)).code())
          .isEqualTo("malformed-request");
      assertThat(gateway.rest.get(path.formatted(70, 0, 0)).code()).isEqualTo("malformed-request");
      assertThat(gateway.rest.get("/v1/mailbox/tables/70/" + page).code())
          .isEqualTo("malformed-request");
    }
    for (int limit : List.of(0, 501)) {
      assertThat(
              gateway
                  .rest
                  .get("/v1/mailbox/tables/70/records?upto=" + upto + "&limit=" + limit)
                  .code())
          .isEqualTo("malformed-request");
    }
  }

  private static byte[] post(MailboxBucket bucket) {
    byte[] blob;
    synchronized (RANDOM) {
      blob = RANDOM.bytes(1200);
    }
    assertThat(store.post(blob, bucket, Optional.empty())).isPositive();
    return blob;
  }

  /** Also what peers and payers send faster than tables take it. */
  @Test
  void messagesInNoTableAreCounted() {
    post(MINE);
    close();
    assertThat(behind()).as("what was there before the first list is in none").isZero();
    post(MINE);
    post(MINE);
    tables.close(Instant.ofEpochSecond(now));
    assertThat(behind()).isEqualTo(2);
    close();
    assertThat(behind()).isZero();
  }

  /**
   * A backlog of more than a close takes. A wallet that believed a list of the interval's end would
   * never look for the rest; it takes no list that is an hour old (W-38).
   */
  @Test
  @Spec("F-52")
  void aListSaysUpToWhenTablesAreComplete() throws Exception {
    SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    MailTables few = tables(3, metrics);
    long begun = close();
    List<byte[]> posted = new ArrayList<>(posts(10));
    long hour = begun + 3600 - begun % INTERVAL;
    for (int i = 1; i <= 3; i++) {
      assertThat(few.close(Instant.ofEpochSecond(hour))).isFalse();
      assertThat(list().closed()).as("an hour ago, not now").isEqualTo(begun + i);
      assertThat(allRecords()).containsExactlyElementsOf(posted.subList(0, 3 * i));
      // what comes while the backlog is worked off belongs to the next interval
      posted.addAll(posts(2));
    }
    assertThat(behind(metrics)).isEqualTo(5);
    // the interval that ended meanwhile is behind the one that the backlog belongs to
    assertThat(few.close(Instant.ofEpochSecond(hour + INTERVAL))).isFalse();
    assertThat(list().closed()).isEqualTo(hour);
    assertThat(allRecords()).containsExactlyElementsOf(posted.subList(0, 12));
    assertThat(few.close(Instant.ofEpochSecond(hour + INTERVAL))).isFalse();
    assertThat(list().closed()).isEqualTo(hour + 1);
    assertThat(few.close(Instant.ofEpochSecond(hour + INTERVAL))).isTrue();
    assertThat(list().closed()).isEqualTo(hour + INTERVAL);
    assertThat(allRecords()).containsExactlyElementsOf(posted);
    assertThat(page(MINE, 0, hour + INTERVAL).state()).isEqualTo(list().state(MINE));
    assertThat(few.close(Instant.ofEpochSecond(hour + INTERVAL))).isTrue();
    assertThat(behind(metrics)).isZero();
  }

  /** The process that knew the interval's end is gone, or another gateway goes on. */
  @Test
  void anotherProcessWorksTheBacklogOff() throws Exception {
    long begun = close();
    List<byte[]> posted = posts(7);
    Instant ended = Instant.ofEpochSecond(next());
    assertThat(tables(3, METRICS).close(ended)).isFalse();
    assertThat(tables(3, METRICS).close(ended)).isFalse();
    assertThat(list().closed()).isEqualTo(begun + 2);
    assertThat(tables(3, METRICS).close(ended)).isTrue();
    assertThat(list().closed()).isEqualTo(ended.getEpochSecond());
    assertThat(allRecords()).containsExactlyElementsOf(posted);
  }

  /**
   * More than a second's table takes in each second: there is no time left that would be true. With
   * the next interval tables go on; otherwise there would never be a list again.
   */
  @Test
  void noListLiesAboutItsTime() throws Exception {
    long begun = close();
    List<byte[]> posted = new ArrayList<>(posts(INTERVAL + 1));
    SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    MailTables one = tables(1, metrics);
    Instant ended = Instant.ofEpochSecond(next());
    for (int i = 1; i < INTERVAL; i++) {
      assertThat(one.close(ended)).isFalse();
    }
    posted.addAll(posts(1));
    assertThatIllegalStateException().isThrownBy(() -> one.close(ended));
    assertThat(list().closed()).isEqualTo(begun + INTERVAL - 1);
    assertThat(behind(metrics)).as("also when there is no list").isEqualTo(3);
    Instant later = Instant.ofEpochSecond(next());
    assertThat(one.close(later)).isFalse();
    assertThat(list().closed()).isEqualTo(begun + INTERVAL);
    assertThat(one.close(later)).isFalse();
    assertThat(one.close(later)).isTrue();
    assertThat(list().closed()).isEqualTo(later.getEpochSecond());
    assertThat(allRecords()).containsExactlyElementsOf(posted);
    assertThat(behind(metrics)).isZero();
  }

  /** Its list would be of a time that no other gateway reaches for an hour. */
  @Test
  void aGatewayWhoseClockIsAheadStopsNoLists() {
    close();
    MailTables ahead = tables(10, new SimpleMeterRegistry());
    assertThat(ahead.close(Instant.now().plus(Duration.ofHours(1)))).isTrue();
    long second = Instant.now().getEpochSecond();
    assertThat(list().closed()).isBetween(second - 3 * INTERVAL, second);
  }

  private static List<byte[]> posts(int number) {
    return IntStream.range(0, number).mapToObj(i -> post(MINE)).toList();
  }

  /** The messages of all tables, as the newest list has them. */
  private static List<byte[]> allRecords() throws Exception {
    long upto = list().closed();
    return records(MINE, page(MINE, 0, upto).tables().getFirst().table().first() - 1, upto);
  }

  private static double behind() {
    return behind(METRICS);
  }

  private static double behind(MeterRegistry metrics) {
    return metrics.get("solidus.gateway.mail.tables.behind").gauge().value();
  }

  private long next() {
    now += INTERVAL;
    return now;
  }

  /** Closes the next tables; returns their time. */
  private long close() {
    long closed = next();
    tables.close(Instant.ofEpochSecond(closed + INTERVAL - 1));
    return closed;
  }

  private static MailTableList list() {
    return MailTableList.parse(
        TestCommittee.NETWORK, gateway.rest.get("/v1/mailbox/tables").body());
  }

  private static Page page(MailboxBucket bucket, long after, long upto) throws Exception {
    String path = "/v1/mailbox/tables/" + bucket.number() + "/headers";
    return Page.of(get(path + "?after=" + after + "&upto=" + upto).body(), bucket);
  }

  /** All messages after a number. */
  private static List<byte[]> records(MailboxBucket bucket, long after, long upto)
      throws Exception {
    List<byte[]> all = new ArrayList<>();
    long place = after;
    int found;
    do {
      String path = "/v1/mailbox/tables/" + bucket.number() + "/records";
      byte[] page = get(path + "?after=" + place + "&upto=" + upto + "&limit=200").body();
      ByteBuffer in = ByteBuffer.wrap(page);
      assertThat(in.get()).isEqualTo((byte) 1);
      assertThat(in.remaining() % RECORD).isZero();
      found = in.remaining() / RECORD;
      for (int i = 0; i < found; i++) {
        place = in.getLong();
        all.add(bytes(in, 1200));
      }
    } while (found == 200);
    return all;
  }

  private static List<String> headers(byte[]... blobs) {
    return Arrays.stream(blobs).map(blob -> HexFormat.of().formatHex(blob, 0, 34)).toList();
  }

  private static HttpResponse<byte[]> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + ServicePorts.http(gateway.context) + path))
            .timeout(Duration.ofSeconds(30));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] out = new byte[length];
    in.get(out);
    return out;
  }
}
