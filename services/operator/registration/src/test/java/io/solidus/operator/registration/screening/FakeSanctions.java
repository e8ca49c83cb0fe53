package io.solidus.operator.registration.screening;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A fake sanctions service with a configurable answer. */
public final class FakeSanctions implements AutoCloseable {
  public static final String NO_MATCH =
      "{\"matches\":[],\"lists\":[{\"list\":\"un\",\"version\":3}],\"threshold\":0.8}";
  public static final String ONE_MATCH =
      """
      {"matches":[{"list":"un","reference":"QDi.001","kind":"person","name":"ADA LOVELACE","weakAlias":false,"score":0.97,\
      "birthYear":"agrees"}],"lists":[{"list":"un","version":3}],"threshold":0.8}\
      """;

  private final HttpServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile String answer = NO_MATCH;
  private volatile long delayMillis;

  public FakeSanctions() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/admin/v1/sanctions/screenings", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    requests.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    try (exchange) {
      Thread.sleep(delayMillis);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public void answer(int newStatus, String newAnswer) {
    answer = newAnswer;
    status = newStatus;
  }

  /** Sends the headers at once and the body after a delay. */
  public void delayBody(long newDelayMillis) {
    delayMillis = newDelayMillis;
  }

  public List<String> requests() {
    return requests;
  }

  public List<String> authorizations() {
    return authorizations;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
