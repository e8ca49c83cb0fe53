package io.solidus.platform.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoundedCallsTest {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final CountDownLatch released = new CountDownLatch(1);
  private final BoundedCalls calls = new BoundedCalls(HttpClient.newHttpClient());
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/teapot", exchange -> answer(exchange, 418));
    server.createContext("/slow-body", this::beginAndWait);
    server.createContext("/silent", exchange -> await());
    server.start();
  }

  @AfterEach
  void stop() {
    released.countDown();
    calls.close();
    server.stop(0);
  }

  @Test
  void returnsTheBodyOfAnyStatus() throws IOException {
    BoundedCalls.Answer answer = calls.send(request("/teapot"), LONG, 5);
    assertThat(answer.status()).isEqualTo(418);
    assertThat(answer.isOk()).isFalse();
    assertThat(answer.body()).asString().isEqualTo("short");
  }

  @Test
  void refusesABodyThatIsOneByteTooLong() {
    assertThatExceptionOfType(NoAnswerException.class)
        .isThrownBy(() -> calls.send(request("/teapot"), LONG, 4))
        .withMessage("answered with more than 4 bytes");
  }

  @Test
  void theTimeoutCoversASlowBodyAndASilentServer() {
    for (String path : new String[] {"/slow-body", "/silent"}) {
      assertThatExceptionOfType(NoAnswerException.class)
          .as(path)
          .isThrownBy(() -> calls.send(request(path), SHORT, 100))
          .withMessage("did not answer in time");
    }
  }

  @Test
  void saysThatNobodyListens() {
    HttpRequest.Builder request = request("/teapot");
    server.stop(0);
    assertThatExceptionOfType(NoAnswerException.class)
        .isThrownBy(() -> calls.send(request, LONG, 100))
        .withMessage("cannot be reached");
  }

  @Test
  void callsNobodyAfterItsEnd() {
    calls.close();
    assertThatExceptionOfType(NoAnswerException.class)
        .isThrownBy(() -> calls.send(request("/teapot"), LONG, 100))
        .withMessage("was not called: this service is stopping");
  }

  @Test
  void anInterruptEndsTheCallAndStaysSet() {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(NoAnswerException.class)
        .isThrownBy(() -> calls.send(request("/silent"), LONG, 100));
    assertThat(Thread.interrupted()).isTrue();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    try (exchange) {
      byte[] body = "short".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private void beginAndWait(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 10);
    exchange.getResponseBody().write(1);
    exchange.getResponseBody().flush();
    await();
  }

  private void await() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
