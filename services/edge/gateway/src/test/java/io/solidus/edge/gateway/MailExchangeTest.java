package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Spec;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.v1.MailExchangeServiceGrpc;
import io.solidus.wire.v1.PostedMessage;
import io.solidus.wire.v1.PullReply;
import io.solidus.wire.v1.PullRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Two gateways with databases of their own, "a" and "b", that pull from each other. Two further
 * peers of "a" lie.
 */
@Tag("process")
@Timeout(120)
class MailExchangeTest {
  private static final int BUCKET = 70;
  private static final int PER_SECOND = 400;
  private static GatewayFixture a;
  private static GatewayFixture b;
  private static FakePeer third;
  private static FakePeer liar;
  private static ManagedChannel toA;
  private static JdbcClient ofA;
  private static JdbcClient ofB;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() throws IOException {
    int portA = freePort();
    int portB = freePort();
    int portThird = freePort();
    int portLiar = freePort();
    third = new FakePeer(portThird);
    liar = new FakePeer(portLiar);
    a = gateway(portA, Map.of("b", portB, "third", portThird, "liar", portLiar));
    b = gateway(portB, Map.of("a", portA));
    ofA = a.database.jdbc();
    ofB = b.database.jdbc();
    toA = NettyChannelBuilder.forAddress("127.0.0.1", portA).usePlaintext().build();
  }

  private static GatewayFixture gateway(int port, Map<String, Integer> peers) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("spring.grpc.server.enabled", true);
    properties.put("spring.grpc.server.address", "127.0.0.1");
    properties.put("spring.grpc.server.port", port);
    properties.put("spring.grpc.server.shutdown.grace-period", "1s");
    properties.put("solidus.gateway.exchange.interval", "50ms");
    properties.put("solidus.gateway.exchange.max-per-second", PER_SECOND);
    int n = 0;
    for (Map.Entry<String, Integer> peer : peers.entrySet()) {
      String prefix = "solidus.gateway.exchange.peers[" + n++ + "].";
      properties.put(prefix + "name", peer.getKey());
      properties.put(prefix + "address", "127.0.0.1:" + peer.getValue());
    }
    return new GatewayFixture(properties);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void stop() {
    toA.shutdownNow();
    a.close();
    b.close();
    third.close();
    liar.close();
  }

  @BeforeEach
  void thirdIsRead() {
    third.post(BUCKET, random.bytes(1200));
    awaitThirdIsRead();
  }

  @AfterEach
  void honest() {
    third.lie = (request, honest) -> honest;
  }

  private static void awaitThirdIsRead() {
    Eventually.holds(() -> assertThat(place("third")).isEqualTo(third.messages.size()));
  }

  /** The place of "a" in the mailbox of a peer. */
  private static long place(String peer) {
    return ofA.sql(
            "SELECT coalesce((SELECT number FROM mailbox_peer_place WHERE peer = ?"
                + " ORDER BY day DESC LIMIT 1), 0)")
        .param(peer)
        .query(Long.class)
        .single();
  }

  private byte[] post(GatewayFixture gateway) {
    return post(gateway, random.bytes(1200));
  }

  private static byte[] post(GatewayFixture gateway, byte[] blob) {
    assertThat(
            gateway
                .rest
                .post("/v1/mailbox", Map.of("blob", Base64Url.encode(blob), "bucket", BUCKET))
                .status())
        .isEqualTo(201);
    return blob;
  }

  /** The buckets in which a mailbox has this message, once for each copy. */
  private static List<Integer> buckets(JdbcClient mailbox, byte[] blob) {
    return mailbox
        .sql("SELECT bucket FROM mailbox WHERE blob = ? ORDER BY bucket")
        .param(blob)
        .query(Integer.class)
        .list();
  }

  private static void awaitIn(JdbcClient mailbox, byte[] blob) {
    Eventually.holds(() -> assertThat(buckets(mailbox, blob)).containsExactly(BUCKET));
  }

  private static long count(JdbcClient mailbox) {
    return mailbox.sql("SELECT count(*) FROM mailbox").query(Long.class).single();
  }

