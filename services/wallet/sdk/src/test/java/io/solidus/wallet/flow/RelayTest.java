package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.protocol.ObliviousKey;
import io.solidus.protocol.Relay;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.session.RelayUse;
import io.solidus.wire.hpke.HpkePrivateKey;
import io.solidus.wire.ohttp.BinaryField;
import io.solidus.wire.ohttp.BinaryRequest;
import io.solidus.wire.ohttp.BinaryResponse;
import io.solidus.wire.ohttp.HttpDate;
import io.solidus.wire.ohttp.ObliviousHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wallet behind a relay, which this test plays together with the gateway's half. */
@Tag("process")
@Spec("F-63")
class RelayTest {
  private static final Set<String> DIRECT = Set.of("list", "registration", "issuance");

  private final SecureRandom random = new SecureRandom();
  private final HpkePrivateKey key = HpkePrivateKey.generate(random);
  private final List<String> relayed = new CopyOnWriteArrayList<>();
  private final List<Instant> dates = new CopyOnWriteArrayList<>();
  private final List<Integer> lengths = new CopyOnWriteArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private HttpServer relay;
  private WalletBench bench;
  private volatile boolean broken;
  private volatile int status = 503;
  private volatile String code = "unavailable";
  private volatile Duration gatewaysClock = Duration.ZERO;

  @TempDir private Path folder;

  @BeforeEach
  void open() throws IOException {
    bench = new WalletBench(folder);
    relay = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    relay.createContext("/v1/ohttp", this::pass);
    relay.start();
  }

  @AfterEach
  void close() {
    bench.close();
    relay.stop(0);
    http.close();
  }

  private RelayUse through() {
    URI address = URI.create("http://127.0.0.1:" + relay.getAddress().getPort() + "/v1/ohttp");
    return RelayUse.unsigned(new Relay(address, new ObliviousKey(1, key.publicKey())));
  }

  @Test
  void allThatConcernsAWalletGoesThroughTheRelay() {
    Wallet bob = bench.registered("bob");
    Wallet alice = bench.registered("alice");
    bench.fund(alice, 100);
    bench.closeWallet(alice);
    alice = bench.reopen("alice", WalletBench.OPTIONS.withRelay(through()));
    bench.gateway.routes.clear();
    alice.pay(bob.address(), WalletBench.amount(30), "through the relay");
    alice.receive();
    assertThat(bench.gateway.routes).containsAll(relayed);
    List<String> direct = new ArrayList<>(bench.gateway.routes);
    relayed.forEach(direct::remove);
    assertThat(direct).allMatch(route -> DIRECT.stream().anyMatch(route::contains));
    assertThat(relayed).anyMatch(route -> route.contains("transfers"));
    assertThat(relayed).anyMatch(route -> route.contains("mailbox"));
    assertThat(bob.receive())
        .extracting(ReceivedCoin::reference)
        .containsExactly("through the relay");
    assertThat(lengths).allMatch(length -> length == 4 << 10 || length == 16 << 10);
    assertThat(dates).allMatch(date -> date.getEpochSecond() % 60 == 0);
  }

  /** Whoever stops the relay would learn the address of a wallet that goes around it. */
  @Test
  void aWalletDoesNotGoAroundARelayThatFails() {
    Wallet alice = bench.registered("alice");
    bench.closeWallet(alice);
    Wallet behind = bench.reopen("alice", WalletBench.OPTIONS.withRelay(through()));
    bench.gateway.routes.clear();
    broken = true;
    assertThat(catchThrowableOfType(RuntimeException.class, behind::receive)).isNotNull();
    relay.stop(0);
    assertThat(catchThrowableOfType(WalletException.class, behind::receive).error())
        .isEqualTo(WalletError.GATEWAY_UNREACHABLE);
    assertThat(bench.gateway.routes).isEmpty();
  }

  /**
   * From what a wallet does after a code, a relay that chose it would learn what the request was.
   */
  @Test
  void aRelayDoesNotSpeakForTheGateway() {
    bench.closeWallet(bench.registered("alice"));
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withRelay(through()));
    broken = true;
    status = 409;
    code = "stale-policy";
    assertThat(catchThrowableOfType(WalletException.class, alice::receive).error())
        .isEqualTo(WalletError.GATEWAY_MISBEHAVED);
  }

  @Test
  void anOwnerMaySwitchTheRelayOff() {
    bench.closeWallet(bench.registered("alice"));
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withRelay(RelayUse.NONE));
    alice.receive();
    assertThat(relayed).isEmpty();
  }

  /** A time that a gateway gives would mark the wallet, if it used it again. */
  @Test
  void theGatewaysTimeServesForOneRequest() {
    bench.closeWallet(bench.registered("alice"));
    Wallet alice = bench.reopen("alice", WalletBench.OPTIONS.withRelay(through()));
    gatewaysClock = Duration.ofHours(-7);
    alice.receive();
    assertThat(dates.size()).isGreaterThanOrEqualTo(4).isEven();
    for (int i = 0; i < dates.size(); i += 2) {
      assertThat(Duration.between(dates.get(i + 1), dates.get(i)).toHours()).isBetween(6L, 7L);
    }
  }

  private void pass(HttpExchange exchange) throws IOException {
    byte[] sealed = exchange.getRequestBody().readAllBytes();
    if (broken) {
      byte[] problem = ("{\"code\":\"" + code + "\"}").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, problem.length);
      exchange.getResponseBody().write(problem);
      exchange.close();
      return;
    }
    ObliviousHttp.Received received = ObliviousHttp.open(key, sealed);
    lengths.add(received.request().length);
    byte[] answer =
        received.seal(answer(BinaryRequest.decode(received.request())).encode(), random);
    exchange.getResponseHeaders().set("Content-Type", ObliviousHttp.RESPONSE_TYPE);
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private BinaryResponse answer(BinaryRequest request) throws IOException {
    Instant date = HttpDate.parse(header(request, "date")).orElseThrow();
    dates.add(date);
    Instant now = Instant.now().plus(gatewaysClock);
    if (Duration.between(date, now).abs().toMinutes() > 5) {
      return new BinaryResponse(
          400, List.of(new BinaryField("date", HttpDate.of(now))), new byte[0]);
    }
    HttpRequest.Builder inner =
        HttpRequest.newBuilder(bench.gateway.uri().resolve(request.path()))
            .method(request.method(), HttpRequest.BodyPublishers.ofByteArray(request.content()));
    request.fields().stream()
        .filter(field -> !field.name().equals("date"))
        .forEach(field -> inner.header(field.name(), field.value()));
    try {
      int before = bench.gateway.routes.size();
      HttpResponse<byte[]> answer =
          http.send(inner.build(), HttpResponse.BodyHandlers.ofByteArray());
      relayed.addAll(bench.gateway.routes.subList(before, bench.gateway.routes.size()));
      return new BinaryResponse(answer.statusCode(), List.of(), answer.body());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static String header(BinaryRequest request, String name) {
    return request.fields().stream()
        .filter(field -> field.name().equals(name))
        .map(BinaryField::value)
        .findFirst()
        .orElse("");
  }
}
