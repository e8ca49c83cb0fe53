package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TokenKeyList;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.token.BlindedToken;
import io.solidus.wire.token.Token;
import io.solidus.wire.token.TokenChallenge;
import io.solidus.wire.token.TokenIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A gateway that takes tokens, and strangers who have used up what strangers get. */
@Tag("process")
class TokensTest {
  private static final String KEYS = "/v1/tokens/keys";
  private static final String ISSUER = "registration.example";
  private static final String ORIGIN = "gateway.example";
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Refused at 20 a second. */
  private static final int REQUESTS = 60;

  private static volatile String served = "";
  private static final AtomicInteger FETCHES = new AtomicInteger();

  /** The keys of the day before yesterday, of yesterday, today and tomorrow. */
  private static List<TokenIssuer> days;

  private static HttpServer registration;
  private static GatewayFixture gateway;
  private static RestProbe.Answer underAnotherKey;
  private static RestProbe.Answer countersignedByTwo;
  private static final Generators GENERATORS = new Generators(System.nanoTime());

  @BeforeAll
  static void start() throws IOException {
    days = Stream.generate(() -> TokenIssuer.generate(RANDOM)).limit(4).toList();
    registration = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    registration.createContext(
        KEYS,
        exchange -> {
          try (exchange) {
            FETCHES.incrementAndGet();
            byte[] note = served.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, note.length);
            exchange.getResponseBody().write(note);
          }
        });
    registration.start();
    served = note(TestNotes.ISSUER); // a key that signs no tokens
    gateway =
        new GatewayFixture(
            Map.of(
                "solidus.gateway.tokens.url",
                "http://127.0.0.1:" + registration.getAddress().getPort(),
                "solidus.gateway.tokens.origin",
                ORIGIN,
                "solidus.gateway.max-per-second.refusals-of-one-network",
                20,
                "solidus.gateway.tokens.strangers-per-second",
                1));
    // strangers take what strangers get in more than a day
    String unused =
        gateway.bean(Admission.class).run(Admission.RequestClass.STRANGER, 100_000, () -> "served");
    // the gateway asks again soon, because it does not take the note
    Eventually.holds(() -> assertThat(FETCHES.get()).isGreaterThan(1));
    underAnotherKey = post(token(2, ORIGIN).authorization());
    gateway.authority(1).countersigned = own -> "not a note";
    gateway.authority(2).countersigned =
        own ->
            SignedNote.sign("another text\n", TestCommittee.regulated().countersigner(2)).encode();
    served = note(TestNotes.REGISTRATION);
    Eventually.holds(
        () -> assertThat(post(token(2, ORIGIN).authorization()).status()).isEqualTo(201));
    countersignedByTwo = gateway.rest.get(KEYS);
    gateway.authority(2).countersigned = own -> own;
    Eventually.holds(() -> assertThat(gateway.rest.get(KEYS).status()).isEqualTo(200));
  }

  private static String note(NoteSigner signer) {
    long first = LocalDate.now(ZoneOffset.UTC).toEpochDay() - 2;
    TokenKeyList keys =
        new TokenKeyList(
            ISSUER,
            64,
            first,
            days.stream().map(day -> HexFormat.of().formatHex(day.publicKey().spki())).toList());
    return SignedNote.sign(keys.toNoteText(TestCommittee.NETWORK), signer).encode();
  }

  @AfterAll
  static void stop() {
    gateway.close();
    registration.stop(0);
  }

  @Test
  void keysThatRegistrationDidNotSignCountNothing() {
    assertRefused(underAnotherKey);
  }

  @Test
  @Spec("A-10")
  void walletsGetKeysThatAQuorumCountersigned() {
    assertThat(countersignedByTwo.code()).isEqualTo("unavailable");
    SignedNote note = SignedNote.parse(gateway.rest.get(KEYS).body());
    assertThat(note.signatures()).hasSize(3);
    for (int authority = 2; authority <= 4; authority++) {
      assertThat(note.isSignedBy(TestCommittee.regulated().countersigner(authority).publicKey()))
          .isTrue();
    }
    assertThat(GatewayFixture.shared().rest.get(KEYS).code()).isEqualTo("not-found");
  }

  @Test
  void aRegisteredWalletPostsWhileStrangersFlood() {
    for (int i = 0; i < 20; i++) {
      assertThat(post(token(2, ORIGIN).authorization()).status()).isEqualTo(201);
    }
    assertThat(lookUp(token(2, ORIGIN).authorization()).status()).isEqualTo(200);
    assertThat(prove(token(2, ORIGIN).authorization()).code()).isEqualTo("not-found"); // no prover
  }

  @Test
  void strangersShareOneRateOfAllThatCostsNothing() {
    assertRefused(post(""));
    assertRefused(lookUp(""));
    assertRefused(prove(""));
  }

  /** Attack: a stranger begins many requests at once, each of which would be read to be refused. */
  @Test
  void aStrangersRequestIsReadWhenItsTurnHasCome() {
    AtomicInteger refused = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < REQUESTS; i++) {
        threads.execute(() -> {
          assertRefused(post(""));
          refused.incrementAndGet();
        });
      }
      Eventually.holds(() -> assertThat(refused.get()).isGreaterThan(REQUESTS / 6));
      assertThat(post(token(2, ORIGIN).authorization()).status()).isEqualTo(201);
      assertThat(refused.get()).as("who shows a token does not wait").isLessThan(REQUESTS);
      int before = refused.get();
      assertThat(send("/v1/mailbox", Map.of("blob", "junk"), "").status()).isEqualTo(400);
      assertThat(refused.get() - before)
          .as("refused before another one is read")
          .isGreaterThan(REQUESTS / 3);
    }
    assertThat(refused).hasValue(REQUESTS);
  }

  /** Whoever can pay needs no token, and everybody reads the same mailbox. */
  @Test
  void paymentsAndReadersNeedNoToken() {
    for (int i = 0; i < 5; i++) {
      assertThat(
              gateway
                  .rest
                  .post("/v1/transfers", TestRequests.json(TestRequests.transfer(GENERATORS)))
                  .status())
          .isEqualTo(200);
      assertThat(gateway.rest.get("/v1/mailbox").status()).isEqualTo(200);
    }
  }

  @Test
  @Spec("A-08")
  void aTokenIsSpentOnce() {
    String token = token(2, ORIGIN).authorization();
    assertThat(post(token).status()).isEqualTo(201);
    assertRefused(post(token));
    assertRefused(lookUp(token));
  }

  @Test
  @Spec("A-08")
  void aTokenCountsOnItsDayAndTheNext() {
    assertThat(post(token(1, ORIGIN).authorization()).status()).isEqualTo(201);
    assertRefused(post(token(0, ORIGIN).authorization()));
    assertRefused(post(token(3, ORIGIN).authorization()));
  }

  @Test
  @Spec("A-08")
  void aTokenOfAnotherGatewayOrOfNobodyCountsNothing() {
    assertRefused(post(token(2, "elsewhere.example").authorization()));
    Token stolen = token(2, ORIGIN);
    byte[] bytes = stolen.encode();
    bytes[2] ^= 1;
    assertRefused(post(Token.decode(bytes).authorization()));
    assertRefused(post("Bearer abc"));
  }

  @Test
  void capabilitiesNameTheTokens() {
    assertThat(gateway.rest.get("/v1/capabilities").json().path("tokens").path("origin").asString())
        .isEqualTo(ORIGIN);
    assertThat(
            GatewayFixture.shared().rest.get("/v1/capabilities").json().path("tokens").isObject())
        .isFalse();
  }

  private static void assertRefused(RestProbe.Answer answer) {
    assertThat(answer.code()).isEqualTo("overloaded");
  }

  private static Token token(int day, String origin) {
    TokenIssuer issuer = days.get(day);
    BlindedToken blinded =
        BlindedToken.draw(
            issuer.publicKey(), new TokenChallenge(ISSUER, new byte[0], origin), RANDOM);
    return blinded.finish(issuer.sign(blinded.request()));
  }

  private static RestProbe.Answer post(String authorization) {
    return send(
        "/v1/mailbox", Map.of("blob", Base64Url.encode(GENERATORS.bytes(1200))), authorization);
  }

  private static RestProbe.Answer lookUp(String authorization) {
    List<String> serials =
        Stream.generate(() -> Base64Url.encode(GENERATORS.serial().bytes())).limit(4).toList();
    return send("/v1/coins/state", Map.of("serials", serials), authorization);
  }

  private static RestProbe.Answer prove(String authorization) {
    return send(
        "/v1/proofs",
        Map.of(
            "family", 3, "encapsulatedKey", Base64Url.encode(new byte[32]), "sealedWitness", "AA"),
        authorization);
  }

  private static RestProbe.Answer send(String path, Object body, String authorization) {
    return authorization.isEmpty()
        ? gateway.rest.post(path, body)
        : gateway.rest.post(path, body, "Authorization", authorization);
  }
}
