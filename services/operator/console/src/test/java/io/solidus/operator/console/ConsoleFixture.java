package io.solidus.operator.console;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.openid.Account;
import io.solidus.dev.openid.OpenIdServer;
import io.solidus.dev.openid.OpenIdSettings;
import io.solidus.dev.openid.TokenShape;
import io.solidus.dev.openid.WebClient;
import io.solidus.platform.boot.ServiceLauncher;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A console with a real OpenID provider, and with one stand-in for the three admin APIs that
 * answers what a test tells it.
 */
final class ConsoleFixture implements AutoCloseable {
  static final String PASSWORD = "password";
  static final String COOKIE = "solidus-console";

  /** An answer of the stand-in; next is its header Solidus-Next, unless it is empty. */
  record Canned(int status, String body, String next) {}

  /** A call that reached the stand-in. */
  record Call(String method, String path, String authorization, String body) {}

  /** The console's clock, which a test may move. */
  static final class MovableClock extends Clock {
    private volatile Duration ahead = Duration.ZERO;

    void reset() {
      ahead = Duration.ZERO;
    }

    void move(Duration by) {
      ahead = ahead.plus(by);
    }

    @Override
    public Instant instant() {
      return InstantSource.system().instant().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private final OpenIdServer provider;
  private final HttpServer services;
  private final ConfigurableApplicationContext context;
  private final Map<String, Canned> answers = new ConcurrentHashMap<>();
  private volatile List<String> away = List.of();
  private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());
  final MovableClock clock = new MovableClock();
  final String url;

  ConsoleFixture(Path directory) throws IOException, JOSEException {
    this(directory, Duration.ofMinutes(10), Map.of());
  }

  /**
   * @param validity of access tokens
   * @param more of the console's properties
   */
  ConsoleFixture(Path directory, Duration validity, Map<String, Object> more)
      throws IOException, JOSEException {
    int port = freePort();
    url = "http://127.0.0.1:" + port;
    provider =
        OpenIdServer.start(
            new OpenIdSettings(
                0,
                new RSAKeyGenerator(2048).keyID("one").generate(),
                "solidus",
                "people",
                TokenShape.STANDARD,
                validity,
                List.of(
                    new Account("kim", PASSWORD, List.of("kyc-operator")),
                    new Account("sam", PASSWORD, List.of("sanctions-operator")),
                    new Account("pat", PASSWORD, List.of("policy-operator")),
                    new Account("lee", PASSWORD, List.of("list-approver", "rules-approver")),
                    new Account("ida", PASSWORD, List.of("issuance-operator")),
                    new Account("anna", PASSWORD, List.of("money-approver")),
                    new Account("pia", PASSWORD, List.of("people-approver")),
                    new Account("ada", PASSWORD, List.of("auditor")),
                    new Account(
                        "bea",
                        PASSWORD,
                        List.of(
                            "kyc-operator",
                            "issuance-operator",
                            "money-approver",
                            "list-approver",
                            "policy-operator"),
                        "second")),
                List.of(),
                List.of(
                    new WebClient(
                        "console",
                        "a secret",
                        url + "/login/oauth2/code/console",
                        url + "/logged-out"))));
    services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    services.createContext("/", this::answer);
    services.start();
    String api = "http://127.0.0.1:" + services.getAddress().getPort();
    Path secret = Files.writeString(directory.resolve("client-secret"), "a secret\n");
    Map<String, Object> properties = new HashMap<>();
    properties.put("server.address", "127.0.0.1");
    properties.put("server.port", port);
    properties.put("server.servlet.session.cookie.name", COOKIE);
    properties.put("server.servlet.session.cookie.secure", false);
    properties.put("solidus.console.public-url", url);
    properties.put("solidus.console.login.issuer-uri", provider.issuer());
    properties.put("solidus.console.login.client-id", "console");
    properties.put("solidus.console.login.client-secret-file", secret);
    properties.put("solidus.console.registration", api);
    properties.put("solidus.console.sanctions", api);
    properties.put("solidus.console.issuance", api);
    properties.put("solidus.console.call-timeout", "2s");
    properties.put("solidus.console.answer-limit", "64KB");
    properties.put("solidus.console.health.up", api + "/up");
    properties.put("solidus.console.health.down", api + "/down");
    properties.putAll(more);
    answer("/up", 200, "{}");
    answer("/down", 503, "{}");
    context =
        ServiceLauncher.builder(ConsoleApplication.class, "console")
            .initializers(starting ->
                ((GenericApplicationContext) starting).registerBean(Clock.class, () -> clock))
            .run(
                properties.entrySet().stream()
                    .map(each -> "--" + each.getKey() + "=" + each.getValue())
                    .toArray(String[]::new));
  }

  /** The next answers to calls of a path, whatever the query. */
  void answer(String path, int status, String body) {
    answers.put(path, new Canned(status, body, ""));
  }

  /** The answer to a call of exactly this path and query, which is one part of a document. */
  void answerPart(String pathAndQuery, String body, String next) {
    answers.put(pathAndQuery, new Canned(200, body, next));
  }

  /** From now on calls of paths that begin so are closed without an answer. */
  void away(String... beginnings) {
    away = List.of(beginnings);
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  /** A browser in which somebody has logged in. */
  Browser loggedIn(String name) throws IOException {
    Browser browser = new Browser(url);
    browser.login("/", name, PASSWORD);
    return browser;
  }

  ConfigurableApplicationContext context() {
    return context;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    calls.add(
        new Call(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            authorization == null ? "" : authorization,
            body));
    if (away.stream().anyMatch(exchange.getRequestURI().getPath()::startsWith)) {
      exchange.close();
      return;
    }
    Canned whole = answers.get(exchange.getRequestURI().toString());
    Canned canned =
        whole == null
            ? answers.getOrDefault(exchange.getRequestURI().getPath(), new Canned(404, "{}", ""))
            : whole;
    if (!canned.next().isEmpty()) {
      exchange.getResponseHeaders().add("Solidus-Next", canned.next());
    }
    byte[] bytes = canned.body().getBytes(StandardCharsets.UTF_8);
    exchange
        .getResponseHeaders()
        .add(
            "Content-Type",
            canned.status() < 400 ? "application/json" : "application/problem+json");
    exchange.sendResponseHeaders(canned.status(), bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
    exchange.close();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    context.close();
    services.stop(0);
    provider.close();
  }
}
