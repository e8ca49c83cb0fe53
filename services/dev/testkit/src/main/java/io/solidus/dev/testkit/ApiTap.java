package io.solidus.dev.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Stands between clients and a service: hands every request on, hands the answer back, and compares
 * it with the service's OpenAPI document.
 */
public final class ApiTap implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int MOST = 50;

  /** Of one hop; the clients refuse to set them. */
  private static final Set<String> HOP =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "transfer-encoding",
          "upgrade");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore room = new Semaphore(MOST);
  private final ConcurrentLinkedQueue<String> findings = new ConcurrentLinkedQueue<>();
  private final HttpServer server;
  private final int target;
  private final ApiAnswers answers;

  /**
   * Starts.
   *
   * @param port of the tap on the loopback interface
   * @param target the service's port
   */
  public ApiTap(int port, int target, ApiAnswers answers) throws IOException {
    this.target = target;
    this.answers = answers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MOST);
    server.setExecutor(threads);
    server.createContext("/", this::handOn);
    server.start();
  }

  private void handOn(HttpExchange exchange) throws IOException {
    try (exchange) {
      room.acquire();
      try {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        handBack(
            exchange,
            sent,
            client.send(request(exchange, sent), HttpResponse.BodyHandlers.ofByteArray()));
      } finally {
        room.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpRequest request(HttpExchange exchange, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + target + exchange.getRequestURI().toString()))
            .timeout(LIMIT)
            .method(
                exchange.getRequestMethod(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> {
          if (!HOP.contains(name.toLowerCase(Locale.ROOT))) {
            values.forEach(value -> request.header(name, value));
          }
        });
    return request.build();
  }

  private void handBack(HttpExchange exchange, byte[] sent, HttpResponse<byte[]> answer)
      throws IOException {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getRawPath();
    int status = answer.statusCode();
    Stream.of(
            answers.undocumented(
                method, path, sent.length > 0, status, answer.headers(), answer.body()),
            status / 100 == 2
                ? answers.undocumentedRequest(method, path, sent)
                : Optional.<String>empty())
        .flatMap(Optional::stream)
        .filter(any -> findings.size() < MOST)
        .forEach(what -> findings.add(method + " " + path + ", " + status + ": " + what));
    answer
        .headers()
        .map()
        .forEach((name, values) -> {
          if (!HOP.contains(name) && !name.startsWith(":")) {
            exchange.getResponseHeaders().put(name, List.copyOf(values));
          }
        });
    boolean empty = answer.body().length == 0;
    exchange.sendResponseHeaders(answer.statusCode(), empty ? -1 : answer.body().length);
    if (!empty) {
      exchange.getResponseBody().write(answer.body());
    }
  }

  /** What the document does not say of the answers, each once. */
  public Set<String> findings() {
    return new TreeSet<>(findings);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    client.close();
  }
}
