package io.solidus.dev.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.replica.ReplicaKeys;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.MailQuery;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.MailState;
import io.solidus.protocol.MailTable;
import io.solidus.protocol.MailTableList;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.Signature;
import io.solidus.protocol.SignedNote;
import io.solidus.retrieval.RetrievalQuery;
import io.solidus.retrieval.RetrievalWindow;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.mailbox.PrivateMailbox;
import io.solidus.wallet.mailbox.QuerySchedule;
import io.solidus.wallet.model.MailPlace;
import io.solidus.wire.hpke.HpkeException;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.hpke.QueryEnvelope;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Gateways that exchange mail, with four replicas each: what is posted is read again, and nobody is
 * told what.
 */
@Tag("process")
class PrivateQueriesTest {
  private static final MailboxBucket BUCKET = new MailboxBucket(70);

  /** Places of reads at a gateway that sets nothing else. */
  private static final int READS = 64;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  @TempDir private static Path folder;
  private static MailboxWithReplicas one;
  private static MailboxWithReplicas other;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() throws Exception {
    int portOfOne = MailboxWithReplicas.freePort();
    int portOfOther = MailboxWithReplicas.freePort();
    one = new MailboxWithReplicas(folder, "one", portOfOne, Map.of("other", portOfOther));
    other = new MailboxWithReplicas(folder, "other", portOfOther, Map.of("one", portOfOne));
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
  }

  /** What a reader learns from a countersigned list and a page of headers. */
  private record Window(MailTableList list, List<Integer> records, List<byte[]> headers) {
    int place(byte[] blob) {
      for (int i = 0; i < headers.size(); i++) {
        if (ByteBuffer.wrap(headers.get(i)).equals(ByteBuffer.wrap(blob, 0, 34))) {
          int table = 0;
          int left = i;
          while (left >= records.get(table)) {
            left -= records.get(table++);
          }
          return RetrievalWindow.place(records, table, left);
        }
      }
      return -1;
    }
  }

  @Test
  void aMessageIsReadWithoutTellingWhich() {
    awaitNote(1);
    byte[] first = post();
    byte[] second = post();
    Window window = awaitHeaders(second);
    assertThat(window.place(first)).isNotNegative();
    for (byte[] blob : List.of(first, second)) {
      for (List<Integer> authorities : List.of(List.of(1, 2), List.of(4, 3), List.of(1, 2, 3, 4))) {
        assertThat(query(window, window.place(blob), authorities, false)).isEqualTo(blob);
      }
    }
    // what the gateway swaps does not open, and what it leaves out is missed
    assertThat(query(window, window.place(first), List.of(1, 2), true)).isNull();
    assertRefusals();
    // f authorities of N = 3f+1 that are down keep no list from being signed
    one.replicas.get(3).close();
    byte[] third = post();
    Window later = awaitHeaders(third);
    assertThat(query(later, later.place(third), List.of(3, 1), false)).isEqualTo(third);
    assertThat(query(later, later.place(third), List.of(3, 4), false)).isNull();
  }

