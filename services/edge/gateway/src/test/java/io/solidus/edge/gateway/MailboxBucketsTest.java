package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Spec;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Buckets of the mailbox: posts that name one, and pages of one. */
@Tag("process")
class MailboxBucketsTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final int HEAD = 1 + 32 + 8 + 32;
  private static final int RECORD = 8 + 1200;
  private static final byte[] NONE = new byte[32];
  private static GatewayFixture gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway = GatewayFixture.shared();
  }

  private record Message(long sequence, byte[] blob) {}

  private record Page(byte[] at, long next, byte[] digest, List<Message> messages) {
    static Page of(byte[] content) {
      ByteBuffer in = ByteBuffer.wrap(content);
      assertThat(in.get()).isEqualTo((byte) 1);
      byte[] at = bytes(in, 32);
      long next = in.getLong();
      byte[] digest = bytes(in, 32);
      List<Message> messages = new ArrayList<>();
      while (in.hasRemaining()) {
        messages.add(new Message(in.getLong(), bytes(in, 1200)));
      }
      return new Page(at, next, digest, messages);
    }

    List<byte[]> blobs() {
      return messages.stream().map(Message::blob).toList();
    }
  }

  /** A reader gets its own part, those above and below it, and what older wallets post. */
  @Test
  @Spec("F-49")
  void aReaderGetsItsBucketAndNoOther() throws Exception {
    long start = end();
    byte[] old = post(null);
    byte[] mine = post(70);
    byte[] neighbours = post(71);
    byte[] coarser = post(35);
    byte[] elsewhere = post(100);
    assertThat(page(70, start, 10).blobs()).containsExactly(old, mine, coarser);
    assertThat(page(35, start, 10).blobs()).containsExactly(old, mine, neighbours, coarser);
    assertThat(page(1, start, 10).blobs())
        .containsExactly(old, mine, neighbours, coarser, elsewhere);
    assertThat(gateway.rest.get("/v1/mailbox?after=" + start).json().path("entries").valueStream())
        .as("an older wallet reads all")
        .extracting(entry -> entry.path("blob").asString(""))
        .contains(Base64Url.encode(mine), Base64Url.encode(elsewhere));
  }

  @Test
  @Spec("F-49")
  void aPageSaysHowFarItReachesInTheWholeMailbox() throws Exception {
    long start = end();
    byte[] first = post(64);
    byte[] second = post(64);
    byte[] last = post(127);
    Page full = page(64, start, 1);
    assertThat(full.blobs()).containsExactly(first);
    assertThat(full.next()).isEqualTo(full.messages().getFirst().sequence());
    assertThat(full.digest()).isEqualTo(sha256(first));
    Page rest = page(64, full.next(), 10);
    assertThat(rest.at()).isEqualTo(sha256(first));
    assertThat(rest.blobs()).containsExactly(second);
    assertThat(rest.digest()).isEqualTo(sha256(last));
    Page end = page(64, rest.next(), 10);
    assertThat(end.messages()).isEmpty();
    assertThat(end.next()).isEqualTo(rest.next());
    assertThat(end.at()).isEqualTo(sha256(last)).isEqualTo(end.digest());
    Page beyond = page(64, Long.MAX_VALUE, 10);
    assertThat(beyond.next()).isEqualTo(Long.MAX_VALUE);
    assertThat(beyond.at()).isEqualTo(NONE).isEqualTo(beyond.digest());
  }

  /** A wallet that breaks off goes on; caches in between keep full pages for minutes only. */
  @Test
  void pagesHaveTagsAndRanges() throws Exception {
    long start = end();
    post(80);
    post(80);
    String path = path(80, start, 2);
    HttpResponse<byte[]> whole = get(path);
    assertThat(whole.body()).hasSize(HEAD + 2 * RECORD);
    assertThat(whole.headers().firstValue("Cache-Control")).hasValue("max-age=300, public");
    String tag = whole.headers().firstValue("ETag").orElseThrow();
    assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    HttpResponse<byte[]> part = get(path, "Range", "bytes=" + HEAD + "-" + (HEAD + RECORD - 1));
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(part.body()).isEqualTo(slice(whole.body(), HEAD, RECORD));
    HttpResponse<byte[]> open = get(path(80, start, 3));
    assertThat(open.headers().firstValue("Cache-Control")).hasValue("no-cache");
    post(80);
    assertThat(get(path(80, start, 3)).headers().firstValue("ETag"))
        .isNotEqualTo(open.headers().firstValue("ETag"));
  }

  @Test
  void otherBucketsAndPagesAreRefused() {
    for (String path :
        List.of("0", "128", "-1", "x", "64?after=-1", "64?limit=0", "64?limit=501")) {
      RestProbe.Answer answer = gateway.rest.get("/v1/mailbox/buckets/" + path);
      assertThat(answer.code()).as(path).isEqualTo("malformed-request");
      assertThat(answer.status()).as(path).isEqualTo(400);
    }
    for (Object bucket : List.of(0, 128, -1, "x", 1.5)) {
      RestProbe.Answer answer =
          gateway.rest.post(
              "/v1/mailbox",
              Map.of("blob", Base64Url.encode(random.bytes(1200)), "bucket", bucket));
      assertThat(answer.code()).as("bucket %s", bucket).isEqualTo("malformed-request");
    }
  }

  /**
   * A poster names another's bucket, and all buckets in turn: its own message is not found, and no
   * other one moves.
   */
  @Test
  void aPosterHarmsNoOtherByTheBucketThatItNames() throws Exception {
    long start = end();
    byte[] honest = post(90);
    for (int bucket = 91; bucket < 100; bucket++) {
      post(bucket);
    }
    assertThat(page(90, start, 100).blobs()).containsExactly(honest);
  }

  private byte[] post(@Nullable Integer bucket) {
    byte[] blob = random.bytes(1200);
    Map<String, Object> body = new HashMap<>(Map.of("blob", Base64Url.encode(blob)));
    if (bucket != null) {
      body.put("bucket", bucket);
    }
    assertThat(gateway.rest.post("/v1/mailbox", body).status()).isEqualTo(201);
    return blob;
  }

  private static long end() {
    long after = 0;
    JsonNode page;
    do {
      page = gateway.rest.get("/v1/mailbox?limit=500&after=" + after).json();
      after = page.path("next").asLong(-1);
    } while (page.path("entries").size() > 0);
    return after;
  }

  private static String path(int bucket, long after, int limit) {
    return "/v1/mailbox/buckets/" + bucket + "?after=" + after + "&limit=" + limit;
  }

  private static Page page(int bucket, long after, int limit) throws Exception {
    return Page.of(get(path(bucket, after, limit)).body());
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

  private static byte[] slice(byte[] content, int from, int length) {
    return bytes(ByteBuffer.wrap(content, from, length), length);
  }

  private static byte[] sha256(byte[] blob) {
    return Digest32.sha256(blob).bytes();
  }
}
