package io.solidus.edge.gateway;

import static io.solidus.edge.gateway.TestNotes.ISSUER;
import static io.solidus.edge.gateway.TestNotes.authorityKeys;
import static io.solidus.edge.gateway.TestNotes.checkpointText;
import static io.solidus.edge.gateway.TestNotes.countersigned;
import static io.solidus.edge.gateway.TestNotes.policy;
import static io.solidus.edge.gateway.TestNotes.policyText;
import static io.solidus.edge.gateway.TestNotes.withCheckpoint;
import static io.solidus.edge.gateway.TestNotes.withPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.json.Base64Url;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The REST API of the public parameters. */
@Tag("process")
class ParametersTest {
  private static final Generators RANDOM = new Generators(31);
  private static final byte[] LIST = RANDOM.bytes(20 * 3);
  private static final AtomicInteger FETCHES = new AtomicInteger();
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static HttpServer sanctions;
  private static GatewayFixture gateway;

  @BeforeAll
  static void start() throws IOException {
    sanctions = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sanctions.createContext(
        "/v1/sanctions/checkpoints/5/list",
        exchange -> {
          FETCHES.incrementAndGet();
          exchange.sendResponseHeaders(200, LIST.length);
          exchange.getResponseBody().write(LIST);
          exchange.close();
        });
    sanctions.start();
    String url = "http://127.0.0.1:" + sanctions.getAddress().getPort();
    TestCommittee shapes = TestCommittee.withShapes();
    gateway =
        new GatewayFixture(
            Map.of(
                "solidus.gateway.sanctions-url",
                url,
                "solidus.network.keys-dir",
                shapes.keysDir(),
                "solidus.network.manifest-key",
                shapes.manifestKeyBase64()));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    sanctions.stop(0);
  }

  @BeforeEach
  void reset() {
    gateway.reset();
  }

  @Test
  void infoDescribesNetworkCommitteeAndServices() {
    var info = gateway.rest.get("/v1/info").json();
    assertThat(info.path("networkId").asString("")).isEqualTo(TestCommittee.NETWORK.value());
    assertThat(info.path("networkKind").asString("")).isEqualTo("regulated");
    assertThat(info.path("n").asInt(0)).isEqualTo(4);
    assertThat(info.path("f").asInt(0)).isEqualTo(1);
    assertThat(info.path("circuitVersions").propertyNames())
        .contains("transfer", "register", "mint", "recover");
    assertThat(info.path("urls").propertyNames())
        .containsExactlyInAnyOrder("registration", "sanctions", "issuance");
    assertThat(info.path("proverKey").isNull()).isTrue();
  }

  @Test
  void servesTheManifestAsSigned() {
    var keys = gateway.rest.get("/v1/keys").json();
    byte[] manifest = Base64Url.decode(keys.path("manifest").asString(""), "manifest");
    byte[] signature = Base64Url.decode(keys.path("signature").asString(""), "signature");
    assertThat(new String(manifest, StandardCharsets.UTF_8))
        .contains(TestCommittee.NETWORK.value());
    assertThat(signature).isNotEmpty();
  }

  @Test
  void servesTheShapesAsSigned() throws Exception {
    var shapes = gateway.rest.get("/v1/keys/shapes").json();
    byte[] content = Base64Url.decode(shapes.path("shapes").asString(""), "shapes");
    byte[] signature = Base64Url.decode(shapes.path("signature").asString(""), "signature");
    Ed25519PublicKey signer = new Ed25519PublicKey(TestCommittee.withShapes().manifestKey());
    byte[] signed =
        HexFormat.of().parseHex(new String(signature, StandardCharsets.US_ASCII).strip());
    assertThat(signer.verify(content, signed)).isTrue();
    JsonNode circuit = JsonMapper.shared().readTree(content).path("circuits").path(0);
    assertThat(circuit.path("name").asString("")).isEqualTo("claim-16");
    for (String file : List.of("verifyingKey", "provingKey")) {
      String sha256 = circuit.path(file).path("sha256").asString("");
      assertThat(Digest32.sha256(bytes("/v1/keys/files/" + sha256).body()).hex()).isEqualTo(sha256);
    }
    assertThat(GatewayFixture.shared().rest.get("/v1/keys/shapes").code()).isEqualTo("not-found");
  }

