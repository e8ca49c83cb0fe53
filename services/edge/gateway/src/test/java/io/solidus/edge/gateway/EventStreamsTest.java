package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.edge.gateway.events.EventStreams;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of events over real connections. */
@Tag("process")
@Timeout(60)
class EventStreamsTest {
  private static final int PER_ADDRESS = 2;
  private static final Duration LIFETIME = Duration.ofSeconds(4);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static GatewayFixture gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway =
        new GatewayFixture(
            Map.of(
                "server.forward-headers-strategy",
                "native",
                "solidus.gateway.streams.max-per-address",
                PER_ADDRESS,
                "solidus.gateway.streams.max-open",
                PER_ADDRESS + 1,
                "solidus.gateway.streams.heartbeat",
                "200ms",
                "solidus.gateway.streams.lifetime",
                LIFETIME.toMillis() + "ms"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  @BeforeEach
  void noneIsOpen() {
    gateway.reset();
    Eventually.holds(() -> assertThat(open()).isZero());
  }

  @Test
  void aReaderIsToldThatThereIsMailAndNothingOfIt() throws Exception {
    long read = post();
    try (Reader reader = new Reader("/v1/mailbox/events?after=" + read)) {
      assertThat(reader.headers.firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      assertThat(reader.headers.firstValue("X-Accel-Buffering")).contains("no");
      CompletableFuture<Map<String, String>> event = reader.later();
      Thread.sleep(1_500); // more than one look at the table
      assertThat(event).isNotDone();
      long posted = post();
      assertThat(event.get(10, TimeUnit.SECONDS))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("id", Long.toString(posted), "event", "mail", "data", "{}"));
      assertThat(reader.heartbeats.get()).isPositive();
      assertThat(reader.all.toString()).doesNotContain("blob");
    }
  }

  @Test
  void aReaderThatComesBackIsToldWhatItMissed() throws Exception {
    long read = post();
    long missed = post();
    try (Reader reader =
        new Reader("/v1/mailbox/events?after=0", "Last-Event-ID", Long.toString(read))) {
      assertThat(reader.next()).containsEntry("id", Long.toString(missed));
    }
    try (Reader reader =
        new Reader("/v1/mailbox/events?after=0", "Last-Event-ID", Long.toString(missed))) {
      CompletableFuture<Map<String, String>> event = reader.later();
      Thread.sleep(1_500);
      assertThat(event).isNotDone();
    }
  }

  /** Numbers below the reader's place: the table came back from a backup. */
  @Test
  void aReaderIsToldThatTheMailboxLostMessages() throws Exception {
    long newest = post();
    try (Reader reader = new Reader("/v1/mailbox/events?after=" + (newest + 1_000))) {
      assertThat(reader.next()).containsEntry("id", Long.toString(newest));
    }
  }

  @Test
  void anAddressAndAllTogetherHaveABound() throws Exception {
    String path = "/v1/mailbox/events?after=" + post();
    List<Reader> readers = new ArrayList<>();
    try {
      for (int i = 0; i < PER_ADDRESS; i++) {
        readers.add(new Reader(path, "X-Forwarded-For", "198.51.100.7"));
      }
      assertRefused(path, "198.51.100.7");
      readers.add(new Reader(path, "X-Forwarded-For", "198.51.100.8"));
      assertRefused(path, "198.51.100.9");
      readers.removeFirst().close();
      // the gateway notices at the next heartbeats that the reader has gone
      Eventually.holds(() -> assertThat(open()).isLessThan(PER_ADDRESS + 1));
      readers.add(new Reader(path, "X-Forwarded-For", "198.51.100.7"));
    } finally {
      readers.forEach(Reader::close);
    }
  }

  @Test
  void aStreamEndsAfterItsLifetimeAndWhenTheGatewayStops() throws Exception {
    String path = "/v1/mailbox/events?after=" + post();
    try (Reader reader = new Reader(path)) {
      long begun = System.nanoTime();
      assertThat(reader.next()).isNull();
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isBetween(LIFETIME.minusSeconds(1), LIFETIME.plusSeconds(10));
    }
    EventStreams streams = gateway.bean(EventStreams.class);
    try (Reader reader = new Reader(path)) {
      long begun = System.nanoTime();
      streams.stop();
      assertThat(reader.next()).isNull();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIFETIME);
      assertRefused(path, "198.51.100.7");
    } finally {
      streams.start();
    }
  }

  @Test
  void aPayerIsToldThatTheTransferIsSigned() throws Exception {
    TransferRequest transfer = TestRequests.transfer(random);
    String path =
        "/v1/transfers/"
            + transfer.statement().core(TestCommittee.NETWORK).hex()
            + "/events?lead="
            + Base64Url.encode(transfer.statement().leadSerial().bytes());
    try (Reader reader = new Reader(path)) {
      assertThat(reader.next())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("event", "transfer", "data", "{\"state\":\"unspent\"}"));
      assertThat(gateway.rest.post("/v1/transfers", TestRequests.json(transfer)).status())
          .isEqualTo(200);
      assertThat(reader.next()).containsEntry("data", "{\"state\":\"signed\"}");
      assertThat(reader.next()).isNull();
    }
    try (Reader other =
        new Reader(
            path.replace(
                transfer.statement().core(TestCommittee.NETWORK).hex(), "00".repeat(32)))) {
      assertThat(other.next()).containsEntry("data", "{\"state\":\"other\"}");
    }
  }

