package io.solidus.loadtest.driver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.loadtest.forge.RequestPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Gives the transfers of a pool to k6, each once: {@code GET /next?count=N} returns up to N lines,
 * or 410 at the end. k6 cannot read a file in parts. Listens on the loopback interface.
 */
final class TransferFeeder implements AutoCloseable {
  private static final int MOST = 256;
  private static final int THREADS = 4;
  private static final Pattern QUERY = Pattern.compile("count=([1-9][0-9]{0,2})");

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS, Thread.ofPlatform().daemon().name("feeder-", 0).factory());

  private TransferFeeder(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts the server; the caller closes the pool after it.
   *
   * @param port 0 for any
   */
  static TransferFeeder start(RequestPool pool, int port) {
    try {
      TransferFeeder feeder =
          new TransferFeeder(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0));
      feeder.server.setExecutor(feeder.threads);
      feeder.server.createContext("/next", exchange -> answer(exchange, pool));
      feeder.server.start();
      return feeder;
    } catch (IOException e) {
      throw new UncheckedIOException("the feeder cannot listen", e);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static void answer(HttpExchange exchange, RequestPool pool) throws IOException {
    try (exchange) {
      String query = exchange.getRequestURI().getRawQuery();
      Matcher asked = QUERY.matcher(query == null ? "count=1" : query);
      if (!exchange.getRequestMethod().equals("GET") || !asked.matches()) {
        exchange.sendResponseHeaders(400, -1);
        return;
      }
      List<String> lines = pool.take(Math.min(MOST, Integer.parseInt(asked.group(1))));
      if (lines.isEmpty()) {
        exchange.sendResponseHeaders(410, -1);
        return;
      }
      byte[] body = String.join("\n", lines).getBytes(StandardCharsets.US_ASCII);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=us-ascii");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