  @Test
  void policyHasTheSignaturesOfIssuerAndAuthorities() {
    for (int i = 1; i <= 4; i++) {
      gateway.setStatus(i, withPolicy(countersigned(i, policyText(3)), 3));
    }
    // the gateway caches the answers of the authorities for a second
    Eventually.holds(() -> {
      RestProbe.Answer answer = gateway.rest.get("/v1/policy");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.contentType()).startsWith("text/plain");
      SignedNote note = SignedNote.parse(answer.body());
      assertThat(note.verifiedBy(authorityKeys())).hasSize(4);
      assertThat(note.verifiedBy(List.of(ISSUER.publicKey()))).hasSize(1);
      assertThat(Policy.parse(TestCommittee.NETWORK, note.text())).isEqualTo(policy(3));
    });
  }

  @Test
  void servesNoNoteWithFewerThanFPlusOneCountersignatures() {
    gateway.setStatus(1, withPolicy(countersigned(1, policyText(3)), 3));
    Eventually.holds(() -> {
      RestProbe.Answer answer = gateway.rest.get("/v1/policy");
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.code()).isEqualTo("unavailable");
    });
    assertThat(gateway.rest.get("/v1/sanctions/checkpoint").code()).isEqualTo("unavailable");
  }

  /**
   * Shard 0 of three authorities is not reachable, and that of the fourth never answers: their
   * other shards answer.
   */
  @Test
  void callsTheNextShardWhenTheFirstDoesNotAnswer() {
    try (FakeAuthority silent = new FakeAuthority(4);
        GatewayFixture other =
            new GatewayFixture(
                Map.of(
                    "solidus.gateway.authorities[0].shards[0]", "127.0.0.1:1",
                    "solidus.gateway.authorities[1].shards[0]", "127.0.0.1:1",
                    "solidus.gateway.authorities[2].shards[0]", "127.0.0.1:1",
                    "solidus.gateway.authorities[3].shards[0]", silent.address()))) {
      silent.behaviour = AuthorityBehaviour.WITHHOLDS;
      for (int i = 3; i <= 4; i++) {
        other.setStatus(i, withPolicy(countersigned(i, policyText(3)), 3));
      }
      other.silence(1); // authorities 3 and 4 are both needed for f+1
      Eventually.holds(() -> {
        RestProbe.Answer answer = other.rest.get("/v1/policy");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(SignedNote.parse(answer.body()).verifiedBy(authorityKeys())).hasSize(2);
      });
    }
  }

  @Test
  void fetchesTheListOnceAndLetsClientsCacheItForEver() {
    String text = checkpointText(5);
    for (int i = 1; i <= 4; i++) {
      gateway.setStatus(i, withCheckpoint(countersigned(i, text), 5));
    }
    String path = "/v1/sanctions/checkpoints/5/list";
    Eventually.holds(() -> assertThat(gateway.rest.get(path).status()).isEqualTo(200));
    RestProbe.Answer first = gateway.rest.get(path);
    assertThat(first.header("Cache-Control")).contains("immutable");
    assertThat(gateway.rest.get(path, "If-None-Match", first.header("ETag")).status())
        .isEqualTo(304);
    assertThat(FETCHES.get()).isEqualTo(1);
    assertThat(gateway.rest.get("/v1/sanctions/checkpoints/6/list").status()).isEqualTo(404);
    assertThat(gateway.rest.get("/v1/sanctions/checkpoints/x/list").code())
        .isEqualTo("malformed-request");
  }

  @Test
  void aListIsReadInPartsAndADownloadGoesOn() throws Exception {
    String path = "/v1/sanctions/checkpoints/5/list";
    serveList();
    HttpResponse<byte[]> whole = bytes(path);
    assertThat(whole.body()).isEqualTo(LIST);
    assertThat(whole.headers().firstValue("Accept-Ranges")).contains("bytes");
    assertThat(whole.headers().firstValueAsLong("Content-Length")).hasValue(60);
    String tag = whole.headers().firstValue("ETag").orElseThrow();
    assertThat(tag).isEqualTo("\"" + Base64Url.encode(Digest32.sha256(LIST).bytes()) + "\"");
    assertPart(bytes(path, "Range", "bytes=20-39"), 20, 40);
    assertPart(bytes(path, "Range", "bytes=50-"), 50, 60);
    assertPart(bytes(path, "Range", "bytes=-7"), 53, 60);
    assertPart(bytes(path, "Range", "bytes=10-1000000"), 10, 60);
    assertPart(bytes(path, "Range", "bytes=1-2", "If-Range", tag), 1, 3);
    for (String past : List.of("bytes=60-", "bytes=100-200")) {
      HttpResponse<byte[]> none = bytes(path, "Range", past);
      assertThat(none.statusCode()).as(past).isEqualTo(416);
      assertThat(none.headers().firstValue("Content-Range")).contains("bytes */60");
      assertThat(none.headers().firstValue("Content-Type")).contains("application/problem+json");
    }
    // another content than the reader has a part of, and what a server may overlook
    assertThat(bytes(path, "Range", "bytes=1-2", "If-Range", "\"other\"").body()).isEqualTo(LIST);
    for (String odd : List.of("bytes=1-2,4-5", "lines=1-2", "bytes=x-y", "bytes=9-2", "")) {
      HttpResponse<byte[]> all = bytes(path, "Range", odd);
      assertThat(all.statusCode()).as(odd).isEqualTo(200);
      assertThat(all.body()).isEqualTo(LIST);
    }
    assertThat(bytes(path, "If-None-Match", "W/" + tag, "Range", "bytes=1-2").statusCode())
        .isEqualTo(304);
    assertThat(bytes(path, "If-None-Match", "\"other\", " + tag).statusCode()).isEqualTo(304);
  }

  @Test
  void servesTheFilesOfTheManifestByTheirDigestsAndNoOthers() throws Exception {
    JsonNode manifest =
        JsonMapper.shared()
            .readTree(
                Base64Url.decode(
                    gateway.rest.get("/v1/keys").json().path("manifest").asString(""), "manifest"));
    for (JsonNode circuit : manifest.path("circuits")) {
      JsonNode entry = circuit.path("verifyingKey");
      String sha256 = entry.path("sha256").asString("");
      HttpResponse<byte[]> file = bytes("/v1/keys/files/" + sha256);
      assertThat(file.statusCode()).isEqualTo(200);
      assertThat(Digest32.sha256(file.body()).hex()).isEqualTo(sha256);
      int half = entry.path("size").asInt(0) / 2;
      HttpResponse<byte[]> rest = bytes("/v1/keys/files/" + sha256, "Range", "bytes=" + half + "-");
      assertThat(rest.statusCode()).isEqualTo(206);
      assertThat(rest.body()).isEqualTo(Arrays.copyOfRange(file.body(), half, file.body().length));
    }
    assertThat(gateway.rest.get("/v1/keys/files/" + "00".repeat(32)).code()).isEqualTo("not-found");
    for (String path : List.of("manifest.json", "..%2Fmanifest.json", "shares", "simulator.json")) {
      assertThat(gateway.rest.get("/v1/keys/files/" + path).status()).as(path).isIn(400, 404);
    }
  }

  @Test
  void whatHasNotChangedIsNotSentAgain() {
    for (int i = 1; i <= 4; i++) {
      gateway.setStatus(i, withPolicy(countersigned(i, policyText(3)), 3));
    }
    Eventually.holds(() -> {
      assertThat(gateway.rest.get("/v1/policy").status()).isEqualTo(200);
      assertThat(
              SignedNote.parse(gateway.rest.get("/v1/policy").body()).verifiedBy(authorityKeys()))
          .hasSize(4);
    });
    for (String path : List.of("/v1/keys", "/v1/keys/shapes", "/v1/policy")) {
      RestProbe.Answer first = gateway.rest.get(path);
      assertThat(first.header("Cache-Control")).isEqualTo("no-cache");
      RestProbe.Answer again = gateway.rest.get(path, "If-None-Match", first.header("ETag"));
      assertThat(again.status()).as(path).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(gateway.rest.get(path, "If-None-Match", "\"other\"").body())
          .isEqualTo(first.body());
    }
  }

  private static void serveList() {
    String text = checkpointText(5);
    for (int i = 1; i <= 4; i++) {
      gateway.setStatus(i, withCheckpoint(countersigned(i, text), 5));
    }
    Eventually.holds(() ->
        assertThat(gateway.rest.get("/v1/sanctions/checkpoints/5/list").status()).isEqualTo(200));
  }

  private static void assertPart(HttpResponse<byte[]> answer, int from, int to) {
    assertThat(answer.statusCode()).isEqualTo(206);
    assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(LIST, from, to));
    assertThat(answer.headers().firstValue("Content-Range"))
        .contains("bytes " + from + "-" + (to - 1) + "/60");
    assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(to - from);
  }

  private static HttpResponse<byte[]> bytes(String path, String... headers)
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

  @Test
  void servesTheApiDescriptionAndItsPages() {
    var paths = gateway.rest.get("/v3/api-docs").json().path("paths");
    assertThat(paths.propertyNames())
        .contains(
            "/v1/info",
            "/v1/keys",
            "/v1/keys/shapes",
            "/v1/policy",
            "/v1/sanctions/checkpoint",
            "/v1/sanctions/checkpoints/{version}/list",
            "/v1/transfers",
            "/v1/transfers/{core}",
            "/v1/mints",
            "/v1/registrations/signatures",
            "/v1/coins/state",
            "/v1/proofs",
            "/v1/mailbox");
    assertThat(gateway.rest.get("/swagger-ui/index.html").body()).contains("swagger-ui");
    assertThat(gateway.rest.get("/swagger-ui.html").status()).isIn(200, 302);
  }
}
