package io.solidus.platform.management;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Serves a fixed set of paths to GET and HEAD with the JDK's HTTP server. Every other path is 404,
 * every other method 405, and a page that fails is 500.
 *
 * <p>Connections are limited to {@value #MAX_CONNECTIONS}. A connection that does not send its
 * request, or does not take its answer, within {@value #REQUEST_SECONDS} seconds is closed. Each
 * request has its own thread, so slow clients do not delay probes until all connections are in use.
 */
public final class ManagementServer implements SmartLifecycle {

  /** An answer. */
  record Page(int status, String contentType, String body) {}

  private static final Logger log = LoggerFactory.getLogger(ManagementServer.class);
  private static final int BACKLOG = 32;
  private static final String MAX_CONNECTIONS = "32";
  private static final String REQUEST_SECONDS = "10";
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int FAILED = 500;
  private static final long NO_BODY = -1;

  private final InetSocketAddress address;
  private final Map<String, Supplier<Page>> pages;
  private @Nullable HttpServer server;
  private @Nullable ExecutorService threads;

  /**
   * @param address null: every interface
   * @param port 0: any free one
   * @param pages by path
   */
  ManagementServer(@Nullable InetAddress address, int port, Map<String, Supplier<Page>> pages) {
    this.address = new InetSocketAddress(address, port);
    this.pages = Map.copyOf(pages);
  }

  /** The port that the server listens on; it must be running. */
  public synchronized int port() {
    HttpServer running = server;
    if (running == null) {
      throw new IllegalStateException("the management server is not running");
    }
    return running.getAddress().getPort();
  }

  @Override
  public synchronized void start() {
    limitClients();
    try {
      HttpServer started = HttpServer.create(address, BACKLOG);
      ExecutorService workers =
          Executors.newCachedThreadPool(
              Thread.ofPlatform().name("management-", 0).daemon().factory());
      started.setExecutor(workers);
      started.createContext("/", this::answer);
      started.start();
      server = started;
      threads = workers;
    } catch (IOException e) {
      throw new UncheckedIOException("the management server cannot listen on " + address, e);
    }
  }

  @Override
  public synchronized void stop() {
    if (server != null) {
      server.stop(0);
      server = null;
    }
    if (threads != null) {
      threads.shutdownNow();
      threads = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return server != null;
  }

  /** Starts first and stops last, so that probes see the whole life of a service. */
  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      Supplier<Page> page = pages.get(path);
      String method = exchange.getRequestMethod();
      if (page == null) {
        exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
      } else if (method.equals("GET") || method.equals("HEAD")) {
        send(exchange, path, page);
      } else {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, NO_BODY);
      }
    }
  }

  private static void send(HttpExchange exchange, String path, Supplier<Page> supplier)
      throws IOException {
    Page page;
    try {
      page = supplier.get();
    } catch (RuntimeException e) {
      log.error("the management page {} failed: {}", path, e.getClass().getName());
      exchange.sendResponseHeaders(FAILED, NO_BODY);
      return;
    }
    byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", page.contentType());
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(page.status(), NO_BODY);
    } else {
      exchange.sendResponseHeaders(page.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Sets limits that the JDK reads when the process first uses its server. */
  private static void limitClients() {
    Properties properties = System.getProperties();
    properties.putIfAbsent("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
    properties.putIfAbsent("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
    properties.putIfAbsent("sun.net.httpserver.maxRspTime", REQUEST_SECONDS);
  }
}
