package io.solidus.platform.management;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Serves a fixed set of GET paths with the JDK's HTTP server. Every other path is 404, every other
 * method 405. At most {@value #THREADS} requests are answered at a time, and a connection that does
 * not send its request in time is closed.
 */
public final class ManagementServer implements SmartLifecycle {

  /** An answer. */
  record Page(int status, String contentType, String body) {}

  private static final int THREADS = 4;
  private static final int BACKLOG = 32;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final long NO_BODY = -1;
  private static final String REQUEST_SECONDS = "10";

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
    limitSlowClients();
    try {
      HttpServer started = HttpServer.create(address, BACKLOG);
      ExecutorService workers =
          Executors.newFixedThreadPool(
              THREADS, Thread.ofPlatform().name("management-", 0).daemon().factory());
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
      Supplier<Page> page = pages.get(exchange.getRequestURI().getPath());
      if (page == null) {
        exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, NO_BODY);
      } else {
        send(exchange, page.get());
      }
    }
  }

  private static void send(HttpExchange exchange, Page page) throws IOException {
    byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", page.contentType());
    exchange.sendResponseHeaders(page.status(), body.length);
    exchange.getResponseBody().write(body);
  }

  /** The JDK reads these when its server is first used. */
  private static void limitSlowClients() {
    for (String name :
        new String[] {"sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime"}) {
      if (System.getProperty(name) == null) {
        System.setProperty(name, REQUEST_SECONDS);
      }
    }
  }
}
