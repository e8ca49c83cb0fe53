package io.solidus.platform.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.platform.management.ManagementServer.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ManagementServerTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int MAX_CONNECTIONS = 32;

  static {
    // so that no connection is closed while this machine is slow; the JDK reads them once
    System.setProperty("sun.net.httpserver.maxReqTime", "600");
    System.setProperty("sun.net.httpserver.maxRspTime", "600");
    System.setProperty("sun.net.httpserver.idleInterval", "600");
  }

  private final CountDownLatch inPage = new CountDownLatch(6);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final HttpClient client = HttpClient.newHttpClient();
  private final ManagementServer server =
      new ManagementServer(
          LOOPBACK,
          0,
          Map.of(
              "/good",
              () -> new Page(200, "text/plain", "fine"),
              "/down",
              () -> new Page(503, "application/json", "{\"status\":\"DOWN\"}"),
              "/failing",
              this::fail,
              "/slow",
              this::waitAndAnswer));

  private Page fail() {
    throw new IllegalStateException("secret");
  }

  private Page waitAndAnswer() {
    inPage.countDown();
    try {
      assertThat(mayEnd.await(5, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Page(200, "text/plain", "late");
  }

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void stop() {
    mayEnd.countDown();
    server.stop();
    client.close();
  }

  private HttpRequest request(String method, String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
        .method(method, BodyPublishers.noBody())
        .build();
  }

  private HttpResponse<String> send(String method, String path)
      throws IOException, InterruptedException {
    return client.send(request(method, path), BodyHandlers.ofString());
  }

  @Test
  void servesItsPages() throws Exception {
    HttpResponse<String> good = send("GET", "/good?verbose=true");
    assertThat(good.statusCode()).isEqualTo(200);
    assertThat(good.body()).isEqualTo("fine");
    assertThat(good.headers().firstValue("Content-Type")).contains("text/plain");
    assertThat(send("GET", "/down").statusCode()).isEqualTo(503);
  }

  @Test
  void answersHeadWithoutABody() throws Exception {
    HttpResponse<String> head = send("HEAD", "/good");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("Content-Length")).contains("4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/good/", "/good/more", "//good", "/Good", "/..%2fgood"})
  void hasNoOtherPaths(String path) throws Exception {
    assertThat(send("GET", path).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
  void refusesOtherMethods(String method) throws Exception {
    HttpResponse<String> refused = send(method, "/good");
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
  }

  @Test
  void aFailingPageIs500AndIsLoggedWithoutItsText(CapturedOutput log) throws Exception {
    HttpResponse<String> failed = send("GET", "/failing");
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).isEmpty();
    assertThat(log)
        .contains("the management page /failing failed: java.lang.IllegalStateException")
        .doesNotContain("secret");
    assertThat(send("GET", "/good").statusCode()).as("afterwards").isEqualTo(200);
  }

  @Test
  void slowPagesDoNotDelayOthers() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> slow = new ArrayList<>();
    for (long i = inPage.getCount(); i > 0; i--) {
      slow.add(client.sendAsync(request("GET", "/slow"), BodyHandlers.ofString()));
    }
    assertThat(inPage.await(5, TimeUnit.MINUTES)).isTrue();
    assertThat(send("GET", "/good").statusCode()).isEqualTo(200);
    assertThat(slow).noneMatch(CompletableFuture::isDone);
    mayEnd.countDown();
    for (CompletableFuture<HttpResponse<String>> answer : slow) {
      assertThat(answer.get().body()).isEqualTo("late");
    }
  }

  @Test
  void connectionsAreLimited() throws Exception {
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < MAX_CONNECTIONS; i++) {
      silent.add(new Socket(LOOPBACK, server.port()));
    }
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> send("GET", "/good"));
    for (Socket socket : silent) {
      socket.close();
    }
    while (!isAnswered("/good")) {
      Thread.sleep(20);
    }
  }

  private boolean isAnswered(String path) throws InterruptedException {
    try {
      return send("GET", path).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aTakenPortIsNamed() {
    ManagementServer second = new ManagementServer(LOOPBACK, server.port(), Map.of());
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(second::start)
        .withMessageContaining("the management server cannot listen on")
        .withMessageContaining(Integer.toString(server.port()));
    assertThat(second.isRunning()).isFalse();
  }

  @Test
  void stopsAndStartsAgain() throws Exception {
    HttpRequest old = request("GET", "/good");
    server.stop();
    assertThat(server.isRunning()).isFalse();
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(server::port);
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> client.send(old, BodyHandlers.discarding()));
    server.start();
    assertThat(server.isRunning()).isTrue();
    assertThat(send("GET", "/good").statusCode()).isEqualTo(200);
  }
}
