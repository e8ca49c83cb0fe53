package io.solidus.edge.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.ohttp.ObliviousHttp;
import io.solidus.wire.ohttp.SizeClass;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What a relay passes on, and what it keeps to itself. */
@Tag("process")
@ExtendWith(OutputCaptureExtension.class)
class RelayTest {
  private static final byte[] TOKEN =
      "the relay's token of 32 octets..".getBytes(StandardCharsets.US_ASCII);
  private static final String REQUEST = "a sealed request that nobody reads";
  private static final String ANSWER = "a sealed answer that nobody reads";
  private static final List<Headers> HEADERS = new CopyOnWriteArrayList<>();
  private static final List<String> BODIES = new CopyOnWriteArrayList<>();
  private static HttpServer gateway;
  private static ConfigurableApplicationContext relay;
  private static RestProbe client;
  private static volatile int status;
  private static volatile String type = "";
  private static volatile String answer = "";

  @TempDir private static Path folder;

  @BeforeAll
  static void start() throws IOException {
    gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext("/v1/ohttp", RelayTest::answer);
    gateway.start();
    relay =
        RelayApplication.start(
            Map.of(
                "server.port",
                0,
                "solidus.relay.target",
                "http://127.0.0.1:" + gateway.getAddress().getPort() + "/v1/ohttp",
                "solidus.relay.token-file",
                Files.write(folder.resolve("token"), TOKEN),
                "solidus.relay.timeout",
                "5s",
                "solidus.relay.per-second",
                "1000"));
    client = new RestProbe(ServicePorts.http(relay));
  }

  @AfterAll
  static void stop() {
    relay.close();
    gateway.stop(0);
  }

  @BeforeEach
  void reset() {
    HEADERS.clear();
    BODIES.clear();
    status = 200;
    type = ObliviousHttp.RESPONSE_TYPE;
    answer = ANSWER;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    HEADERS.add(exchange.getRequestHeaders());
    BODIES.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
    byte[] body = answer.getBytes(StandardCharsets.US_ASCII);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("X-Trace-Id", "of-the-gateway");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  void theBodyPassesAndNothingElseOfTheClient(CapturedOutput output) {
    RestProbe.Answer passed =
        send(
            REQUEST,
            "User-Agent",
            "agent-of-the-client",
            "X-Forwarded-For",
            "203.0.113.9",
            "Forwarded",
            "for=203.0.113.9",
            "Cookie",
            "a=cookie-of-the-client",
            "Authorization",
            "Bearer of-the-client",
            "X-Other",
            "header-of-the-client");
    assertThat(passed.status()).isEqualTo(200);
    assertThat(passed.contentType()).isEqualTo(ObliviousHttp.RESPONSE_TYPE);
    assertThat(passed.body()).isEqualTo(ANSWER);
    assertThat(passed.header("X-Trace-Id")).isNotEqualTo("of-the-gateway");
    assertThat(BODIES).containsExactly(REQUEST);
    Headers seen = HEADERS.getFirst();
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(seen.keySet());
    names.removeAll(Set.of("Connection", "Upgrade", "HTTP2-Settings"));
    assertThat(names)
        .isEqualTo(
            new TreeSet<>(
                Set.of("Authorization", "Content-length", "Content-type", "Host", "User-agent")));
    assertThat(seen.getFirst("Authorization")).isEqualTo("Bearer " + Base64Url.encode(TOKEN));
    assertThat(seen.values().toString())
        .doesNotContain("203.0.113.9")
        .doesNotContain("of-the-client");
    String metrics = client.get("/actuator/prometheus").body();
    assertThat(metrics).contains("solidus_relay_requests_total{outcome=\"passed\"");
    for (String kept : List.of("203.0.113.9", "of-the-client", REQUEST, ANSWER)) {
      assertThat(output.getAll()).doesNotContain(kept);
      assertThat(metrics).doesNotContain(kept);
    }
  }

  @Test
  void onlySealedRequestsToOnePathArePassed() {
    assertThat(client.post("/v1/ohttp", "{}").status()).isEqualTo(415);
    assertThat(client.get("/v1/ohttp").status()).isEqualTo(405);
    for (String path : List.of("/v1/mailbox", "/v1/transfers", "/v1/ohttp/more", "/")) {
      RestProbe.Answer refused =
          client.exchange(
              "POST", path, BodyPublishers.ofString(REQUEST), "Content-Type", "message/ohttp-req");
      assertThat(refused.status()).as(path).isBetween(401, 404);
    }
    assertThat(BODIES).isEmpty();
  }

  @Test
  void aRequestThatIsTooLongIsRefused() {
    assertThat(send("a".repeat(SizeClass.MAX_REQUEST)).status()).isEqualTo(200);
    assertThat(send("a".repeat(SizeClass.MAX_REQUEST + 1)).code()).isEqualTo("body-too-large");
    assertThat(BODIES).hasSize(1);
  }

  @Test
  void aProblemOfTheSealedRequestIsPassedBack() {
    status = 400;
    type = "application/problem+json";
    answer = "{\"code\":\"ohttp-key\"}";
    RestProbe.Answer refused = send(REQUEST);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("ohttp-key");
  }

  @Test
  void aGatewayThatDoesNotAnswerTheRelayIsUnavailable() {
    for (int other : new int[] {401, 404, 429, 500, 503}) {
      status = other;
      RestProbe.Answer refused = send(REQUEST);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("unavailable");
    }
    status = 200;
    type = "text/html";
    assertThat(send(REQUEST).code()).isEqualTo("unavailable");
  }

  private static RestProbe.Answer send(String body, String... headers) {
    String[] all = new String[headers.length + 2];
    all[0] = "Content-Type";
    all[1] = ObliviousHttp.REQUEST_TYPE;
    System.arraycopy(headers, 0, all, 2, headers.length);
    return client.exchange("POST", "/v1/ohttp", BodyPublishers.ofString(body), all);
  }
}
