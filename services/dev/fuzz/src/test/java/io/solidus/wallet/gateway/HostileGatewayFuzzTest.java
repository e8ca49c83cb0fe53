package io.solidus.wallet.gateway;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.fuzz.Seeds;
import io.solidus.protocol.Family;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletException;
import io.solidus.wire.hpke.SealedMessage;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.WireJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A wallet with a gateway that sends arbitrary answers: each call returns a value, or throws a
 * rejection with a known code or the exception for a misbehaving gateway.
 */
class HostileGatewayFuzzTest {
  private static volatile byte[] body = new byte[0];
  private static volatile int status = 200;
  private static final GatewayClient GATEWAY = gateway();
  private static final SerialNumber SERIAL = new SerialNumber(Seeds.field(1));
  private static final TxCore CORE = new TxCore(Seeds.digest(1));

  private static final List<Callable<Object>> CALLS =
      List.of(
          GATEWAY::info,
          GATEWAY::manifest,
          GATEWAY::policyNote,
          () -> GATEWAY.sanctionList(1),
          () -> GATEWAY.transfer(CORE, SERIAL),
          () -> GATEWAY.coinStates(List.of(SERIAL), Seeds.digest(2)),
          () -> GATEWAY.mailbox(0, 10),
          () -> GATEWAY.submitTransfer(CORE, Seeds.transfer(Family.TRANSFER)),
          () -> GATEWAY.prove(Family.TRANSFER, new SealedMessage(new byte[32], new byte[64])),
          () -> GATEWAY.mailbox(new MailboxBucket(64), 0, 10),
          () -> GATEWAY.postMailbox(new byte[1200], new MailboxBucket(64)));

  private static GatewayClient gateway() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            try (exchange) {
              exchange.getRequestBody().readAllBytes();
              byte[] answer = body;
              exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
              exchange.getResponseBody().write(answer);
            }
          });
      server.setExecutor(Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
      server.start();
      URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      return new GatewayClient(
          new RestClient(HttpClient.newHttpClient(), base, "the gateway", Duration.ofSeconds(20)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Arguments> answers() {
    String partial = WireJson.write(PartialSignatureJson.of(Seeds.partial(1)));
    String serial = Base64Url.encode(SERIAL.bytes());
    return Stream.of(
        Arguments.of(
            0,
            200,
            bytes(
                "{\"networkId\":\"solidus-fuzz\",\"networkKind\":\"regulated\",\"currency\":\"EUR\",\"urls\":{\"a\":\"http://b\"}}")),
        Arguments.of(
            0,
            200,
            bytes(
                "{\"networkId\":\"solidus-fuzz\",\"networkKind\":\"regulated\",\"currency\":\"EUR\",\"urls\":{\"a\":\":\",\"b\":7}}")),
        Arguments.of(1, 200, bytes("{\"manifest\":\"AA\"}")),
        Arguments.of(4, 200, bytes("{\"partials\":[" + partial + "],\"combined\":[null,1,{}]}")),
        Arguments.of(
            5,
            200,
            bytes(
                "{\"states\":[{\"serial\":\""
                    + serial
                    + "\",\"status\":\"spent\",\"request\":{\"statement\":{}}}]}")),
        Arguments.of(
            5,
            200,
            bytes(
                "{\"states\":[{\"serial\":\""
                    + serial
                    + "\",\"unspent\":[1,2],\"requests\":[{\"authorities\":[3],\"request\":{}}]}]}")),
        Arguments.of(
            6, 200, bytes("{\"entries\":[{\"sequence\":1e3,\"blob\":\"AA\"}],\"next\":9}")),
        Arguments.of(7, 409, bytes("{\"code\":\"double-spend\",\"detail\":[1]}")),
        Arguments.of(7, 429, bytes("[[[[")),
        Arguments.of(8, 503, new byte[0]),
        Arguments.of(8, 200, bytes("null")),
        Arguments.of(5, 200, bytes("[".repeat(5000))),
        Arguments.of(9, 200, page(1208)),
        Arguments.of(9, 200, page(-1)),
        Arguments.of(10, 201, bytes("{\"sequence\":1e99}")));
  }

  /** A page of a bucket, of zeros, with so many bytes behind its head. */
  private static byte[] page(int behind) {
    byte[] page = new byte[73 + behind];
    page[0] = 1;
    return page;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @MethodSource("answers")
  @FuzzTest
  void answersAnything(int call, int code, byte @NotNull [] answer) {
    body = answer;
    status = 200 + Math.floorMod(code - 200, 400);
    try {
      CALLS.get(Math.floorMod(call, CALLS.size())).call();
    } catch (WalletException | ProtocolException e) {
      // the documented exceptions
    } catch (Exception e) {
      throw new AssertionError("undocumented exception for a gateway's answer: " + e, e);
    }
  }
}