  /** Whoever keeps all places of reads busy keeps no table from being copied and signed. */
  @Test
  void strangersKeepNoListFromBeingSigned() throws InterruptedException {
    awaitNote(1);
    CountDownLatch held = new CountDownLatch(READS);
    CountDownLatch end = new CountDownLatch(1);
    Admission admission = one.gateway.getBean(Admission.class);
    for (int i = 0; i < READS; i++) {
      Thread unused = Thread.ofVirtual().start(() -> hold(admission, held, end));
    }
    byte[] blob;
    try {
      assertThat(held.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(one.rest.get("/v1/mailbox/tables").status()).isEqualTo(429);
      blob = post();
      double posted = seconds();
      Gauge age =
          one.gateway
              .getBean(MeterRegistry.class)
              .get("solidus.gateway.mail.list.age.seconds")
              .gauge();
      Eventually.holds(
          Duration.ofSeconds(60),
          () -> assertThat(seconds() - age.value()).isGreaterThan(posted + 2));
      assertThat(one.rest.get("/v1/mailbox/tables").status()).isEqualTo(429);
    } finally {
      end.countDown();
    }
    Eventually.holds(() -> assertThat(window().place(blob)).isNotNegative());
  }

  private static double seconds() {
    return System.currentTimeMillis() / 1000.0;
  }

  private static void hold(Admission admission, CountDownLatch held, CountDownLatch end) {
    String unused =
        admission.run(
            Admission.RequestClass.READ,
            () -> {
              held.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return "";
            });
  }

  /**
   * The library's part: headers, then as many queries as are due, of which one has the parcel. It
   * was posted at one gateway, and is read at another one with replicas of its own.
   */
  @Test
  void aWalletFindsItsMailByItsHeaders() {
    HpkePrivateKey mine = HpkePrivateKey.generate(RANDOM);
    PrivateMailbox mailbox = reader(other.keys, mine);
    GatewayClient client = client(other);
    Parcel parcel = new Parcel.Registered(new Signature(POINT, POINT));
    byte[] unused = post();
    Eventually.holds(
        Duration.ofSeconds(60),
        () -> assertThat(other.rest.get("/v1/mailbox/tables/note").status()).isEqualTo(200));
    long number =
        client(one)
            .postMailbox(
                new ParcelCipher(TestCommittee.NETWORK).seal(mine.publicKey(), parcel), BUCKET);
    assertThat(number).isPositive();
    MailPlace before = before(Instant.now().minus(Duration.ofHours(1)));
    List<MailPlace> found = new ArrayList<>();
    Eventually.holds(() -> {
      MailTableList list = mailbox.newest(client, Instant.now());
      MailPlace place = mailbox.read(client, before, list, Map.of()).orElseThrow().place();
      assertThat(place.waiting()).hasSize(1);
      found.add(place);
    });
    PrivateMailbox.Bodies bodies =
        mailbox.open(mailbox.ask(client, found.getLast(), QuerySchedule.A_DAY), Map.of());
    assertThat(bodies.blobs())
        .extracting(blob -> new ParcelCipher(TestCommittee.NETWORK).open(mine, blob).orElseThrow())
        .containsExactly(parcel);
    assertThat(bodies.place().waiting()).isEmpty();
    // a gateway that shows the lists of another mailbox is refused
    assertThatThrownBy(() -> reader(one.keys, mine).newest(client, Instant.now()))
        .isInstanceOf(WalletException.class);
  }

  /** The place of a wallet that read last before anything was posted. */
  private static MailPlace before(Instant time) {
    MailTableList none = new MailTableList(time.getEpochSecond(), new TreeMap<>());
    return new MailPlace(BUCKET, none, List.of(), List.of(), 0, 0);
  }

  private static PrivateMailbox reader(List<ReplicaKeys> replicas, HpkePrivateKey mine) {
    List<MailReplica> keys =
        replicas.stream()
            .map(own ->
                new MailReplica(own.shares().publicKey(), own.lists().publicKey().publicKey()))
            .toList();
    return new PrivateMailbox(TestCommittee.NETWORK, 3, 2, keys, BUCKET, mine, RANDOM);
  }

  private static GatewayClient client(MailboxWithReplicas at) {
    return new GatewayClient(
        new RestClient(
            HTTP,
            URI.create("http://127.0.0.1:" + ServicePorts.http(at.gateway)),
            "gateway",
            Duration.ofSeconds(30)));
  }

  private static final G1Point POINT = point();

  private static G1Point point() {
    byte[] bytes = new byte[G1Point.BYTES];
    bytes[G1Point.BYTES / 2 - 1] = 1;
    bytes[G1Point.BYTES - 1] = 1;
    return new G1Point(bytes);
  }

  private static void assertRefusals() {
    Map<String, Object> share =
        Map.of(
            "authority",
            1,
            "encapsulatedKey",
            Base64Url.encode(new byte[32]),
            "sealedShare",
            Base64Url.encode(new byte[100]));
    JsonNode answer =
        one.rest
            .post("/v1/mailbox/queries", Map.of("shares", List.of(share)))
            .json()
            .path("answers")
            .path(0);
    assertThat(answer.path("sealedAnswer").isNull()).isTrue();
    assertThat(answer.path("code").asString("")).isEqualTo("malformed-request");
    Map<String, Object> unknown = new HashMap<>(share);
    unknown.put("authority", 5);
    assertThat(
            one.rest
                .post("/v1/mailbox/queries", Map.of("shares", List.of(unknown)))
                .json()
                .path("answers")
                .path(0)
                .path("code")
                .asString(""))
        .isEqualTo("not-found");
    for (Object shares :
        List.of(
            List.of(),
            List.of(share, share),
            "x",
            List.of(Map.of()),
            Collections.singletonList(null))) {
      assertThat(one.rest.post("/v1/mailbox/queries", Map.of("shares", shares)).code())
          .isEqualTo("malformed-request");
    }
  }

  /** The message, or null when an answer is missing or does not open. */
  private static byte @Nullable [] query(
      Window window, int place, List<Integer> authorities, boolean swapped) {
    RetrievalQuery query =
        RetrievalQuery.of(
            place, RetrievalWindow.size(window.records()), authorities.size(), RANDOM);
    List<QueryEnvelope.Asked> asked = new ArrayList<>();
    List<Map<String, Object>> shares = new ArrayList<>();
    for (int i = 0; i < authorities.size(); i++) {
      int authority = authorities.get(i);
      MailQuery share =
          new MailQuery(
              BUCKET,
              window.list().closed() - 86_400,
              window.list().closed(),
              window.list().state(BUCKET).digest(),
              query.shares().get(i).encode());
      QueryEnvelope.Asked sealed =
          QueryEnvelope.seal(
              one.keys.get(authority - 1).shares().publicKey(),
              TestCommittee.NETWORK,
              authority,
              share);
      asked.add(sealed);
      shares.add(
          Map.of(
              "authority",
              authority,
              "encapsulatedKey",
              Base64Url.encode(sealed.message().encapsulatedKey()),
              "sealedShare",
              Base64Url.encode(sealed.message().ciphertext())));
    }
    RestProbe.Answer answer = one.rest.post("/v1/mailbox/queries", Map.of("shares", shares));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<byte[]> opened = new ArrayList<>();
    for (int i = 0; i < authorities.size(); i++) {
      JsonNode each = answer.json().path("answers").path(swapped ? authorities.size() - 1 - i : i);
      if (each.path("sealedAnswer").isNull()) {
        return null;
      }
      try {
        opened.add(
            asked
                .get(i)
                .openAnswer(
                    Base64Url.decode(each.path("sealedAnswer").asString(""), "sealedAnswer")));
      } catch (HpkeException e) {
        return null;
      }
    }
    return query.combine(opened, 1200);
  }

  private byte[] post() {
    byte[] blob = random.bytes(1200);
    assertThat(
            one.rest
                .post(
                    "/v1/mailbox",
                    Map.of("blob", Base64Url.encode(blob), "bucket", BUCKET.number()))
                .status())
        .isEqualTo(201);
    return blob;
  }

  /** The newest countersigned list, as a wallet verifies it. */
  private static MailTableList note() {
    RestProbe.Answer answer = one.rest.get("/v1/mailbox/tables/note");
    assertThat(answer.status()).isEqualTo(200);
    SignedNote note = SignedNote.parse(answer.body());
    assertThat(note.verifiedBy(one.keys.stream().map(keys -> keys.lists().publicKey()).toList()))
        .hasSizeGreaterThanOrEqualTo(TestCommittee.N - 1)
        .contains(CommitteeMember.replicaName(1));
    return MailTableList.parse(TestCommittee.NETWORK, note.text());
  }

  private static void awaitNote(long after) {
    Eventually.holds(
        Duration.ofSeconds(60), () -> assertThat(note().closed()).isGreaterThan(after));
  }

  private static Window awaitHeaders(byte[] blob) {
    List<Window> found = new ArrayList<>();
    Eventually.holds(() -> {
      Window window = window();
      assertThat(window.place(blob)).isNotNegative();
      found.add(window);
    });
    return found.getLast();
  }

  /** The headers of a day, verified by the list. */
  private static Window window() {
    MailTableList list = note();
    ByteBuffer in =
        ByteBuffer.wrap(
            get(
                "/v1/mailbox/tables/%d/headers?after=%d&upto=%d"
                    .formatted(BUCKET.number(), list.closed() - 86_400, list.closed())));
    assertThat(in.get()).isEqualTo((byte) 1);
    Digest32 before = digest(in);
    MailState state = new MailState(in.getLong(), before);
    assertThat(in.getLong()).isEqualTo(list.closed());
    List<Integer> records = new ArrayList<>();
    List<byte[]> headers = new ArrayList<>();
    while (in.hasRemaining()) {
      long closed = in.getLong();
      long first = in.getLong();
      int count = in.getInt();
      Digest32 root = digest(in);
      List<byte[]> table = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        table.add(bytes(in, 34));
      }
      Digest32 digest = Digest32.sha256(table.toArray(byte[][]::new));
      state = new MailTable(BUCKET, closed, first, count, digest, root).after(state);
      records.add(count);
      headers.addAll(table);
    }
    assertThat(state).isEqualTo(list.state(BUCKET));
    return new Window(list, records, headers);
  }

  private static byte[] get(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + ServicePorts.http(one.gateway) + path))
            .timeout(Duration.ofSeconds(30))
            .build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Digest32 digest(ByteBuffer in) {
    return Digest32.of(bytes(in, 32));
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] out = new byte[length];
    in.get(out);
    return out;
  }
}