  private static double metric(String name, String peer) {
    return a.rest
        .get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{") && line.contains("peer=\"" + peer + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private static Digest32 sha256(PostedMessage message) {
    return Digest32.sha256(message.getBlob().toByteArray());
  }

  /**
   * Also an attack: a message goes in a circle, or comes twice because its payer posted it to both.
   */
  @Test
  @Spec({"F-73", "F-74"})
  void eachMailboxGetsTheOthersMessagesOnceWithTheirBucket() throws InterruptedException {
    byte[] atA = post(a);
    byte[] atB = post(b);
    byte[] atBoth = post(b, post(a));
    awaitIn(ofB, atA);
    awaitIn(ofA, atB);
    long before = count(ofA) + count(ofB);
    Thread.sleep(1_000); // twenty rounds
    for (JdbcClient mailbox : List.of(ofA, ofB)) {
      for (byte[] blob : List.of(atA, atB, atBoth)) {
        assertThat(buckets(mailbox, blob)).containsExactly(BUCKET);
      }
    }
    assertThat(count(ofA) + count(ofB)).isEqualTo(before);
    assertThat(a.rest.get("/v1/mailbox/buckets/" + BUCKET).status()).isEqualTo(200);
  }

  @Test
  @Spec("F-73")
  void whatWasPulledIsNotPassedOn() {
    byte[] own = post(a);
    byte[] pulled = third.messages.getLast().getBlob().toByteArray();
    assertThat(buckets(ofA, pulled)).hasSize(1);
    PullReply page;
    long after = 0;
    boolean found = false;
    do {
      page = pull(after, 500);
      assertThat(page.getMessagesList())
          .extracting(PostedMessage::getBlob)
          .doesNotContain(ByteString.copyFrom(pulled));
      found |=
          page.getMessagesList().stream()
              .anyMatch(m -> m.getBlob().equals(ByteString.copyFrom(own)));
      after = page.getNext();
    } while (!page.getDigest().isEmpty());
    assertThat(found).isTrue();
    for (int limit : List.of(0, 501, -1)) {
      Assertions.assertThatThrownBy(() -> pull(0, limit))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("INVALID_ARGUMENT");
    }
  }

  private static PullReply pull(long after, int limit) {
    return MailExchangeServiceGrpc.newBlockingStub(toA)
        .pull(PullRequest.newBuilder().setAfter(after).setLimit(limit).build());
  }

  /**
   * Attack: a peer sends another gateway's message again, and puts it into another bucket first.
   */
  @Test
  @Spec("F-74")
  void aPeerCannotPutAnothersMessageAside() {
    byte[] blob = random.bytes(1200);
    third.post(BUCKET + 1, blob);
    awaitThirdIsRead();
    assertThat(buckets(ofA, blob)).containsExactly(BUCKET + 1);
    post(b, blob);
    Eventually.holds(() -> assertThat(buckets(ofA, blob)).containsExactly(BUCKET, BUCKET + 1));
    third.post(BUCKET, blob);
    third.post(BUCKET, blob);
    awaitThirdIsRead();
    assertThat(buckets(ofA, blob)).containsExactly(BUCKET, BUCKET + 1);
  }

  /** Attack: pages that no honest gateway sends change nothing. */
  @Test
  @Spec("F-74")
  void pagesOfTheWrongFormAreRefused() {
    long before = count(ofA);
    byte[] blob = random.bytes(1200);
    ByteString digest = ByteString.copyFrom(Digest32.sha256(blob).bytes());
    List<LongFunction<PullReply.Builder>> pages =
        List.of(
            at -> page(at, digest, FakePeer.message(at, 70, blob)),
            at -> page(at, digest, FakePeer.message(at + 3, 70, blob)),
            at ->
                page(
                    at,
                    digest,
                    FakePeer.message(at + 2, 70, blob),
                    FakePeer.message(at + 1, 70, random.bytes(1200))),
            at -> page(at, digest, FakePeer.message(at + 1, 70, random.bytes(1199))),
            at -> page(at, digest, FakePeer.message(at + 1, 0, blob)),
            at -> page(at, digest, FakePeer.message(at + 1, 128, blob)),
            at -> page(at, digest).setNext(at - 1),
            at -> page(at, ByteString.copyFromUtf8("short")));
    for (LongFunction<PullReply.Builder> page : pages) {
      double refused = metric("solidus_gateway_exchange_refused_total", "third");
      third.lie = (request, honest) -> page.apply(request.getAfter()).setAt(honest.getAt()).build();
      Eventually.holds(
          Duration.ofSeconds(40),
          () ->
              assertThat(metric("solidus_gateway_exchange_refused_total", "third"))
                  .isGreaterThan(refused));
      third.lie = (request, honest) -> honest;
      third.post(BUCKET, random.bytes(1200));
      awaitThirdIsRead();
    }
    assertThat(count(ofA)).isEqualTo(before + pages.size());
    assertThat(buckets(ofA, blob)).isEmpty();
  }

  private static PullReply.Builder page(long at, ByteString digest, PostedMessage... messages) {
    return PullReply.newBuilder()
        .setNext(at + 2)
        .setDigest(digest)
        .addAllMessages(List.of(messages));
  }

  /** Attack: a peer says that its mailbox goes on far beyond what it sends. */
  @Test
  @Spec("F-74")
  void aPlaceThatAPeerMadeUpIsLeftWhenItIsHonestAgain() {
    third.lie =
        (request, honest) ->
            request.getAfter() == Long.MAX_VALUE
                ? honest.toBuilder().setAt(ByteString.copyFrom(new byte[32])).build()
                : honest.toBuilder()
                    .clearMessages()
                    .setNext(Long.MAX_VALUE)
                    .setDigest(ByteString.copyFrom(new byte[32]))
                    .build();
    Eventually.holds(() -> assertThat(place("third")).isEqualTo(Long.MAX_VALUE));
    third.lie = (request, honest) -> honest;
    byte[] blob = random.bytes(1200);
    third.post(BUCKET, blob);
    awaitIn(ofA, blob);
    awaitThirdIsRead();
  }

  /** Attack: a peer never has the message at our place, so that it is asked without rest. */
  @Test
  @Spec("F-74")
  void aPeerThatNeverHasOurPlaceIsAskedSeldom() throws InterruptedException {
    Logger logger =
        (Logger) LoggerFactory.getLogger("io.solidus.edge.gateway.mailbox.MailExchange");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try {
      liar.post(BUCKET, random.bytes(1200));
      liar.lie =
          (request, honest) -> honest.toBuilder().setAt(ByteString.copyFrom(new byte[32])).build();
      Eventually.holds(
          () -> assertThat(metric("solidus_gateway_exchange_restarts_total", "liar")).isPositive());
      liar.calls.clear();
      Thread.sleep(4_000); // eighty pages without a back-off
      assertThat(liar.calls).hasSizeLessThan(10);
    } finally {
      liar.lie = (request, honest) -> honest;
      logger.detachAppender(log);
    }
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("peer liar"))
        .hasSize(1);
    byte[] honest = random.bytes(1200);
    liar.post(BUCKET, honest);
    awaitIn(ofA, honest);
  }

  /** A peer comes back from a backup: its numbers go on below the place of "a". */
  @Test
  @Spec("F-74")
  void aRestoredPeerIsReadAgainAndNothingIsLostOrDoubled() {
    List<PostedMessage> backup = List.copyOf(third.messages);
    byte[] lost = random.bytes(1200);
    third.post(BUCKET, lost);
    third.post(BUCKET, random.bytes(1200));
    awaitThirdIsRead();
    double restarts = metric("solidus_gateway_exchange_restarts_total", "third");
    third.messages.clear();
    third.messages.addAll(backup);
    byte[] later = random.bytes(1200);
    third.post(BUCKET, later);
    awaitIn(ofA, later);
    awaitThirdIsRead();
    assertThat(metric("solidus_gateway_exchange_restarts_total", "third")).isGreaterThan(restarts);
    assertThat(buckets(ofA, lost)).as("what the peer lost is here").containsExactly(BUCKET);
    assertThat(
            ofA.sql(
                    "SELECT count(*) FROM (SELECT FROM mailbox GROUP BY sha256(blob), bucket"
                        + " HAVING count(*) > 1) AS twice")
                .query(Long.class)
                .single())
        .isZero();
  }

  /** Of a place that is gone the one of the day before is tried, not the start of 90 days. */
  @Test
  @Spec("F-74")
  void readingGoesBackToTheDayBefore() {
    long yesterday = third.messages.size();
    assertThat(
            ofA.sql(
                    "UPDATE mailbox_peer_place SET day = current_date - 1 WHERE peer = 'third'"
                        + " AND day = current_date")
                .update())
        .isEqualTo(1);
    third.post(BUCKET, random.bytes(1200));
    awaitThirdIsRead();
    third.messages.removeLast();
    third.calls.clear();
    byte[] other = random.bytes(1200);
    third.post(BUCKET, other);
    awaitIn(ofA, other);
    assertThat(third.calls).extracting(PullRequest::getAfter).doesNotContain(0L);
    assertThat(third.calls).extracting(PullRequest::getAfter).contains(yesterday);
  }

  /** This gateway comes back from a backup: the place comes back with the messages. */
  @Test
  @Spec("F-74")
  void aRestoredGatewayPullsAgainWhatItLost() {
    long place = place("third");
    PostedMessage at = third.messages.getLast();
    byte[] lost = random.bytes(1200);
    third.post(BUCKET, lost);
    awaitThirdIsRead();
    assertThat(
            ofA.sql("DELETE FROM mailbox WHERE blob = ?").param(lost).update()
                + ofA.sql(
                        "UPDATE mailbox_peer_place SET number = ?, digest = ? WHERE peer = 'third'"
                            + " AND day = (SELECT max(day) FROM mailbox_peer_place"
                            + " WHERE peer = 'third')")
                    .params(place, sha256(at).bytes())
                    .update())
        .isEqualTo(2);
    awaitIn(ofA, lost);
  }

  /** Attack: a peer floods. The rate holds, and the other peer's mail comes meanwhile. */
  @Test
  @Spec("F-74")
  void aFloodOfOnePeerHasARateAndDelaysNoOther() throws InterruptedException {
    for (int i = 0; i < 10 * PER_SECOND; i++) {
      third.post(BUCKET + 2, random.bytes(1200));
    }
    long before = count(ofA);
    long begun = System.nanoTime();
    byte[] honest = post(b);
    Eventually.holds(
        Duration.ofSeconds(5), () -> assertThat(buckets(ofA, honest)).containsExactly(BUCKET));
    Thread.sleep(2_500);
    double seconds = (System.nanoTime() - begun) / 1e9;
    assertThat((double) count(ofA) - before)
        .isGreaterThan(100)
        .isLessThan(PER_SECOND * seconds + 2 * 500 + 10);
    assertThat(place("third")).isLessThan(third.messages.size());
    Eventually.holds(() -> assertThat(heldSeconds("third")).as("with its pause").isGreaterThan(30));
    Eventually.holds(Duration.ofSeconds(60), MailExchangeTest::requireThirdIsRead);
  }

  private static double heldSeconds(String peer) {
    return ofA.sql("SELECT extract(epoch FROM held_until - now()) FROM mailbox_peer WHERE name = ?")
        .param(peer)
        .query(Double.class)
        .single();
  }

  private static void requireThirdIsRead() {
    assertThat(place("third")).isEqualTo(third.messages.size());
  }

  @Test
  @Spec("F-74")
  void aPeerThatWasDownIsReadOnFromItsPlace() {
    long place = place("third");
    third.close();
    Eventually.holds(
        () -> assertThat(metric("solidus_gateway_exchange_age_seconds", "third")).isGreaterThan(3));
    assertThat(metric("solidus_gateway_exchange_age_seconds", "b")).isLessThan(3);
    byte[] meanwhile = random.bytes(1200);
    third.post(BUCKET, meanwhile);
    awaitIn(ofA, post(b));
    third.calls.clear();
    third.start();
    Eventually.holds(
        Duration.ofSeconds(75), () -> assertThat(buckets(ofA, meanwhile)).containsExactly(BUCKET));
    assertThat(third.calls.getFirst().getAfter()).isEqualTo(place);
  }
}
