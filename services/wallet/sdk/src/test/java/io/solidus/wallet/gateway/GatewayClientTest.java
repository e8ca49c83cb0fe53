package io.solidus.wallet.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.sun.net.httpserver.HttpServer;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.SerialStates;
import io.solidus.protocol.SignedStates;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import io.solidus.wallet.Samples;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.SignedStatesJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import io.solidus.wire.token.Token;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For every reply of a gateway, the wallet gets a valid value or an exception with a code. */
class GatewayClientTest {
  private static final Digest32 NONCE = Digest32.of(new byte[32]);

  private final HttpClient http = HttpClient.newHttpClient();
  private HttpServer server;
  private GatewayClient client;
  private volatile int status = 200;
  private volatile String answer = "{}";
  private volatile String agent = "";
  private volatile String key = "";
  private volatile String authorization = "";
  private volatile boolean lost;
  private volatile String retryAfter = "";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          agent = exchange.getRequestHeaders().getFirst("User-Agent");
          key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
          authorization = exchange.getRequestHeaders().getFirst("Authorization");
          if (lost) {
            exchange.close();
            return;
          }
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          if (!retryAfter.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", retryAfter);
          }
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    client = new GatewayClient(new RestClient(http, uri, "the gateway", Duration.ofSeconds(5)));
  }

  @AfterEach
  void stop() {
    server.stop(0);
    http.close();
  }

  @Test
  void doesNotTellItsRuntime() {
    answer = "{\"manifest\":\"\",\"signature\":\"\"}";
    client.manifest();
    assertThat(agent).isEqualTo("solidus-wallet");
  }

  @Test
  void readsTheCodeOfARefusal() {
    status = 409;
    answer =
        "{\"type\":\"about:blank\",\"status\":409,\"code\":\"serial-conflict\",\"detail\":\"taken\",\"retryable\":false}";
    ProtocolException refused =
        refused(() -> client.submitTransfer(Samples.core(1), Samples.transferRequest()));
    assertThat(refused.code()).isEqualTo(RejectionCode.SERIAL_CONFLICT);
    assertThat(refused.detail()).isEqualTo("taken");
  }

  /** What is no number of seconds, or more than a day, is not slept for. */
  @Test
  void readsHowLongABusyServerWantsToBeLeftAlone() {
    status = 503;
    answer = "{\"code\":\"no-quorum\",\"detail\":\"wait\"}";
    assertThat(RetryAfter.after(refused(() -> client.info()))).isZero();
    retryAfter = "7";
    ProtocolException refused = refused(() -> client.info());
    assertThat(refused.code()).isEqualTo(RejectionCode.NO_QUORUM);
    assertThat(RetryAfter.after(refused)).isEqualTo(Duration.ofSeconds(7));
    answer = "busy";
    status = 429;
    assertThat(RetryAfter.after(refused(() -> client.info()))).isEqualTo(Duration.ofSeconds(7));
    retryAfter = "999999999";
    assertThat(RetryAfter.after(refused(() -> client.info()))).isEqualTo(Duration.ofDays(1));
    for (String other : List.of("-1", "soon", "Fri, 27 Nov 2026 00:00:00 GMT", "9999999999")) {
      retryAfter = other;
      assertThat(RetryAfter.after(refused(() -> client.info()))).as(other).isZero();
    }
  }

  @Test
  void aBusyOrBrokenServerGivesARetryableRefusal() {
    status = 502;
    answer = "<html>bad gateway</html>";
    assertThat(refused(() -> client.info()).code()).isEqualTo(RejectionCode.UNAVAILABLE);
    status = 429;
    assertThat(refused(() -> client.info()).code()).isEqualTo(RejectionCode.OVERLOADED);
  }

  @Test
  void namesAMessageByItsDigestSoThatItIsStoredOnce() {
    byte[] blob = new byte[1200];
    answer = "{\"sequence\":1}";
    client.postMailbox(blob, MailboxBucket.WHOLE);
    assertThat(key).isEqualTo(Digest32.sha256(blob).hex());
  }

  @Test
  void aMalformedReplyIsMisbehaviour() {
    List<String> answers =
        List.of(
            "",
            "not json",
            "[]",
            "{}",
            "null",
            "{\"states\":{}}",
            "{\"states\":[{}]}",
            "{\"entries\":3,\"next\":0}");
    for (String malformed : answers) {
      answer = malformed;
      assertMisbehaved(() -> client.info());
      assertMisbehaved(() -> client.mailbox(0, 10));
      assertMisbehaved(() -> client.coinStates(List.of(new SerialNumber(Samples.field(1))), NONCE));
      assertMisbehaved(() -> client.submitTransfer(Samples.core(1), Samples.transferRequest()));
    }
  }

  @Test
  void aSignatureWithACoordinateOutsideTheFieldIsMisbehaviour() {
    answer = "{\"partials\":[],\"combined\":[\"" + "_".repeat(128) + "\"]}";
    assertMisbehaved(() -> client.submitTransfer(Samples.core(1), Samples.transferRequest()));
  }

  @Test
  void anOversizedReplyIsMisbehaviour() {
    answer = "[" + "1,".repeat(1 << 20) + "1]";
    assertMisbehaved(() -> client.info());
  }

  @Test
  void aReplyForOtherSerialsIsMisbehaviour() {
    answer = "{\"states\":[]}";
    assertMisbehaved(() -> client.coinStates(List.of(new SerialNumber(Samples.field(1))), NONCE));
  }

  @Test
  @Spec("F-22")
  void readsWhatIsReadableOfTheAnswersForACoin() {
    SerialNumber serial = new SerialNumber(Samples.field(1));
    SignedStates signed =
        SignedStates.sign(
            NoteSigner.fromSeed(CommitteeMember.noteName(3), new byte[32]),
            3,
            Samples.NETWORK,
            NONCE,
            new SerialStates(
                1,
                new StateFloors(2, 3, new Period(202611)),
                List.of(SerialStates.State.free(serial))));
    String request = WireJson.write(TransferRequestJson.of(Samples.transferRequest()));
    String coins =
        "{\"states\":[{\"serial\":\""
            + Base64Url.encode(serial.bytes())
            + "\",\"status\":\"unknown\",\"unspent\":[1,4],\"requests\":["
            + "{\"authorities\":[2],\"request\":"
            + request
            + "},{\"authorities\":[3],\"request\":{\"statement\":7}},"
            + "{\"authorities\":[5],\"request\":null}]}]";
    answer =
        coins
            + ",\"signed\":[{\"authority\":101},null,"
            + WireJson.write(SignedStatesJson.of(signed))
            + "]}";
    CoinStateReply reply = client.coinStates(List.of(serial), NONCE);
    assertThat(reply.coins())
        .containsExactly(
            new CoinStateReply.Coin(serial, List.of(Samples.transferRequest()), List.of()));
    assertThat(reply.signed()).containsExactly(signed);
    answer = coins + "}";
    assertThat(client.coinStates(List.of(serial), NONCE).signed())
        .as("of a gateway that knows no signatures")
        .isEmpty();
  }

  /** The timeout of a request of the JDK ends with the headers of its answer. */
  @Test
  void aBodyThatNeverEndsIsGivenUpInTime() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    server.createContext(
        "/v1/policy",
        exchange -> {
          exchange.sendResponseHeaders(200, 999);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          awaitEnd(end);
          exchange.close();
        });
    try {
      assertGivenUp();
    } finally {
      end.countDown();
    }
  }

  /** Each byte comes in time. */
  @Test
  void aBodyThatTricklesIsGivenUpInTime() {
    server.createContext(
        "/v1/policy",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try (OutputStream body = exchange.getResponseBody()) {
            while (true) {
              body.write(' ');
              body.flush();
              LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
          }
        });
    assertGivenUp();
  }

  /**
   * A gateway that withholds answers would see one token with two requests, and knew their wallet.
   */
  @Test
  void aTokenIsShownWithOneRequestAlone() {
    AtomicInteger taken = new AtomicInteger();
    TokenSource tokens =
        () -> {
          Digest32 nonce = Digest32.sha256(new byte[] {(byte) taken.incrementAndGet()});
          return Optional.of(new Token(nonce, nonce, nonce, new byte[256]));
        };
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    RestClient rest = new RestClient(http, uri, "the gateway", Duration.ofSeconds(5));
    GatewayClient spending = new GatewayClient(rest, rest, tokens);
    byte[] first = new byte[1200];
    byte[] second = first.clone();
    second[0] = 1;
    lost = true;
    assertLost(() -> spending.postMailbox(first, MailboxBucket.WHOLE));
    String shown = authorization;
    assertThat(shown).startsWith("PrivateToken token=");
    assertLost(() -> spending.postMailbox(first, MailboxBucket.WHOLE));
    assertThat(authorization).as("the same request").isEqualTo(shown);
    assertLost(() -> spending.postMailbox(second, MailboxBucket.WHOLE));
    assertThat(authorization).as("another request").isNotEqualTo(shown);
    lost = false;
    status = 429;
    answer = "{\"code\":\"overloaded\",\"detail\":\"busy\"}";
    String last = authorization;
    assertThat(refused(() -> spending.postMailbox(second, MailboxBucket.WHOLE)).code())
        .isEqualTo(RejectionCode.OVERLOADED);
    assertThat(authorization).isEqualTo(last);
    assertThat(refused(() -> spending.postMailbox(second, MailboxBucket.WHOLE)).code())
        .isEqualTo(RejectionCode.OVERLOADED);
    assertThat(authorization).as("one that was answered").isNotEqualTo(last);
    assertThat(taken).hasValue(3);
  }

  private static void assertLost(ThrowingCallable call) {
    assertThat(catchThrowableOfType(WalletException.class, call).error())
        .isEqualTo(WalletError.GATEWAY_UNREACHABLE);
  }

  /** Also the end of the client does not wait for such a server. */
  private void assertGivenUp() {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    HttpClient own = HttpClient.newHttpClient();
    GatewayClient impatient =
        new GatewayClient(new RestClient(own, uri, "the gateway", Duration.ofSeconds(1)));
    WalletException failed =
        assertTimeoutPreemptively(
            Duration.ofSeconds(10),
            () -> catchThrowableOfType(WalletException.class, impatient::policyNote));
    assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_UNREACHABLE);
    assertTimeoutPreemptively(Duration.ofSeconds(10), own::close);
  }

  private static void awaitEnd(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aStoppedServerIsUnreachable() {
    server.stop(0);
    WalletException failed = catchThrowableOfType(WalletException.class, () -> client.info());
    assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_UNREACHABLE);
  }

  /** A stream whose event comes later, one that says nothing, one that is refused, and junk. */
  @Test
  @Spec("F-71")
  void waitsForAnEventAndNoLonger() {
    RequestToken tag = new RequestToken("0123456789abcdef0123456789abcdef");
    CountDownLatch end = new CountDownLatch(1);
    server.createContext(
        "/v1/mailbox/tags/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream body = exchange.getResponseBody();
          body.write("retry: 3000\n\n:\n\n".getBytes(StandardCharsets.UTF_8));
          body.flush();
          LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
          if (exchange.getRequestURI().getQuery().equals("after=7")) {
            body.write("id: 8\nevent: tagged\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));
            body.flush();
          }
          awaitEnd(end);
          exchange.close();
        });
    try {
      assertTimeoutPreemptively(
          Duration.ofSeconds(5),
          () -> assertThat(client.awaitTagged(tag, 7, Duration.ofSeconds(60))).isTrue());
    } finally {
      end.countDown();
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> assertThat(client.awaitTagged(tag, 8, Duration.ofMillis(600))).isFalse());
    server.removeContext("/v1/mailbox/tags/");
    status = 429;
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> assertThat(client.awaitTagged(tag, 8, Duration.ofSeconds(60))).isFalse());
    status = 200;
    answer = "x".repeat(100_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> assertThat(client.awaitTagged(tag, 8, Duration.ofSeconds(60))).isFalse());
  }

  private static ProtocolException refused(ThrowingCallable call) {
    ProtocolException refused = catchThrowableOfType(ProtocolException.class, call);
    assertThat(refused).isNotNull();
    return refused;
  }

  private static void assertMisbehaved(ThrowingCallable call) {
    WalletException failed = catchThrowableOfType(WalletException.class, call);
    assertThat(failed).isNotNull();
    assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
  }
}
