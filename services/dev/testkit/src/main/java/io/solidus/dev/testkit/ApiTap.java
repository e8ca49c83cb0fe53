package io.solidus.dev.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
 * it with the service's OpenAPI document. Of a stream it compares each event.
 */
public final class ApiTap implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int MOST = 50;
  private static final int LONGEST_EVENT = 1 << 16;

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
        HttpResponse<InputStream> answer =
            client.send(request(exchange, sent), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
          if (isStream(answer)) {
            handEventsBack(exchange, answer, body);
          } else {
            handBack(exchange, sent, answer, body.readAllBytes());
          }
        }
      } finally {
        room.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isStream(HttpResponse<?> answer) {
    return answer.headers().firstValue("Content-Type").orElse("").startsWith(ApiAnswers.EVENTS);
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

  private void handBack(HttpExchange exchange, byte[] sent, HttpResponse<?> answer, byte[] body)
      throws IOException {
    compare(exchange, sent, answer, body);
    copyHeaders(exchange, answer);
    boolean empty = body.length == 0;
    exchange.sendResponseHeaders(answer.statusCode(), empty ? -1 : body.length);
    if (!empty) {
      exchange.getResponseBody().write(body);
    }
  }

  /** Hands each event back at once, and compares it when it is whole. */
  private void handEventsBack(HttpExchange exchange, HttpResponse<?> answer, InputStream body)
      throws IOException {
    copyHeaders(exchange, answer);
    exchange.sendResponseHeaders(answer.statusCode(), 0);
    OutputStream out = exchange.getResponseBody();
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    for (int next = body.read(); next >= 0 && event.size() < LONGEST_EVENT; next = body.read()) {
      boolean ends = next == '\n' && event.toString(StandardCharsets.UTF_8).endsWith("\n");
      event.write(next);
      if (ends) {
        compare(exchange, new byte[0], answer, event.toByteArray());
        event.writeTo(out);
        out.flush();
        event.reset();
      }
    }
  }

  private void compare(HttpExchange exchange, byte[] sent, HttpResponse<?> answer, byte[] body) {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getRawPath();
    int status = answer.statusCode();
    Stream.of(
            answers.undocumented(method, path, sent.length > 0, status, answer.headers(), body),
            status / 100 == 2
                ? answers.undocumentedRequest(method, path, sent)
                : Optional.<String>empty())
        .flatMap(Optional::stream)
        .filter(any -> findings.size() < MOST)
        .forEach(what -> findings.add(method + " " + path + ", " + status + ": " + what));
  }

  private static void copyHeaders(HttpExchange exchange, HttpResponse<?> answer) {
    answer
        .headers()
        .map()
        .forEach((name, values) -> {
          if (!HOP.contains(name) && !name.startsWith(":")) {
            exchange.getResponseHeaders().put(name, List.copyOf(values));
          }
        });
  }

  /** What the document does not say of the answers, each once. */
  public Set<String> findings() {
    return new TreeSet<>(findings);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    client.shutdownNow(); // a stream of events may be open
  }
}