  @Test
  @Spec("F-70")
  void whoWaitsForATagIsToldWithinASecond() throws Exception {
    byte[] tag = random.bytes(16);
    String path = "/v1/mailbox/tags/" + HexFormat.of().formatHex(tag) + "/events";
    String another = "/v1/mailbox/tags/" + HexFormat.of().formatHex(random.bytes(16)) + "/events";
    try (Reader reader = new Reader(path);
        Reader other = new Reader(another)) {
      CompletableFuture<Map<String, String>> event = reader.later();
      CompletableFuture<Map<String, String>> others = other.later();
      Thread.sleep(600); // more than one look at the table
      assertThat(event).isNotDone();
      long untagged = post();
      Thread.sleep(600);
      assertThat(event).as("of another message").isNotDone();
      long begun = System.nanoTime();
      long posted = post(tag);
      assertThat(posted).isGreaterThan(untagged);
      assertThat(event.get(10, TimeUnit.SECONDS))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("id", Long.toString(posted), "event", "tagged", "data", "{}"));
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
      assertThat(others).isNotDone();
    }
    noneIsOpen();
    try (Reader late = new Reader(path)) {
      assertThat(late.next()).as("what came before").containsEntry("event", "tagged");
    }
  }

  @Test
  void refusesPlacesThatAreNoNumbers() {
    for (RestProbe.Answer answer :
        List.of(
            gateway.rest.get("/v1/mailbox/events?after=-1"),
            gateway.rest.get("/v1/mailbox/events?after=x"),
            gateway.rest.get("/v1/mailbox/events", "Last-Event-ID", "x"),
            gateway.rest.get("/v1/mailbox/events", "Last-Event-ID", "-1"),
            gateway.rest.get("/v1/mailbox/tags/" + "0".repeat(32) + "/events?after=-1"),
            gateway.rest.get("/v1/mailbox/tags/" + "A".repeat(32) + "/events"),
            gateway.rest.get("/v1/transfers/" + "00".repeat(32) + "/events?lead=AAAA"),
            gateway.rest.get("/v1/transfers/x/events?lead=AAAA"))) {
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("malformed-request");
    }
    assertThat(gateway.rest.send("HEAD", "/v1/mailbox/events", null).status()).isEqualTo(200);
  }

  private void assertRefused(String path, String client) {
    RestProbe.Answer refused = gateway.rest.get(path, "X-Forwarded-For", client);
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.code()).isEqualTo("overloaded");
    assertThat(refused.header("Retry-After")).isEqualTo("15");
  }

  private long post() {
    return gateway
        .rest
        .post("/v1/mailbox", Map.of("blob", Base64Url.encode(random.bytes(1200))))
        .json()
        .path("sequence")
        .asLong(-1);
  }

  private long post(byte[] tag) {
    return gateway
        .rest
        .post(
            "/v1/mailbox",
            Map.of("blob", Base64Url.encode(random.bytes(1200)), "tag", Base64Url.encode(tag)))
        .json()
        .path("sequence")
        .asLong(-1);
  }

  private static double open() {
    return gateway
        .rest
        .get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith("solidus_gateway_streams"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** A client of a stream. */
  private static final class Reader implements AutoCloseable {
    private final HttpHeaders headers;
    private final InputStream body;
    private final BufferedReader lines;
    private final StringBuilder all = new StringBuilder();
    private final AtomicInteger heartbeats = new AtomicInteger();

    Reader(String path, String... headers) throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + ServicePorts.http(gateway.context) + path))
              .timeout(Duration.ofSeconds(20));
      if (headers.length > 0) {
        request.headers(headers);
      }
      HttpResponse<InputStream> answer =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(200);
      this.headers = answer.headers();
      this.body = answer.body();
      this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    CompletableFuture<Map<String, String>> later() {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              Map<String, String> event = next();
              return event == null ? Map.of() : event;
            } catch (IOException e) {
              return Map.of();
            }
          },
          task -> Thread.ofVirtual().start(task));
    }

    /** The fields of the next event; null at the end of the stream. */
    @Nullable Map<String, String> next() throws IOException {
      Map<String, String> fields = new HashMap<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        all.append(line).append('\n');
        if (line.startsWith(":")) {
          heartbeats.incrementAndGet();
        } else if (!line.isEmpty()) {
          int colon = line.indexOf(": ");
          fields.put(line.substring(0, colon), line.substring(colon + 2));
        } else if (fields.containsKey("event")) {
          fields.remove("retry");
          return fields;
        }
      }
      return null;
    }

    @Override
    public void close() {
      try {
        body.close();
      } catch (IOException e) {
        // it is closed
      }
    }
  }
}
