package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.wire.json.Base64Url;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * What a wallet of a stranger needs of the API: what the network speaks, leave for pages of other
 * origins, the announced end of a version, and proofs that are asked for twice.
 */
@Tag("process")
class PublicApiTest {
  private static final String WALLET = "https://wallet.example";
  private static final FakeProver PROVER = new FakeProver();
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private static GatewayFixture gateway;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway =
        new GatewayFixture(
            Map.of(
                "solidus.gateway.prover-address", PROVER.address(),
                "solidus.gateway.currency", "KWD",
                "solidus.gateway.mailbox-retention", "7d",
                "solidus.http.body-limit", "48KB",
                "solidus.public-api.allowed-origins", WALLET,
                "solidus.public-api.deprecated-at", "2027-05-01T00:00:00Z",
                "solidus.public-api.sunset-at", "2027-11-30T00:00:00Z",
                "solidus.public-api.deprecation-page", "https://bank.example/v2"));
  }

  @AfterAll
  static void stop() {
    gateway.close();
    PROVER.close();
    THREADS.shutdownNow();
  }

  /** The numbers are those that the routes keep to. */
  @Test
  void capabilitiesSayWhatTheRoutesDo() {
    JsonNode says = gateway.rest.get("/v1/capabilities").json();
    assertThat(says.path("networkId").asString("")).isEqualTo(TestCommittee.NETWORK.value());
    assertThat(says.path("networkKind").asString("")).isEqualTo("regulated");
    assertThat(says.path("currency").asString("")).isEqualTo("KWD");
    JsonNode limits = says.path("limits");
    int longest = limits.path("bodyBytes").asInt(0);
    assertThat(longest).isEqualTo(48 * 1024);
    assertThat(post(" ".repeat(longest)).code()).isEqualTo("malformed-request");
    assertThat(post(" ".repeat(longest + 1)).code()).isEqualTo("body-too-large");
    int message = limits.path("messageBytes").asInt(0);
    assertThat(post(blob(message)).status()).isEqualTo(201);
    assertThat(post(blob(message + 1)).status()).isEqualTo(400);
    int page = limits.path("mailboxPage").asInt(0);
    assertThat(gateway.rest.get("/v1/mailbox?limit=" + page).status()).isEqualTo(200);
    assertThat(gateway.rest.get("/v1/mailbox?limit=" + (page + 1)).status()).isEqualTo(400);
    int serials = limits.path("lookUpSerials").asInt(0);
    assertThat(lookUp(serials).status()).isEqualTo(200);
    assertThat(lookUp(serials + 1).status()).isEqualTo(400);
    assertThat(limits.path("mailboxDays").asInt(0)).isEqualTo(7);
  }

  @Test
  void capabilitiesNameCircuitsFormatsAndOffers() {
    RestProbe.Answer answer = gateway.rest.get("/v1/capabilities");
    assertThat(answer.header("Cache-Control")).contains("max-age=300");
    JsonNode says = answer.json();
    TestCommittee committee = TestCommittee.regulated();
    List<JsonNode> families = says.path("families").valueStream().toList();
    assertThat(families)
        .extracting(family -> family.path("name").asString(""))
        .contains("register", "mint", "transfer", "recover");
    for (JsonNode family : families) {
      Family known = Family.of(family.path("code").asInt(0));
      assertThat(family.path("circuitVersions").get(0).asInt(-1))
          .isEqualTo(committee.keys().circuitVersion(known));
    }
    JsonNode formats = says.path("formats");
    byte[] manifest =
        Base64Url.decode(
            gateway.rest.get("/v1/keys").json().path("manifest").asString(""), "manifest");
    assertThat(formats.path("manifestDigest").asString(""))
        .isEqualTo(Digest32.sha256(manifest).hex());
    assertThat(formats.path("manifest").asString("")).isEqualTo("solidus/keys/v1");
    assertThat(formats.path("core").asString("")).isEqualTo("solidus/core/v2");
    assertThat(formats.path("policy").asString("")).isEqualTo("solidus/policy/v1");
    JsonNode offers = says.path("offers");
    assertThat(offers.path("recover").asBoolean(false)).isTrue();
    assertThat(offers.path("registration").asBoolean(false)).isTrue();
    assertThat(offers.path("mailBuckets").asBoolean(false)).isTrue();
    assertThat(offers.path("mailTags").asBoolean(false)).isTrue();
    assertThat(offers.path("mailTables").asBoolean(true)).isFalse();
    assertThat(offers.path("delegatedProofs").asBoolean(false)).isTrue();
    assertThat(
            GatewayFixture.shared()
                .rest
                .get("/v1/capabilities")
                .json()
                .path("offers")
                .path("delegatedProofs")
                .asBoolean(true))
        .isFalse();
  }

  @Test
  void everyAnswerOfADeprecatedVersionSaysWhenItEnds() {
    for (RestProbe.Answer answer :
        List.of(gateway.rest.get("/v1/info"), gateway.rest.get("/v1/elsewhere"))) {
      assertThat(answer.header("Deprecation")).isEqualTo("@1809129600");
      assertThat(answer.header("Sunset")).isEqualTo("Tue, 30 Nov 2027 00:00:00 GMT");
      assertThat(answer.header("Link")).contains("<https://bank.example/v2>; rel=\"deprecation\"");
    }
    JsonNode api = gateway.rest.get("/v1/capabilities").json().path("apis").get(0);
    assertThat(api.path("version").asString("")).isEqualTo("v1");
    assertThat(api.path("sunsetAt").asString("")).isEqualTo("2027-11-30T00:00:00Z");
    RestProbe.Answer other = GatewayFixture.shared().rest.get("/v1/info");
    assertThat(other.header("Deprecation") + other.header("Sunset")).isEmpty();
  }

  @Test
  void aPageOfTheWalletsOriginMayCall() {
    RestProbe.Answer preflight = preflight("/v1/transfers", WALLET);
    assertThat(preflight.status()).isEqualTo(200);
    assertThat(preflight.header("Access-Control-Allow-Origin")).isEqualTo(WALLET);
    assertThat(preflight.header("Access-Control-Allow-Methods")).contains("POST");
    assertThat(preflight.header("Access-Control-Allow-Headers").toLowerCase(Locale.ROOT))
        .contains("content-type", "idempotency-key");
    assertThat(preflight.header("Access-Control-Max-Age")).isEqualTo("7200");
    assertThat(preflight.header("Access-Control-Allow-Credentials")).isEmpty();
    assertThat(preflight.header("Vary")).contains("Origin");
    RestProbe.Answer post =
        gateway.rest.post("/v1/mailbox", blob(1200), "Origin", WALLET, "Idempotency-Key", key());
    assertThat(post.status()).isEqualTo(201);
    assertThat(post.header("Access-Control-Allow-Origin")).isEqualTo(WALLET);
    assertThat(post.header("Access-Control-Expose-Headers")).contains("Retry-After", "ETag");
    RestProbe.Answer refused =
        gateway.rest.post("/v1/mailbox", " ".repeat(60_000), "Origin", WALLET);
    assertThat(refused.status()).isEqualTo(413);
    assertThat(refused.header("Access-Control-Allow-Origin")).isEqualTo(WALLET);
  }

  @Test
  void noOtherPageMay() {
    for (String origin : List.of("https://evil.example", WALLET + ".evil.example", "null")) {
      RestProbe.Answer preflight = preflight("/v1/transfers", origin);
      assertThat(preflight.status()).as(origin).isEqualTo(403);
      assertThat(preflight.code()).isEqualTo("forbidden");
      assertThat(preflight.header("Access-Control-Allow-Origin")).isEmpty();
      RestProbe.Answer get = gateway.rest.get("/v1/info", "Origin", origin);
      assertThat(get.status()).isEqualTo(403);
      assertThat(get.header("Access-Control-Allow-Origin")).isEmpty();
    }
    RestProbe.Answer delete =
        gateway.rest.send(
            "OPTIONS",
            "/v1/transfers",
            null,
            "Origin",
            WALLET,
            "Access-Control-Request-Method",
            "DELETE");
    assertThat(delete.status()).isEqualTo(403);
  }

  /** The staff's API and what describes it are for no page of another origin. */
  @Test
  void noPageMayCallAnythingButThePublicApi() {
    for (String path :
        List.of(
            "/admin/v1/anything",
            "/actuator/prometheus",
            "/v3/api-docs",
            "/v1/../admin/v1/x",
            "/v1/..;x/admin/v1/x")) {
      assertThat(preflight(path, WALLET).header("Access-Control-Allow-Origin")).as(path).isEmpty();
      assertThat(gateway.rest.get(path, "Origin", WALLET).header("Access-Control-Allow-Origin"))
          .as(path)
          .isEmpty();
    }
  }

  @Test
  void withoutConfigurationNoPageMayCall() {
    RestProbe.Answer preflight =
        GatewayFixture.shared()
            .rest
            .send(
                "OPTIONS",
                "/v1/transfers",
                null,
                "Origin",
                WALLET,
                "Access-Control-Request-Method",
                "POST");
    assertThat(preflight.header("Access-Control-Allow-Origin")).isEmpty();
    assertThat(
            GatewayFixture.shared()
                .rest
                .get("/v1/info", "Origin", WALLET)
                .header("Access-Control-Allow-Origin"))
        .isEmpty();
  }

  @Test
  void aProofThatIsAskedForTwiceIsMadeOnce() {
    String key = key();
    String witness = Base64Url.encode(random.bytes(2000));
    int before = PROVER.requests.get();
    RestProbe.Answer first = prove(witness, key);
    assertThat(first.status()).isEqualTo(200);
    assertThat(prove(witness, "\"" + key + "\"").body()).isEqualTo(first.body());
    assertThat(PROVER.requests.get()).isEqualTo(before + 1);
    RestProbe.Answer other = prove(Base64Url.encode(random.bytes(2000)), key);
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.code()).isEqualTo("idempotency-mismatch");
    assertThat(PROVER.requests.get()).isEqualTo(before + 1);
  }

  @Test
  void aRepetitionWaitsForTheFirstProofAndAFailureIsNoAnswer() {
    String key = key();
    String witness = Base64Url.encode(random.bytes(2000));
    int before = PROVER.requests.get();
    CountDownLatch end = new CountDownLatch(1);
    PROVER.held = end;
    List<CompletableFuture<RestProbe.Answer>> both =
        Collections.nCopies(2, witness).stream()
            .map(each -> CompletableFuture.supplyAsync(() -> prove(each, key), THREADS))
            .toList();
    PROVER.failure = Status.UNAVAILABLE;
    PROVER.held = null;
    end.countDown();
    both.forEach(answer -> assertThat(answer.join().code()).isEqualTo("unavailable"));
    PROVER.failure = null;
    assertThat(prove(witness, key).status()).isEqualTo(200);
    assertThat(PROVER.requests.get()).isBetween(before + 2, before + 3);
  }

  private RestProbe.Answer prove(String witness, String key) {
    return gateway.rest.post(
        "/v1/proofs",
        Map.of(
            "family",
            3,
            "encapsulatedKey",
            Base64Url.encode(new byte[32]),
            "sealedWitness",
            witness),
        "Idempotency-Key",
        key);
  }

  private static RestProbe.Answer preflight(String path, String origin) {
    return gateway.rest.send(
        "OPTIONS",
        path,
        null,
        "Origin",
        origin,
        "Access-Control-Request-Method",
        "POST",
        "Access-Control-Request-Headers",
        "content-type,idempotency-key");
  }

  private static RestProbe.Answer post(Object body) {
    return gateway.rest.post("/v1/mailbox", body);
  }

  private Map<String, Object> blob(int bytes) {
    return Map.of("blob", Base64Url.encode(random.bytes(bytes)));
  }

  private RestProbe.Answer lookUp(int serials) {
    List<String> asked =
        Stream.generate(() -> Base64Url.encode(random.serial().bytes())).limit(serials).toList();
    return gateway.rest.post("/v1/coins/state", Map.of("serials", asked));
  }

  private String key() {
    return Base64Url.encode(random.bytes(16));
  }
}
