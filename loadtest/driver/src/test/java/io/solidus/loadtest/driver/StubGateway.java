package io.solidus.loadtest.driver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A gateway for load generators: it decodes every request as the real gateway does, and records
 * each error that it finds.
 */
final class StubGateway implements AutoCloseable {
  static final String TOKEN = "a-token-of-this-test";

  private static final String LIST_TAG = "\"7\"";
  private static final Pattern CERTIFICATE = Pattern.compile("/v1/transfers/([0-9a-f]{64})");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final NetworkId network;
  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(8, Thread.ofPlatform().daemon().factory());
  private final Predicate<Integer> refuses;
  private final Map<String, String> leads = new ConcurrentHashMap<>();
  private final Map<String, Long> waiting = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger submits = new AtomicInteger();
  private final AtomicLong parcels = new AtomicLong();

  /**
   * @param refuses whether the stub answers the core of this number once with a Retry-After of one
   *     second
   */
  StubGateway(NetworkId network, Predicate<Integer> refuses) throws IOException {
    this.network = network;
    this.refuses = refuses;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Cores that were signed. */
  Set<String> signed() {
    return Set.copyOf(leads.keySet());
  }

  /** How often a route was called. */
  int calls(String route) {
    return calls.getOrDefault(route, new AtomicInteger()).get();
  }

  /** Requests that no correct wallet or operator would send. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      try {
        answer(
            exchange, exchange.getRequestURI().getPath(), new String(body, StandardCharsets.UTF_8));
      } catch (ProtocolException refusal) {
        wrong.add(exchange.getRequestURI().getPath() + ": " + refusal.detail());
        problem(exchange, 400, "malformed-request");
      } catch (RuntimeException e) {
        wrong.add(exchange.getRequestURI().getPath() + ": " + e);
        problem(exchange, 500, "internal");
      }
    }
  }

  private void answer(HttpExchange exchange, String path, String body) throws IOException {
    String asked = exchange.getRequestMethod() + " " + path;
    Matcher certificate = CERTIFICATE.matcher(path);
    if (asked.startsWith("GET /admin/") || asked.startsWith("POST /admin/")) {
      admin(exchange, path, body);
    } else if (asked.equals("POST /v1/transfers")) {
      submit(exchange, body);
    } else if (certificate.matches()) {
      certificate(exchange, certificate.group(1));
    } else {
      publicCall(exchange, asked, body);
    }
  }

  private void publicCall(HttpExchange exchange, String asked, String body) throws IOException {
    switch (asked) {
      case "GET /v1/info" -> json(exchange, "info", 200, info());
      case "GET /v1/keys" ->
          json(
              exchange,
              "keys",
              200,
              Map.of("manifest", Base64Url.encode(new byte[1]), "signature", ""));
      case "GET /v1/policy" -> text(exchange, "policy", "solidus/v1 policy\nversion: 3\n");
      case "GET /v1/sanctions/checkpoint" ->
          text(exchange, "checkpoint", "solidus/v1 sanction-checkpoint\nversion: 7\nsize: 0\n");
      case "GET /v1/sanctions/checkpoints/7/list" -> list(exchange);
      case "POST /v1/coins/state" -> state(exchange, body);
      case "GET /v1/mailbox" ->
          json(exchange, "mailbox-read", 200, Map.of("entries", List.of(), "next", parcels.get()));
      case "POST /v1/mailbox" -> parcel(exchange, body);
      default -> {
        wrong.add("no such call: " + asked);
        problem(exchange, 404, "not-found");
      }
    }
  }

  private Map<String, Object> info() {
    String url = url().toString();
    return Map.of(
        "networkId",
        network.value(),
        "networkKind",
        "regulated",
        "currency",
        "EUR",
        "urls",
        Map.of("registration", url, "sanctions", url, "issuance", url));
  }

  private void submit(HttpExchange exchange, String body) throws IOException {
    TransferRequest request = WireJson.read(body, TransferRequestJson.class).toDomain();
    request.requireContext(network);
    String core = request.statement().core(network).hex();
    if (!core.equals(exchange.getRequestHeaders().getFirst("Idempotency-Key"))) {
      wrong.add("an Idempotency-Key that is not the core");
    }
    Long until = waiting.get(core);
    if (until == null && refuses.test(submits.incrementAndGet())) {
      waiting.put(core, System.nanoTime() + 1_000_000_000L);
      exchange.getResponseHeaders().set("Retry-After", "1");
      count("submit");
      problem(exchange, 429, "overloaded");
      return;
    }
    if (until != null && System.nanoTime() < until) {
      wrong.add("retried before the time of Retry-After");
    }
    if (leads.put(core, Base64Url.encode(request.statement().leadSerial().bytes())) != null) {
      wrong.add("a transfer that was signed already");
    }
    json(
        exchange,
        "submit",
        200,
        Map.of("core", core, "partials", List.of(), "combined", List.of(), "faulty", List.of()));
  }

  private void certificate(HttpExchange exchange, String core) throws IOException {
    if (!("lead=" + leads.get(core)).equals(exchange.getRequestURI().getRawQuery())) {
      wrong.add("asked for a certificate that does not exist");
    }
    json(exchange, "certificate", 200, Map.of("core", core, "partials", List.of()));
  }

  private void state(HttpExchange exchange, String body) throws IOException {
    JsonNode serials = JSON.readTree(body).path("serials");
    String lead = serials.path(0).asString();
    String core =
        leads.entrySet().stream()
            .filter(entry -> entry.getValue().equals(lead))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    json(
        exchange,
        "state",
        200,
        Map.of("states", List.of(Map.of("serial", lead, "status", "signed", "core", core))));
  }

  private void parcel(HttpExchange exchange, String body) throws IOException {
    int bytes = Base64Url.decode(JSON.readTree(body).path("blob").asString(), "blob").length;
    if (bytes != 1200) {
      wrong.add("a parcel of " + bytes + " bytes");
    }
    json(exchange, "mailbox-post", 201, Map.of("sequence", parcels.incrementAndGet()));
  }

  private void list(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("ETag", LIST_TAG);
    if (LIST_TAG.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
      count("list-unchanged");
      exchange.sendResponseHeaders(304, -1);
      return;
    }
    text(exchange, "list", "");
  }

  private void admin(HttpExchange exchange, String path, String body) throws IOException {
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    if (given == null) {
      count("admin-no-token");
      problem(exchange, 401, "unauthorized");
      return;
    }
    if (!given.equals("Bearer " + TOKEN)) {
      wrong.add("another token");
    }
    if (exchange.getRequestMethod().equals("POST")
        && JSON.readTree(body).path("amountMinor").asLong() <= 0) {
      wrong.add("a funding of nothing");
    }
    json(
        exchange,
        path.startsWith("/admin/v1/fundings/") ? "admin-funding-view" : path,
        200,
        Map.of());
  }

  private void json(HttpExchange exchange, String route, int status, Object value)
      throws IOException {
    count(route);
    send(exchange, status, "application/json", JSON.writeValueAsBytes(value));
  }

  private void text(HttpExchange exchange, String route, String text) throws IOException {
    count(route);
    send(exchange, 200, "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  private static void problem(HttpExchange exchange, int status, String code) throws IOException {
    send(
        exchange,
        status,
        "application/problem+json",
        JSON.writeValueAsBytes(Map.of("code", code, "status", status)));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  private void count(String route) {
    calls.computeIfAbsent(route, r -> new AtomicInteger()).incrementAndGet();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
