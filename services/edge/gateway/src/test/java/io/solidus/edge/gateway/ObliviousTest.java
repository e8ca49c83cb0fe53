package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.ObliviousKey;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.ohttp.BinaryField;
import io.solidus.wire.ohttp.BinaryRequest;
import io.solidus.wire.ohttp.BinaryResponse;
import io.solidus.wire.ohttp.HttpDate;
import io.solidus.wire.ohttp.ObliviousHttp;
import io.solidus.wire.ohttp.SizeClass;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests that come through a relay, as an honest and a dishonest relay passes them on. */
@Tag("process")
@Spec("F-62")
class ObliviousTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final byte[] SECRET = secret(1);
  private static final byte[] NEXT_SECRET = secret(2);
  private static final byte[] TOKEN = secret(3);
  private static final ObliviousKey KEY =
      new ObliviousKey(7, HpkePrivateKey.of(SECRET).publicKey());
  private static final ObliviousKey NEXT_KEY =
      new ObliviousKey(8, HpkePrivateKey.of(NEXT_SECRET).publicKey());
  private static GatewayFixture gateway;
  private final Generators random = new Generators(System.nanoTime());

  @TempDir private static Path folder;

  @BeforeAll
  static void start() throws IOException {
    gateway =
        new GatewayFixture(
            Map.of(
                "solidus.gateway.relay.keys[0].id",
                7,
                "solidus.gateway.relay.keys[0].file",
                file("key", SECRET),
                "solidus.gateway.relay.keys[1].id",
                8,
                "solidus.gateway.relay.keys[1].file",
                file("next-key", NEXT_SECRET),
                "solidus.gateway.relay.token-file",
                file("token", TOKEN),
                "solidus.http.body-limit",
                "48KB"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private record Inner(int status, BinaryResponse message) {
    JsonNode json() {
      return JsonMapper.shared().readTree(message.content());
    }

    String code() {
      return json().path("code").asString("");
    }
  }

  @Test
  void aRelayedPostIsInTheMailboxAndARelayedReaderFindsIt() {
    String blob = Base64Url.encode(random.bytes(1200));
    Inner posted = relayed("POST", "/v1/mailbox", "{\"blob\":\"" + blob + "\"}");
    assertThat(posted.status()).isEqualTo(201);
    long number = posted.json().path("sequence").asLong(-1);
    String page = "/v1/mailbox?after=" + (number - 1) + "&limit=1";
    assertThat(relayed("GET", page, "").json().path("entries").path(0).path("blob").asString(""))
        .isEqualTo(blob);
    assertThat(gateway.rest.get(page).body()).contains(blob);
  }

  @Test
  void aRelayedTransferGetsItsSignatures() {
    TransferRequest transfer = TestRequests.transfer(random);
    Inner answer = relayed("POST", "/v1/transfers", TestRequests.json(transfer));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("partials").size()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void bothKeysCountWhileWalletsChangeFromOneToTheOther() {
    assertThat(relayed(NEXT_KEY, "GET", "/v1/info", "", Instant.now()).status()).isEqualTo(200);
    ObliviousKey unknown = new ObliviousKey(9, KEY.key());
    HttpResponse<byte[]> answer = send(ObliviousHttp.seal(unknown, get("/v1/info")).message());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(code(answer)).isEqualTo("ohttp-key");
    byte[] otherKey = ObliviousHttp.seal(new ObliviousKey(8, KEY.key()), get("/v1/info")).message();
    assertThat(code(send(otherKey))).isEqualTo("malformed-request");
  }

  /** A stranger who is no relay could evade the relay's limits. */
  @Test
  void onlyTheRelayIsAnswered() {
    byte[] message = ObliviousHttp.seal(KEY, get("/v1/info")).message();
    for (String shown : List.of("", "Bearer ", "Bearer " + Base64Url.encode(secret(4)))) {
      HttpResponse<byte[]> answer = send(message, shown);
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(code(answer)).isEqualTo("unauthorized");
    }
    assertThat(send(message).statusCode()).isEqualTo(200);
  }

  /** The relay would see from the length of the second answer when a coin is spent. */
  @Test
  void aRequestCountsOnce() {
    byte[] message = ObliviousHttp.seal(KEY, get("/v1/mailbox?after=0&limit=1")).message();
    assertThat(send(message).statusCode()).isEqualTo(200);
    HttpResponse<byte[]> again = send(message);
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(code(again)).isEqualTo("ohttp-replay");
  }

  @Test
  void aRequestOfAnotherTimeIsToldTheTimeAndNotAnswered() {
    for (int minutes : new int[] {-6, 6}) {
      String blob = Base64Url.encode(random.bytes(1200));
      Instant made = Instant.now().plusSeconds(60L * minutes);
      Inner answer = relayed(KEY, "POST", "/v1/mailbox", "{\"blob\":\"" + blob + "\"}", made);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("date");
      BinaryField date =
          answer.message().fields().stream()
              .filter(field -> field.name().equals("date"))
              .findFirst()
              .orElseThrow();
      assertThat(HttpDate.parse(date.value()).orElseThrow())
          .isBetween(Instant.now().minusSeconds(20), Instant.now().plusSeconds(1));
      assertThat(gateway.rest.get("/v1/mailbox?limit=500").body()).doesNotContain(blob);
    }
    BinaryRequest undated = new BinaryRequest("GET", "g", "/v1/info", List.of(), new byte[0]);
    ObliviousHttp.Sent sent = ObliviousHttp.seal(KEY, undated.encode());
    assertThat(opened(sent, send(sent.message())).code()).isEqualTo("date");
  }

  @Test
  void onlyCallsOnTheListAreAnswered() {
    for (String path :
        List.of(
            "/v1/mailbox/events",
            "/v1/transfers/events",
            "/v1/keys/files/" + "0".repeat(64),
            "/v1/ohttp",
            "/v1/../actuator/prometheus",
            "/v1/mailbox/..;/info",
            "/v1/mailbox?after=%",
            "/v1/mailbox?after=%4",
            "/v1/%69nfo",
            "/actuator/health",
            "/admin/anything",
            "/v3/api-docs")) {
      Inner answer = relayed("GET", path, "");
      assertThat(answer.status()).as(path).isEqualTo(404);
      assertThat(answer.code()).isEqualTo("not-found");
    }
    assertThat(relayed("DELETE", "/v1/mailbox", "").code()).isEqualTo("not-found");
    assertThat(relayed("POST", "/v1/ohttp", "{}").code()).isEqualTo("not-found");
  }

  @Test
  void refusalsOfRoutesAreSealedToo() {
    Inner answer = relayed("GET", "/v1/mailbox?limit=501", "");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("malformed-request");
    assertThat(relayed("POST", "/v1/transfers", "{").code()).isEqualTo("malformed-request");
    assertThat(relayed("POST", "/v1/mailbox", " ".repeat((48 << 10) + 1)).code())
        .isEqualTo("body-too-large");
  }

  @Test
  void whatCannotBeOpenedIsRefused() {
    byte[] message = ObliviousHttp.seal(KEY, get("/v1/info")).message();
    message[message.length - 1] ^= 1;
    assertThat(code(send(message))).isEqualTo("malformed-request");
    assertThat(code(send(new byte[0]))).isEqualTo("malformed-request");
    assertThat(code(send(new byte[SizeClass.MAX_REQUEST + 1]))).isEqualTo("body-too-large");
    ObliviousHttp.Sent sent = ObliviousHttp.seal(KEY, new byte[] {5});
    assertThat(opened(sent, send(sent.message())).code()).isEqualTo("malformed-request");
  }

  @Test
  void theLengthOfAnAnswerIsThatOfItsClass() {
    List<Integer> lengths = new ArrayList<>();
    for (String path : List.of("/v1/info", "/v1/mailbox?after=0&limit=1", "/v1/nothing")) {
      lengths.add(send(ObliviousHttp.seal(KEY, get(path)).message()).body().length);
    }
    assertThat(lengths).containsOnly((4 << 10) + ObliviousHttp.RESPONSE_OVERHEAD);
  }

  /** One stranger behind the relay would make the payments of all others doubtful. */
  @Test
  void invalidEvidenceIsToldToTheRelayAndMakesNobodyElseDoubtful() {
    TransferRequest invalid = TestRequests.transfer(random);
    gateway.authorities.forEach(authority -> authority.refusedRequest = invalid);
    ObliviousHttp.Sent sent =
        ObliviousHttp.seal(
            KEY, request("POST", "/v1/transfers", TestRequests.json(invalid), Instant.now()));
    HttpResponse<byte[]> answer = send(sent.message());
    assertThat(opened(sent, answer).code()).isEqualTo("proof-invalid");
    assertThat(answer.headers().firstValue("Solidus-Evidence")).contains("invalid");
    gateway.reset();
    String next = TestRequests.json(TestRequests.transfer(random));
    HttpResponse<byte[]> honest =
        send(
            ObliviousHttp.seal(KEY, request("POST", "/v1/transfers", next, Instant.now()))
                .message());
    assertThat(honest.headers().firstValue("Solidus-Evidence")).isEmpty();
    gateway.authorities.forEach(authority -> assertThat(authority.doubtful).doesNotContain(true));
  }

  @Test
  void aGatewayWithoutARelayHasNoSuchRoute() {
    RestProbe.Answer answer =
        GatewayFixture.shared()
            .rest
            .post("/v1/ohttp", "{}", "Content-Type", ObliviousHttp.REQUEST_TYPE);
    assertThat(answer.code()).isEqualTo("not-found");
  }

  private static Inner relayed(String method, String path, String body) {
    return relayed(KEY, method, path, body, Instant.now());
  }

  private static Inner relayed(
      ObliviousKey key, String method, String path, String body, Instant made) {
    ObliviousHttp.Sent sent = ObliviousHttp.seal(key, request(method, path, body, made));
    return opened(sent, send(sent.message()));
  }

  private static Inner opened(ObliviousHttp.Sent sent, HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("message/ohttp-res");
    BinaryResponse inner = BinaryResponse.decode(sent.open(answer.body()));
    return new Inner(inner.status(), inner);
  }

  private static byte[] get(String path) {
    return request("GET", path, "", Instant.now());
  }

  private static byte[] request(String method, String path, String body, Instant made) {
    return new BinaryRequest(
            method,
            "gateway.example",
            path,
            List.of(
                new BinaryField("content-type", "application/json"),
                new BinaryField("date", HttpDate.of(made))),
            body.getBytes(StandardCharsets.UTF_8))
        .encode();
  }

  private static HttpResponse<byte[]> send(byte[] message) {
    return send(message, "Bearer " + Base64Url.encode(TOKEN));
  }

  private static HttpResponse<byte[]> send(byte[] message, String authorization) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + ServicePorts.http(gateway.context) + "/v1/ohttp"))
            .header("Content-Type", ObliviousHttp.REQUEST_TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(message));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String code(HttpResponse<byte[]> answer) {
    return JsonMapper.shared().readTree(answer.body()).path("code").asString("");
  }

  private static byte[] secret(int number) {
    byte[] secret = new byte[32];
    secret[1] = (byte) number; // X25519 drops the lowest bits of the first octet
    return secret;
  }

  private static String file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }
}
