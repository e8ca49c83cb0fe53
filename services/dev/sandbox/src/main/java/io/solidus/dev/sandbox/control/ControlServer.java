package io.solidus.dev.sandbox.control;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HTTP server through which the demo stops and starts an authority of a running sandbox. It listens
 * on the loopback interface and requires the random token that only the installation's owner can
 * read.
 */
public final class ControlServer implements AutoCloseable {
  private static final Pattern ROUTE = Pattern.compile("/authorities/([1-9][0-9]?)/(kill|start)");

  private final HttpServer server;

  private ControlServer(HttpServer server) {
    this.server = server;
  }

  /** The actions of the routes. */
  public interface Authorities {
    /** Stops an authority at once, without finishing its work. */
    void kill(int index) throws Exception;

    /** Starts an authority again on its data. */
    void start(int index) throws Exception;
  }

  public static ControlServer start(int port, String token, Authorities authorities)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 4);
    server.setExecutor(
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("control").factory()));
    server.createContext("/", exchange -> handle(exchange, token, authorities));
    server.start();
    return new ControlServer(server);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private static void handle(HttpExchange exchange, String token, Authorities authorities)
      throws IOException {
    try (exchange) {
      String given = exchange.getRequestHeaders().getFirst("Authorization");
      byte[] expected = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
      if (given == null
          || !MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) {
        answer(exchange, 401, "unauthorized");
        return;
      }
      Matcher route = ROUTE.matcher(exchange.getRequestURI().getPath());
      if (!route.matches() || !exchange.getRequestMethod().equals("POST")) {
        answer(exchange, 404, "not-found");
        return;
      }
      act(exchange, authorities, Integer.parseInt(route.group(1)), route.group(2));
    }
  }

  private static void act(HttpExchange exchange, Authorities authorities, int index, String action)
      throws IOException {
    try {
      if (action.equals("kill")) {
        authorities.kill(index);
      } else {
        authorities.start(index);
      }
      answer(exchange, 200, "ok");
    } catch (IllegalArgumentException e) {
      answer(exchange, 404, "not-found");
    } catch (Exception e) {
      answer(exchange, 500, "failed: " + e.getMessage());
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
